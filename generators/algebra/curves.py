"""Lines and curves of degree 2 with integer coefficients in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from rlgym.generators.algebra import polynomials

Point = tuple[int, ...]
Curve = tuple[int, int, int, int, int, int]  # of x^2, x*y, y^2, x, y, 1
MONOMIALS = ("x^2", "x*y", "y^2", "x", "y", "")


def line_through(left: Point, right: Point) -> tuple[int, int, int]:
    """The line through two points as a*x + b*y + c, without a common factor."""
    a, b = left[1] - right[1], right[0] - left[0]
    c = -a * left[0] - b * left[1]
    common = gcd(a, b, c) * (-1 if (a, b) < (0, 0) else 1)
    return a // common, b // common, c // common


def twice_area(left: Point, right: Point, third: Point) -> int:
    """Twice the area of the triangle, with a sign; 0 where the points lie on one line."""
    return (right[0] - left[0]) * (third[1] - left[1]) - (right[1] - left[1]) * (third[0] - left[0])


def product(left: Sequence[int], right: Sequence[int]) -> Curve:
    """The curve that two lines make together."""
    (a, b, c), (d, e, f) = left, right
    return a * d, a * e + b * d, b * e, a * f + c * d, b * f + c * e, c * f


def primitive_curve(curve: Sequence[int]) -> tuple[Curve, int]:
    """The curve without its common factor, and that factor."""
    common = gcd(*curve)
    a, b, c, d, e, f = (number // common for number in curve)
    return (a, b, c, d, e, f), common


def text(curve: Sequence[int]) -> str:
    texts = []
    for number, monomial in zip(curve, MONOMIALS):
        size = "" if abs(number) == 1 and monomial else str(abs(number))
        texts += [("-" if number < 0 else "") + "*".join(filter(None, (size, monomial)))] if number else []
    return polynomials.join_terms(texts)


def value(curve: Sequence[int], x: int, y: int) -> int:
    return sum(a * b for a, b in zip(curve, (x * x, x * y, y * y, x, y, 1)))


def lies_on(line: Sequence[int], point: Sequence[int]) -> bool:
    return line[0] * point[0] + line[1] * point[1] + line[2] == 0
