"""Rational functions as quotients of two polynomials, identities between them, and roots of quadratics as constants."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from rlgym.answers import trees
from rlgym.answers.maths.layout import parts
from rlgym.answers.trees import Apply, Grammar, Tree, Undefined, build, same
from rlgym.answers.trees.reader import read

Coefficients = list[Fraction]


def identical(statement: str, grammar: Grammar) -> bool:
    """Whether all sides of a chain of equalities are the same function; a chain has two sides or more."""
    sides = [read(side, grammar) for side in parts(statement, "=")]
    return len(sides) > 1 and all(same(sides[0], side) for side in sides[1:])


def ratio(tree: Tree, name: str, max_degree: int) -> tuple[Coefficients, Coefficients]:
    """Numerator and denominator, not cancelled, from the constant term up; Undefined where the tree is no rational function."""
    try:
        return trees.polynomial(tree, name, max_degree), [Fraction(1)]
    except Undefined:
        if not isinstance(tree, Apply) or tree.head not in ("+", "-", "*", "/", "^", "neg"):
            raise
    top, below = ratio(tree.parts[0], name, max_degree)
    if tree.head == "neg":
        return [-a for a in top], below
    if tree.head == "^":
        exponent = build.constant(tree.parts[1])
        if exponent is None or exponent.denominator != 1 or abs(exponent) > max_degree:
            raise Undefined("not a rational function of that degree")
        if exponent < 0:
            top, below = below, top
        first = second = [Fraction(1)]
        for _ in range(abs(int(exponent))):
            first, second = _times(first, top, max_degree), _times(second, below, max_degree)
        return first, _divisor(second)
    right, under = ratio(tree.parts[1], name, max_degree)
    if tree.head == "*":
        return _times(top, right, max_degree), _times(below, under, max_degree)
    if tree.head == "/":
        return _times(top, under, max_degree), _divisor(_times(below, right, max_degree))
    sign = 1 if tree.head == "+" else -1
    if below == under:
        return _sum(top, [sign * a for a in right]), below
    return _sum(_times(top, under, max_degree), [sign * a for a in _times(right, below, max_degree)]), _times(below, under, max_degree)


def quadratic_roots(constant: Fraction, linear: Fraction, leading: Fraction) -> tuple[Tree, ...]:
    """The real roots from small to large, each once: rational numbers where they are, else surds in lowest terms."""
    inside = linear * linear - 4 * leading * constant
    middle, half = -linear / (2 * leading), 1 / (2 * abs(leading))
    if inside < 0:
        return ()
    outside, root = square_taken_out(inside)
    if root == 1 or not inside:
        ends = [middle - half * outside, middle + half * outside] if inside else [middle]
        return tuple(map(trees.number, ends))
    width = build.times(trees.number(half * outside), Apply("sqrt", (trees.number(root),)))
    return build.subtract(trees.number(middle), width), build.add(trees.number(middle), width)


def square_taken_out(number: Fraction) -> tuple[Fraction, int]:
    """(r, n) with whole = r^2 * n, where n is an integer in which no small square is left."""
    remaining = number.numerator * number.denominator
    outside = Fraction(1, number.denominator)
    exact = isqrt(remaining)
    if exact * exact == remaining:
        return outside * exact, 1
    factor = 2
    while factor * factor <= remaining and factor < 2000:
        while remaining % (factor * factor) == 0:
            remaining //= factor * factor
            outside *= factor
        factor += 1
    return outside, remaining


def _divisor(below: Coefficients) -> Coefficients:
    if not any(below):
        raise Undefined("division by zero")
    return below


def _sum(first: Sequence[Fraction], second: Sequence[Fraction]) -> Coefficients:
    size = max(len(first), len(second))
    out = [a + b for a, b in zip([*first, *[Fraction(0)] * (size - len(first))], [*second, *[Fraction(0)] * (size - len(second))])]
    while len(out) > 1 and not out[-1]:
        out.pop()
    return out


def _times(first: Sequence[Fraction], second: Sequence[Fraction], max_degree: int) -> Coefficients:
    if len(first) + len(second) - 2 > max_degree:
        raise Undefined("the degree is too high")
    out = [Fraction(0)] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            out[i + j] += a * b
    if any(a.numerator.bit_length() + a.denominator.bit_length() > 4000 for a in out):
        raise Undefined("a coefficient is too large")
    return out
