"""Power series: Taylor polynomials, limits, radii of convergence."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import mpmath
import sympy
from sympy.parsing.sympy_parser import convert_xor, factorial_notation, parse_expr, standard_transformations

from prompt_solvers.parsing import evaluate, problem
from prompt_solvers.registry import prompt_solver

LENGTH = 16


class Series:
    """The first coefficients of a power series in x."""

    def __init__(self, coefficients: list[Fraction]) -> None:
        self.c = (coefficients + [Fraction(0)] * LENGTH)[:LENGTH]

    def __add__(self, other: Series) -> Series:
        return Series([a + b for a, b in zip(self.c, other.c, strict=True)])

    def __neg__(self) -> Series:
        return Series([-a for a in self.c])

    def __sub__(self, other: Series) -> Series:
        return self + -other

    def __mul__(self, other: Series) -> Series:
        return Series([sum((self.c[i] * other.c[n - i] for i in range(n + 1)), Fraction(0)) for n in range(LENGTH)])

    def __truediv__(self, other: Series) -> Series:
        """The quotient; common powers of x are cancelled, and what is lost at the end of the series counts as 0."""
        order = next(i for i, a in enumerate(other.c) if a)
        assert not any(self.c[:order]), "a pole"
        top, bottom, quotient = self.c[order:], other.c[order:], list[Fraction]()
        for n in range(len(top)):
            quotient.append((top[n] - sum((quotient[i] * bottom[n - i] for i in range(n)), Fraction(0))) / bottom[0])
        return Series(quotient)

    def __pow__(self, exponent: int) -> Series:
        result = Series([Fraction(1)])
        for _ in range(exponent):
            result *= self
        return result


def composed(coefficient: Callable[[int], Fraction]) -> Callable[[Series], Series]:
    """The function with these Taylor coefficients at 0, of a series without a constant term."""

    def apply(inner: Series) -> Series:
        assert inner.c[0] == 0
        total, power = Series([]), Series([Fraction(1)])
        for n in range(LENGTH):
            total, power = total + Series([coefficient(n)]) * power, power * inner
        return total

    return apply


def sign(n: int) -> int:
    return -1 if n // 2 % 2 else 1


FUNCTIONS = {
    "exp": composed(lambda n: Fraction(1, int(sympy.factorial(n)))),
    "sin": composed(lambda n: Fraction(sign(n), int(sympy.factorial(n))) if n % 2 else Fraction(0)),
    "cos": composed(lambda n: Fraction(0) if n % 2 else Fraction(sign(n), int(sympy.factorial(n)))),
    "arctan": composed(lambda n: Fraction(sign(n), n) if n % 2 else Fraction(0)),
    "ln": lambda inner: composed(lambda n: Fraction((-1) ** (n + 1), n) if n else Fraction(0))(inner - Series([Fraction(1)])),
    "x": Series([Fraction(0), Fraction(1)]),
}


def series_of(text: str) -> Series:
    return evaluate(text, FUNCTIONS, number=lambda n: Series([Fraction(n)]))


@prompt_solver("taylor_series")
def solve_taylor_series(prompt: str) -> str:
    text = problem(prompt)
    degree = re.search(r"degree (?:at most )?(\d+)|up to (?:and including )?x\^(\d+)", text)
    function = re.search(r"f\(x\) = (.*?)(?: at x = 0| in powers of x| that agrees| at 0|\?|\.$|$)", text)
    assert degree is not None
    assert function is not None
    series = series_of(function[1])
    terms = [f"({series.c[n]})*x^{n}" if n else f"({series.c[0]})" for n in range(int(degree[1] or degree[2]) + 1) if series.c[n]]
    return " + ".join(terms) or "0"


@prompt_solver("limit")
def solve_limit(prompt: str) -> str:
    text = problem(prompt)
    found = re.search(r"(?:What does|Which number does|for x -> 0 of|limit of) (\(.*\)/\(.*\))(?: tend| approach|\.(?: |$)| as x)", text)
    assert found is not None
    depth, split = 0, 0
    for i, letter in enumerate(found[1]):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            split = i
            break
    top, bottom = series_of(found[1][: split + 1]), series_of(found[1][split + 2 :])
    return str((top / bottom).c[0])


def log_of(expression: sympy.Expr, n: mpmath.mpf) -> mpmath.mpf:
    """The logarithm of the absolute value of an expression in n, for a huge n."""
    if isinstance(expression, sympy.Mul):
        return sum(log_of(factor, n) for factor in expression.args)
    if isinstance(expression, sympy.Pow):
        return mpmath.mpf(sympy.lambdify(sympy.Symbol("n"), expression.exp, "mpmath")(n)) * log_of(expression.base, n)
    if isinstance(expression, sympy.factorial):
        return mpmath.loggamma(sympy.lambdify(sympy.Symbol("n"), expression.args[0], "mpmath")(n) + 1)
    return mpmath.log(abs(sympy.lambdify(sympy.Symbol("n"), expression, "mpmath")(n)))


@prompt_solver("convergence_radius")
def solve_convergence_radius(prompt: str) -> str:
    """The coefficients grow like L^n * n^p; both numbers are read off the quotient of two coefficients very far out."""
    text = problem(prompt)
    term = re.search(
        r"(?:the terms|sum over n >= 1 of|the series with the terms|sum of) (.*?)(?:, n = 1|, converge| converges| \(n = 1| over all n)",
        text,
    )
    assert term is not None
    expression = parse_expr(term[1], transformations=(*standard_transformations, convert_xor, factorial_notation), evaluate=False)
    x, _n = sympy.symbols("x n")
    expression = expression.replace(lambda e: isinstance(e, sympy.Mul), lambda e: sympy.Mul(*e.args))
    (power,) = [atom for atom in expression.atoms(sympy.Pow) if atom.base.has(x)]
    alternating = bool(re.search(r"\(-1\)\^n", term[1]))
    coefficient = sympy.Mul(*[factor for factor in sympy.Mul.make_args(expression) if factor != power])
    with mpmath.workdps(260):
        far = mpmath.mpf(10) ** 40
        ratio = mpmath.exp(log_of(coefficient, far + 1) - log_of(coefficient, far))
        growth = Fraction(str(mpmath.nstr(ratio, 60))).limit_denominator(10**12)
        degree = round(float(far * (ratio / (mpmath.mpf(growth.numerator) / growth.denominator) - 1)) * 2) / 2
    a, b = (Fraction(str(c)) for c in sympy.Poly(power.base, x).all_coeffs())
    ends = []
    for side in (-1, 1):
        turned = alternating != (side < 0)
        ends.append(((side / growth - b) / a, degree < 0 if turned else degree < -1))
    (low, low_in), (high, high_in) = sorted(ends)
    return f"{'[' if low_in else '('}{low}, {high}{']' if high_in else ')'}"
