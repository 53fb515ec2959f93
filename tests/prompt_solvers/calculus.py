"""Derivatives, integrals and differential equations."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from itertools import product

import sympy

from prompt_solvers.parsing import between, evaluate, formula, problem
from prompt_solvers.registry import prompt_solver

X, Y = sympy.symbols("x y")


def out(value: sympy.Expr) -> str:
    """An expression with ^ for powers and ln for the natural logarithm."""
    return re.sub(r"\bE\b", "e", str(value).replace("**", "^").replace("log(", "ln(").replace("atan(", "arctan("))


def read(text: str) -> sympy.Expr:
    return formula(text, ln=sympy.log)


def signed_pieces(poly: sympy.Expr, low: sympy.Expr, high: sympy.Expr) -> sympy.Expr:
    """The integral of the absolute value of a polynomial."""
    roots = sorted(root for root in sympy.real_roots(sympy.Poly(poly, X)) if low < root < high)
    points = [low, *dict.fromkeys(roots), high]
    primitive = sympy.integrate(sympy.expand(poly), X)
    values = [primitive.subs(X, point) for point in points]
    return sum(abs(b - a) for a, b in itertools.pairwise(values))


@prompt_solver("area_between_curves")
def solve_area_between_curves(prompt: str) -> str:
    first, second = re.findall(r"y = ([-+*/^\dx ()]+?)(?= [a-z]{2}|[,.?])", problem(prompt))
    difference = sympy.expand(read(first) - read(second))
    roots = sorted(set(sympy.real_roots(sympy.Poly(difference, X))))
    return str(signed_pieces(difference, roots[0], roots[-1]))


class Dual:
    """A value and a derivative."""

    def __init__(self, value: Fraction, slope: Fraction) -> None:
        self.value, self.slope = value, slope

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.value + other.value, self.slope + other.slope)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Dual) -> Dual:
        return self + -other

    def __mul__(self, other: Dual) -> Dual:
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __truediv__(self, other: Dual) -> Dual:
        return Dual(self.value / other.value, (self.slope * other.value - self.value * other.slope) / other.value**2)


@prompt_solver("chain_rule_numeric")
def solve_chain_rule_numeric(prompt: str) -> str:
    text = problem(prompt)
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    rows = {int(row[0]): row[1:] for row in table[2:]}
    names = [cell.removesuffix("(x)") for cell in table[0][1:]]

    def function(name: str):  # type: ignore[no-untyped-def]
        return lambda inner: Dual(
            Fraction(rows[int(inner.value)][names.index(name)]), Fraction(rows[int(inner.value)][names.index(name + "'")]) * inner.slope
        )

    place = re.search(r"h'\((-?\d+)\)|at x = (-?\d+)", text)
    body = re.search(r"h\(x\) = (.*?)(?:\. |\.$| at x = )", text)
    assert place is not None
    assert body is not None
    gaps = [(x, i) for x, row in rows.items() for i, cell in enumerate(row) if cell == "?"]
    facts = re.findall(r"^\w\(x\) = (.*) has \w'\((\d+)\) = (\S+)\.$", text, re.MULTILINE)
    for values in product(rows, repeat=len(gaps)) if gaps else ():
        for (x, i), value in zip(gaps, values, strict=True):
            rows[x][i] = str(value)
        known = {name: function(name) for name in names if not name.endswith("'")}
        slopes = [
            evaluate(formula, {**known, "x": Dual(Fraction(x), Fraction(1))}, number=lambda n: Dual(Fraction(n), Fraction(0))).slope
            for formula, x, _ in facts
        ]
        if slopes == [Fraction(slope) for *_, slope in facts]:
            break
    known = {name: function(name) for name in names if not name.endswith("'")}
    known["x"] = Dual(Fraction(place[1] or place[2]), Fraction(1))  # type: ignore[assignment]
    return str(evaluate(body[1], known, number=lambda n: Dual(Fraction(n), Fraction(0))).slope)


@prompt_solver("critical_points")
def solve_critical_points(prompt: str) -> str:
    text = problem(prompt)
    f = read(between(text, "f(x) = ", ". "))
    question = text.split(". ", 1)[1]
    second = re.search(r"bend|f''|inflection|inflexion", question)
    poly = sympy.Poly(sympy.diff(f, X, 2 if second else 1), X)
    roots = sorted(set(sympy.real_roots(poly)))
    maxima, minima = re.search(r"maxim|highest", question), re.search(r"minim|lowest", question)
    if not (second or maxima or minima or re.search(r"extrem", question)):
        assert re.search(r"horizontal tangent|stationary|critical|derivative of f is 0|f'\(x\) = 0", question), question
        return ", ".join(map(out, roots)) or "none"
    ends = [roots[0] - 1, *roots, roots[-1] + 1] if roots else []
    signs = [poly.eval((a + b) / 2) > 0 for a, b in itertools.pairwise(ends)]
    changes = [(root, signs[i], signs[i + 1]) for i, root in enumerate(roots) if signs[i] != signs[i + 1]]
    found = [root for root, before, _ in changes if not (maxima and not before) and not (minima and before)]
    return ", ".join(map(out, found)) or "none"


@prompt_solver("definite_integral")
def solve_definite_integral(prompt: str) -> str:
    text = problem(prompt)
    a, b = (sympy.Rational(end) for end in re.findall(r"over x from (-?[\d/]+) to (-?[\d/]+) exactly", text)[0])
    pieces = re.findall(r"^f\(x\) = (.*) for (?:(-?[\d/]+) <=? )?x(?: (<|>=|<=|>) (-?[\d/]+))$", text, re.MULTILINE)
    if not pieces:
        pieces = [(between(text, "integral of ", " over x"), "", ">=", str(a))]
    total = sympy.Integer(0)
    for body, start, sign, end in pieces:
        border = sympy.Rational(end)
        low, high = (a, min(b, border)) if "<" in sign else (max(a, border), b)
        if start:
            low = max(low, sympy.Rational(start))
        if low >= high:
            continue
        if body.startswith("abs("):
            total += signed_pieces(read(body[4:-1]), low, high)
        else:
            assert "abs" not in body
            total += sympy.integrate(sympy.expand(read(body)), (X, low, high))
    return str(total)


@prompt_solver("derivative")
def solve_derivative(prompt: str) -> str:
    return out(sympy.diff(read(between(problem(prompt), "f(x) = ", " with respect")), X))


@prompt_solver("partial_derivatives")
def solve_partial_derivatives(prompt: str) -> str:
    text = problem(prompt)
    if "the equation z = " in text:
        return str(implicit_partial(text))
    body = re.search(r"f\((?:x, y|x, y, z)\) = (.*?)(?: with respect|, find|\. Diff|\.$)", text)
    order = re.search(r"with respect to ((?:first |then |[xyz],? ?)+)", text)
    assert body is not None
    assert order is not None
    value = read(body[1])
    for name in re.findall(r"\b[xyz]\b", order[1]):
        value = sympy.diff(value, sympy.Symbol(name))
    return out(value)


def implicit_partial(text: str) -> sympy.Expr:
    """The equation is differentiated again and again; at the origin each derivative of z follows from lower ones."""
    words = ("once", "twice", "three times", "four times")
    found = re.search(r"z = (.*) defines .* Differentiate z (.*) with respect to x and (.*) with respect to y", text)
    assert found is not None
    i, j = (words.index(word) + 1 for word in found.groups()[1:])
    z = sympy.Function("z")(X, Y)
    right, known = read(found[1]).subs(sympy.Symbol("z"), z), {(0, 0): sympy.Integer(0)}
    for total in range(1, i + j + 1):
        for a in range(min(total, i) + 1):
            b = total - a
            if b > j:
                continue
            value = sympy.diff(right, *[X] * a, *[Y] * b).doit()
            unknown = sympy.Symbol("unknown")
            derivatives = sorted(value.atoms(sympy.Derivative), key=lambda each: -sum(n for _, n in each.variable_count))
            for each in derivatives:
                counts = dict(each.variable_count)
                powers = (counts.get(X, 0), counts.get(Y, 0))
                value = value.subs(each, unknown if powers == (a, b) else known[powers])
            value = value.subs(z, 0).subs({X: 0, Y: 0})
            known[a, b] = sympy.solve(value - unknown, unknown)[0]
    return known[i, j]


@prompt_solver("implicit_derivative")
def solve_implicit_derivative(prompt: str) -> str:
    text = problem(prompt)
    left, right = re.search(r"(?:curve|equation) (.* = -?\d+)(?=[ ,.])", text)[1].split(" = ")  # type: ignore[index]
    x, y = map(int, re.findall(r"\((-?\d+), (-?\d+)\)", text)[0])
    count = ("first", "second", "third").index(re.search(r"(first|second|third) derivative", text)[1]) + 1  # type: ignore[index]
    slopes = [sympy.Symbol(f"y{i}") for i in range(1, count + 1)]
    names = [Y, *slopes]
    equation, values = read(left) - read(right), {X: sympy.Integer(x), Y: sympy.Integer(y)}
    for i in range(count):
        equation = sympy.diff(equation, X) + sum(sympy.diff(equation, names[j]) * names[j + 1] for j in range(i + 1))
        at = sympy.expand(equation.subs(values))
        values[slopes[i]] = -at.coeff(slopes[i], 0) / at.coeff(slopes[i], 1)
    return str(values[slopes[-1]])


@prompt_solver("integral")
def solve_integral(prompt: str) -> str:
    if "elementary antiderivative" in prompt:
        return antiderivative_with_unknown_coefficients(read(between(prompt, "f(x) = ", " has an elementary")))
    body = read(between(problem(prompt), "f(x) = ", " for positive x"))
    x = sympy.Symbol("x", positive=True)
    return out(sum(sympy.integrate(term.subs(X, x), x) for term in sympy.Add.make_args(body)))


def antiderivative_with_unknown_coefficients(f: sympy.Expr) -> str:
    """A Laurent polynomial times the exponential, with coefficients that make its derivative the function."""
    (power,) = f.atoms(sympy.exp)
    rational = sympy.expand(f / power)
    names = sympy.symbols("c0:9")
    rest = sum(name * X ** (k - 3) for k, name in enumerate(names))
    difference = sympy.expand((sympy.diff(rest, X) + sympy.diff(power.args[0], X) * rest - rational) * X**9)
    unknown = [*names, *sorted(f.free_symbols - {X}, key=str)]
    (solution,) = sympy.linsolve(sympy.Poly(difference, X).coeffs(), unknown)
    return out(rest.subs(dict(zip(unknown, solution, strict=True))) * power)


@prompt_solver("numerical_root_digits")
def solve_numerical_root_digits(prompt: str) -> str:
    text = problem(prompt)
    low, high = map(int, re.findall(r"(?:between|from) (\d+) (?:and|to) (\d+)", text, re.IGNORECASE)[0])
    digits = int(re.search(r"(\d+) digits? after", text)[1])  # type: ignore[index]
    body = re.search(r"f\(x\) = ([-+*/^\dx ()]*x[-+*/^\dx ()]*?)(?= [a-z]{2}|[,.?])", text)
    assert body is not None
    unit = 10**digits
    a, b = low * unit, high * unit
    at = lambda n: evaluate(body[1], {"x": Fraction(n, unit)})  # noqa: E731
    rising = at(b) > 0
    while b - a > 1:
        middle = (a + b) // 2
        a, b = (middle, b) if (at(middle) > 0) != rising or at(middle) == 0 else (a, middle)
    return f"{a // unit}.{a % unit:0{digits}d}"


@prompt_solver("riemann_bound")
def solve_riemann_bound(prompt: str) -> str:
    """The best partition with points on a fine grid, by dynamic programming over the number of pieces."""
    text = problem(prompt)
    body = re.search(r"f\(x\) = (.*?)(?: are| differ|\. | over)", text)
    ends = re.search(r"\[(-?\d+), (-?\d+)\]|(-?\d+) = p_0 < .* = (-?\d+),|from (-?\d+) to (-?\d+)", text)
    assert body is not None
    assert ends is not None
    pieces = int(re.search(r"at most (\d+) pieces", text)[1])  # type: ignore[index]
    bound = Fraction(re.search(r"(?:less than|lower sum plus) (\d+(?:/\d+)?)", text)[1])  # type: ignore[index]
    low, high = (int(end) for end in ends.groups() if end)
    steps = 120
    grid = [low + Fraction((high - low) * i, steps) for i in range(steps + 1)]
    values = [float(evaluate(body[1], {"x": point})) for point in grid]
    turning = [float(root) for root in sympy.Poly(sympy.diff(read(body[1]), X), X).nroots() if root.is_real and low < root < high]
    at_turning = [float(read(body[1]).subs(X, root)) for root in turning]
    width = (high - low) / steps

    def gap(i: int, j: int) -> float:
        inside = [value for root, value in zip(turning, at_turning, strict=True) if grid[i] < root < grid[j]]
        return (max(*values[i : j + 1], *inside) - min(*values[i : j + 1], *inside)) * width * (j - i)

    gaps = {(i, j): gap(i, j) for i in range(steps + 1) for j in range(i + 1, steps + 1)}
    best = [(0.0 if i == 0 else float("inf"), (0,)) for i in range(steps + 1)]
    for _ in range(pieces):
        best = [min([best[j]] + [(best[i][0] + gaps[i, j], (*best[i][1], j)) for i in range(j)]) for j in range(steps + 1)]
    assert best[-1][0] < bound, (best[-1][0], bound)
    return ", ".join(str(grid[i]) for i in best[-1][1])


@prompt_solver("tangent_normal")
def solve_tangent_normal(prompt: str) -> str:
    text = problem(prompt)
    body = re.search(r"y = (.*?)(?: in \(| at (?:the point )?\(|\. |$)", text)
    a, b = (sympy.Rational(part) for part in re.findall(r"\((-?[\d/]+), (-?[\d/]+)\)", text)[0])
    assert body is not None
    slope = sympy.nsimplify(sympy.diff(read(body[1]), X).subs(X, a))
    if "normal" in text:
        return f"x = {a}" if slope == 0 else f"y = {b} - (x - ({a}))/({slope})"
    return f"y = {b} + ({slope})*(x - ({a}))"
