"""Equations compared by the points that satisfy them, and antiderivatives compared up to a constant."""

from __future__ import annotations

from rlgym.answers.trees import Apply, Tree, same
from rlgym.answers.trees.nodes import Name, walk
from rlgym.answers.trees.slopes import at, derivative

SHIFTED = "_"


def same_curve(expected: tuple[Tree, Tree], answer: tuple[Tree, Tree]) -> bool:
    """Whether one equation is the other one multiplied by a constant that is not 0, as 2x + 4y = 3 and y = 3/4 - x/2 are.

    With f and g the differences of the sides, f(p) g(q) = f(q) g(p) for all points p and q, and neither is 0 everywhere.
    """
    f, g = (Apply("-", equation) for equation in (expected, answer))
    zero = Apply("-", (f, f))
    if same(zero, f) or same(zero, g):
        return same(zero, f) and same(zero, g)
    return same(Apply("*", (f, _elsewhere(g))), Apply("*", (_elsewhere(f), g)))


def _elsewhere(tree: Tree) -> Tree:
    """The tree at another point: every variable renamed."""
    for name in sorted({node.text for node in walk(tree) if isinstance(node, Name)} - {"pi", "e"}):
        tree = at(tree, name, Name(name + SHIFTED))
    return tree


def same_up_to_constant(expected: Tree, answer: Tree, name: str) -> bool:
    """Whether two expressions differ by a constant in `name` only: other names, such as C, stand for constants."""
    return same(derivative(expected, name), derivative(answer, name))
