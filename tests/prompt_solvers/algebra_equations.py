"""Equations and inequalities in one or two unknowns."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise, product

import sympy

from prompt_solvers.parsing import evaluate, formula, problem, written
from prompt_solvers.registry import prompt_solver

X, Y = sympy.symbols("x y")


def equation_line(prompt: str) -> tuple[sympy.Expr, sympy.Expr]:
    """Both sides of the first line that is an equation."""
    line = next(line for line in problem(prompt).splitlines() if " = " in line)
    left, right = line.split(" = ")
    return formula(left), formula(right)


def real_roots(numerator: sympy.Expr) -> list[sympy.Expr]:
    """The real roots of a polynomial in x, all of them rational or square roots."""
    found: list[sympy.Expr] = []
    for factor, _ in sympy.factor_list(numerator, X)[1]:
        poly = sympy.Poly(factor, X)
        if poly.degree() <= 2:
            found += [root for root in sympy.roots(poly) if root.is_real]
        else:
            assert poly.count_roots() == 0, poly
    return found


@prompt_solver("absolute_value_equation")
def solve_absolute_value_equation(prompt: str) -> str:
    """Both sides are straight between the zeros of the absolute values, so that two values settle every piece."""
    if counted := re.search(r"Let f\(x\) = (.*?) \+ a, where .* the equation ([f(]*)x\)+ = x have exactly (\d+) different", prompt):
        return constants_with_count(counted[1], counted[2].count("f"), int(counted[3]))
    line = next(line for line in problem(prompt).splitlines() if " = " in line)
    left, right = line.split(" = ")

    def difference(x: Fraction) -> Fraction:
        return evaluate(f"{left} - ({right})", {"x": x, "abs": abs})

    breaks = set()
    for inner in re.findall(r"abs\(([^()]*)\)", line):
        start = evaluate(inner, {"x": Fraction(0)})
        breaks.add(-start / (evaluate(inner, {"x": Fraction(1)}) - start))
    points = sorted(breaks)
    ends = [points[0] - 1, *points, points[-1] + 1]
    found = set()
    for i in range(len(ends) - 1):
        a, b = ends[i], ends[i + 1]
        at_a, at_b = difference(a), difference(b)
        if at_a == at_b:
            assert at_a != 0
            continue
        root = a - at_a * (b - a) / (at_b - at_a)
        if (i == 0 or root >= a) and (i == len(ends) - 2 or root <= b):
            found.add(root)
    return ", ".join(map(str, found)) if found else "none"


def constants_with_count(text: str, times: int, count: int) -> str:
    """The a for which so many steps of f, `text` + a, lead exactly `count` numbers to themselves: the a at which a bend returns are tried."""

    def h(x: Fraction) -> Fraction:
        return evaluate(text, {"x": x, "abs": abs})

    zeros = set()
    for inner in re.findall(r"abs\(([^()]*)\)", text):
        start = evaluate(inner, {"x": Fraction(0)})
        zeros.add(-start / (evaluate(inner, {"x": Fraction(1)}) - start))
    far = Fraction(10**9)
    lines = []
    for low, high in pairwise([-far, *sorted(zeros), far]):
        slope = (h(high) - h(low)) / (high - low)
        lines.append((low, high, slope, h(low) - slope * low))

    def number(a: Fraction) -> float:
        found = set()
        for way in product(lines, repeat=times):
            low, high, factor, rest = -far, far, Fraction(1), Fraction(0)
            for left, right, slope, base in way:
                if factor:
                    ends = sorted(((left - rest) / factor, (right - rest) / factor))
                    low, high = max(low, ends[0]), min(high, ends[1])
                elif not left <= rest <= right:
                    low, high = far, -far
                factor, rest = slope * factor, slope * rest + base + a
            if factor == 1 and not rest and low < high:
                return float("inf")
            x = low if factor == 1 and not rest and low == high else rest / (1 - factor) if factor != 1 else far + 1
            found |= {x} if low <= x <= high else set()
        return len(found)

    turns = set()
    for bend in zeros:
        for way in product(lines, repeat=times - 1):
            # Along this way of pieces, the last place is a line in a.
            along, rest = Fraction(1), h(bend)
            for _, _, slope, base in way:
                along, rest = slope * along + 1, slope * rest + base
            if along:
                a = (bend - rest) / along
                x = bend
                for _ in range(times):
                    x = h(x) + a
                turns |= {a} if x == bend else set()
    return ", ".join(str(a) for a in sorted(turns) if number(a) == count)


@prompt_solver("exponential_logarithm_equation")
def solve_exponential_logarithm_equation(prompt: str) -> str:
    left, right = equation_line(prompt)
    if left.has(sympy.log):
        inner = [term.args[0] for term in sympy.Add.make_args(left) + sympy.Add.make_args(right)]
        product = sympy.prod(term.args[0] for term in sympy.Add.make_args(left))
        roots = real_roots(sympy.expand(product - right.args[0]))
        return ", ".join(written(root) for root in roots if all(term.subs(X, root) > 0 for term in inner)) or "none"
    line = next(line for line in problem(prompt).splitlines() if " = " in line)
    if right == 0:
        base = re.search(r"(\d+)\^", line)
        assert base is not None
        power = sympy.Symbol("x")
        quadratic = formula(line.split(" = ")[0].replace(f"{base[1]}^(2*x)", "x^2").replace(f"{base[1]}^x", "x"))
        return ", ".join(f"ln({written(root)})/ln({base[1]})" for root in real_roots(quadratic.subs(X, power)) if root > 0) or "none"
    found = re.fullmatch(r"(\d+)\^\((.*)\) = (\d+)\^\((.*)\)", line)
    assert found is not None
    ratio = sympy.nsimplify(sympy.log(int(found[1]), int(found[3])))
    assert ratio.is_rational
    return ", ".join(written(root) for root in real_roots(sympy.expand(ratio * formula(found[2]) - formula(found[4])))) or "none"


@prompt_solver("radical_equation")
def solve_radical_equation(prompt: str) -> str:
    """Squares until no root is left, and tries every root of the polynomial in the equation."""
    left, right = equation_line(prompt)
    first, *others = sympy.Add.make_args(left)
    rest = right - sum(others)
    polynomial = sympy.expand(first**2 - rest**2)
    radicals = [atom for atom in polynomial.atoms(sympy.Pow) if atom.exp == sympy.Rational(1, 2)]
    if radicals:
        factor = polynomial.coeff(radicals[0], 1)
        polynomial = sympy.expand((polynomial - factor * radicals[0]) ** 2 - factor**2 * radicals[0] ** 2)
    roots = {atom.base for atom in (left - right).atoms(sympy.Pow) if atom.exp == sympy.Rational(1, 2)}
    good = [
        root
        for root in real_roots(polynomial)
        if all(sympy.simplify(base.subs(X, root)) >= 0 for base in roots) and sympy.simplify((left - right).subs(X, root)) == 0
    ]
    return ", ".join(map(written, good)) or "none"


def fractions_of(text: str) -> tuple[sympy.Expr, list[sympy.Expr]]:
    """A sum of fractions as one numerator and denominator, and all denominators that are written in it."""
    denominators = [sympy.sympify(part.replace("^", "**")) for part in re.findall(r"/(\((?:[^()]|\([^()]*\))*\)|[\w]+)", text)]
    return formula(text), denominators


@prompt_solver("rational_equation")
def solve_rational_equation(prompt: str) -> str:
    line = next(line for line in problem(prompt).splitlines() if " = " in line)
    left, right = line.split(" = ")
    expression, denominators = fractions_of(f"{left} - ({right})")
    numerator = sympy.fraction(sympy.together(expression))[0]
    roots = [root for root in real_roots(numerator) if all(sympy.expand(below.subs(X, root)) != 0 for below in denominators)]
    return ", ".join(map(written, roots)) or "none"


@prompt_solver("solve_inequality")
def solve_inequality(prompt: str) -> str:
    """Tries one number in every interval between the zeros and the poles, and those points themselves."""
    line = next(line for line in problem(prompt).splitlines() if re.search(r" (<|>|<=|>=) ", line))
    left, sign, right = re.split(r" (<=|>=|<|>) ", line)
    expression, denominators = fractions_of(f"({left}) - ({right})")
    numerator, denominator = sympy.fraction(sympy.cancel(sympy.together(expression)))
    poles = {root for below in denominators for root in real_roots(below)}
    points = sorted(poles | set(real_roots(numerator)), key=lambda root: root.evalf(50))
    test = {"<": lambda v: v < 0, ">": lambda v: v > 0, "<=": lambda v: v <= 0, ">=": lambda v: v >= 0}[sign]
    value = lambda x: sympy.simplify((numerator / denominator).subs(X, x))  # noqa: E731
    parts = []
    ends = [-sympy.oo, *points, sympy.oo]
    for i in range(len(ends) - 1):
        a, b = ends[i], ends[i + 1]
        if i > 0 and a not in poles and test(value(a)):
            parts.append("{" + written(a) + "}")
        if len(ends) == 2:
            middle = sympy.Integer(0)
        elif i in (0, len(ends) - 2):
            middle = b - 1 if i == 0 else a + 1
        else:
            middle = sympy.nsimplify(((a + b) / 2).evalf(30), rational=True)
        if test(value(middle)):
            parts.append(f"({written(a)}, {written(b)})")
    return " U ".join(parts) or "{}"


@prompt_solver("system_nonlinear")
def solve_system_nonlinear(prompt: str) -> str:
    sides = [line[4:].split(" = ") for line in problem(prompt).splitlines() if re.match(r"\(\d\) ", line)]
    first, second = (sympy.expand(formula(left) - formula(right)) for left, right in sides)
    rows = []
    for x in real_roots(sympy.resultant(first, second, Y)) if first.has(X) or second.has(X) else []:
        ys = [
            set(sympy.roots(sympy.Poly(sympy.expand(part.subs(X, x)), Y))) if sympy.expand(part.subs(X, x)) != 0 else None
            for part in (first, second)
        ]
        common = [y for y in (ys[0] if ys[0] is not None else ys[1]) or [] if y.is_real]
        rows += [[x, y] for y in common if sympy.simplify(second.subs({X: x, Y: y})) == 0 == sympy.simplify(first.subs({X: x, Y: y}))]
    return "[" + ", ".join(f"[{written(x)}, {written(y)}]" for x, y in rows) + "]"
