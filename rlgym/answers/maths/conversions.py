"""Readings of one item as another: percentages as fractions, degrees as radians, nested lists as matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from rlgym.answers.maths.items import Item, Many, Matrix, Relation, Scalar
from rlgym.answers.trees import Apply, Name, Tree, number, walk

_DEGREE = Apply("/", (Name("pi"), number(Fraction(180))))


def without_percent(item: Item) -> Item:
    """The item with every percentage as a fraction: 50% as 1/2."""
    if isinstance(item, Scalar):
        return replace(item, tree=Apply("/", (item.tree, number(Fraction(100)))), percent=False) if item.percent else item
    if isinstance(item, Many):
        return replace(item, items=tuple(map(without_percent, item.items)))
    if isinstance(item, Relation):
        return replace(item, sides=tuple(map(without_percent, item.sides)))
    if isinstance(item, Matrix):
        return Matrix(tuple(tuple(map(without_percent, row)) for row in item.rows))
    return item


def readings(one: Scalar, other: Scalar) -> Iterator[tuple[Tree, Tree]]:
    """The pairs of trees as which two scalars can be meant.

    Degrees against an expression in pi are radians, else the sign is dropped. `2e-3` is an expression in e, or the number 0.002.
    """
    if one.degrees != other.degrees and _has_pi(other if one.degrees else one):
        factors = [Apply("*", (item.tree, _DEGREE)) if item.degrees else item.tree for item in (one, other)]
        yield factors[0], factors[1]
        return
    yield one.tree, other.tree
    if one.power_of_ten is not None or other.power_of_ten is not None:
        yield one.power_of_ten or one.tree, other.power_of_ten or other.tree


def as_matrix(item: Item) -> Matrix | None:
    """The matrix that a list of lists of equal length in square brackets spells; None of other items."""
    if isinstance(item, Matrix):
        return item
    if not isinstance(item, Many) or item.kind != "[]":
        return None
    rows = [row.items for row in item.items if isinstance(row, Many) and row.kind == "[]"]
    equal = len(rows) == len(item.items) and len({len(row) for row in rows}) == 1
    return Matrix(tuple(rows)) if equal else None


def _has_pi(item: Scalar) -> bool:
    return any(node == Name("pi") for node in walk(item.tree))
