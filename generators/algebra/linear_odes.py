"""Solutions of linear differential equations of the first order and, with constant coefficients, of the second."""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.symbolic import X


def exponential(rate: int) -> Tree:
    return build.call("exp", build.times(trees.number(rate), X)) if rate else build.ONE


def homogeneous_solutions(left: Sequence[str], order: int) -> list[Tree]:
    """Solutions for 0 on the right side: from the zeros of the characteristic polynomial, or e to minus the integral of the coefficient."""
    if order == 1:
        coefficient = trees.polynomial(symbolic.read(left[0]), "x", 2)
        return [build.call("exp", symbolic.polynomial([-a for a in symbolic.antiderivative(coefficient)]))]
    c, b = (int(trees.exact(symbolic.read(factor))) for factor in left[:2])
    inside = b * b - 4 * c
    if inside < 0:
        angle = build.times(trees.number(isqrt(-inside) // 2), X)
        return [build.times(exponential(-b // 2), build.call(wave, angle)) for wave in ("cos", "sin")]
    first_rate, second_rate = (-b + isqrt(inside)) // 2, (-b - isqrt(inside)) // 2
    return [exponential(first_rate), build.times(X, exponential(first_rate)) if first_rate == second_rate else exponential(second_rate)]


def particular_solution(left: Sequence[str], order: int, written: str) -> Tree:
    """A solution for the right side q e^(rx): p e^(rx) with p'' + B p' + A p = q, or p' + (s + t x) p = q."""
    right = symbolic.read(written)
    q = trees.polynomial(symbolic.without_exponentials(right), "x", 8)
    powers = [node for node in trees.walk(right) if isinstance(node, Apply) and node.head == "exp"]
    rate = trees.polynomial(powers[0].parts[0], "x", 1)[1] if powers else Fraction(0)
    p = [Fraction(0)] * (len(q) + 3)
    if order == 1:
        low, high = [*trees.polynomial(symbolic.read(left[0]), "x", 2), Fraction(0)][:2]
        parts = (high, low + rate, Fraction(1))
    else:
        c, b = (trees.exact(symbolic.read(factor)) for factor in left[:2])
        parts = (rate * rate + b * rate + c, 2 * rate + b, Fraction(1))
    # Each part takes x^j to (part) x^(j + step), times j or j (j - 1) where it differentiates.
    first = 1 if order == 1 else 0
    skip = next(k for k, part in enumerate(parts) if part)
    for k in range(len(q) - 1, -1, -1):
        place = k + skip - first
        if place < 0:
            continue
        later = sum((parts[n] * _falling_factorial(k + n - first, n - first) * p[k + n - first] for n in range(skip + 1, 3)), Fraction(0))
        p[place] = (q[k] - later) / (parts[skip] * _falling_factorial(place, skip - first))
    return build.times(symbolic.polynomial(p), powers[0] if powers else build.ONE)


def _falling_factorial(power: int, times: int) -> int:
    """By what a power is multiplied when it is differentiated so often."""
    return 1 if times <= 0 else power if times == 1 else power * (power - 1)


def value_at_zero(tree: Tree, order: int) -> Fraction:
    """The value at 0 of a tree or its derivative: there exp and cos are 1, and sin is 0."""
    for _ in range(order):
        tree = trees.derivative(tree, "x")

    def value(part: Tree) -> Fraction:
        if not isinstance(part, Apply):
            return trees.exact(part, {"x": Fraction(0)})
        if part.head in ("exp", "cos", "sin"):
            return Fraction(part.head != "sin")
        return trees.exact(Apply(part.head, tuple(trees.number(value(inner)) for inner in part.parts)))

    return value(tree)
