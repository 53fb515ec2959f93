"""Power series at 0 with exact coefficients, cut after a degree, of expressions in x and of one series y in x."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Name, Number, Tree
from rlgym.generators.algebra.symbolic import multiply

Series = list[Fraction]
HEADS = ("exp", "sin", "cos", "ln", "arctan")
"""Functions that are expanded where the series inside begins with 0, that of ln with 1."""


def taylor_coefficients(tree: Tree, degree: int, y: Series | None = None) -> Series:
    """The coefficients up to a degree, inner series put into outer ones; `y` is what the name y stands for."""
    size = degree + 1
    if isinstance(tree, Number):
        return [tree.value, *[Fraction(0)] * degree]
    if isinstance(tree, Name):
        own = (y or []) if tree.text == "y" else [Fraction(0), Fraction(1)]
        return [*own, *[Fraction(0)] * size][:size]
    left = taylor_coefficients(tree.parts[0], degree, y)
    if tree.head == "neg":
        return [-a for a in left]
    if tree.head == "^":
        out = [Fraction(1), *[Fraction(0)] * degree]
        for _ in range(int(trees.exact(tree.parts[1]))):
            out = multiply(out, left)[:size]
        return out
    if len(tree.parts) == 2:
        right = taylor_coefficients(tree.parts[1], degree, y)
        if tree.head == "*":
            return multiply(left, right)[:size]
        if tree.head == "/":
            return multiply(left, inverse(right))[:size]
        return [a + b if tree.head == "+" else a - b for a, b in zip(left, right, strict=True)]
    if tree.head in ("exp", "sin", "cos"):
        # A constant term of 0 makes the powers of the inner series vanish one degree after the other.
        signs = {"exp": (1, 1, 1, 1), "sin": (0, 1, 0, -1), "cos": (1, 0, -1, 0)}[tree.head]
        total, power = [Fraction(0)] * size, [Fraction(1), *[Fraction(0)] * degree]
        for k in range(size):
            total = [a + signs[k % 4] * b / factorial(k) for a, b in zip(total, power, strict=True)]
            power = multiply(power, left)[:size]
        return total
    slope = [k * a for k, a in enumerate(left)][1:]
    below = (
        left if tree.head == "ln" else [a + b for a, b in zip([Fraction(1), *[Fraction(0)] * degree], multiply(left, left), strict=False)]
    )
    return [Fraction(0), *(a / (k + 1) for k, a in enumerate(multiply(slope, inverse(below))[:degree]))]


def inverse(series: Series) -> Series:
    """The coefficients of one over a series."""
    out = [1 / series[0]]
    for k in range(1, len(series)):
        out.append(-sum((series[j] * out[k - j] for j in range(1, k + 1)), Fraction(0)) / series[0])
    return out


def functions(tree: Tree) -> list[Tree]:
    """The functions of which a tree is put together, from left to right, outermost only."""
    if not isinstance(tree, Apply):
        return []
    return [tree] if tree.head in HEADS else [function for part in tree.parts for function in functions(part)]
