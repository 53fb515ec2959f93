"""Numbers with one square root, in lowest terms, as expression trees."""

from fractions import Fraction
from math import isqrt

from rlgym.answers import trees
from rlgym.answers.trees import Tree, build


def square_free_part(d: int) -> tuple[int, int]:
    """The root of d as a number times the root of a number that no square divides."""
    outside, inside, rest, k = 1, 1, d, 2
    while k * k * k <= rest:  # what is left then has at most two prime factors
        if rest % k:
            k += 1
        elif rest % (k * k):
            inside, rest = inside * k, rest // k
        else:
            outside, rest = outside * k, rest // (k * k)
    if isqrt(rest) ** 2 == rest:
        return outside * isqrt(rest), inside
    return outside, inside * rest


def write_surd(p: Fraction, q: Fraction, d: int) -> Tree:
    """p + q*sqrt(d) as it is written, the root in lowest terms."""
    outside, inside = square_free_part(d)
    if inside == 1 or not q:
        return trees.number(p + q * (outside if inside == 1 else 0))
    factor = q * outside
    root: Tree = trees.Apply("sqrt", (trees.number(inside),))
    part = build.times(trees.number(abs(factor)), root)
    return build.add(trees.number(p), build.minus(part) if factor < 0 else part)


def square_root(square: Fraction) -> Tree:
    """The square root of a rational number."""
    return write_surd(Fraction(0), Fraction(1, square.denominator), square.numerator * square.denominator)
