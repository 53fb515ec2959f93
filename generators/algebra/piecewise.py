"""Functions made of lines and absolute values, cut into the pieces on which they are one line."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rlgym.answers import trees
from rlgym.answers.trees import Name, Number, Tree, Undefined

GRAMMAR = trees.Grammar(("x",), ("abs",), max_characters=4000, max_nodes=600)


@dataclass(frozen=True)
class Piece:
    """slope*x + rest from low to high, both included; None is no end."""

    low: Fraction | None
    high: Fraction | None
    slope: Fraction
    rest: Fraction

    @property
    def zero(self) -> Fraction | None:
        return -self.rest / self.slope if self.slope else None

    def holds(self, x: Fraction) -> bool:
        return (self.low is None or self.low <= x) and (self.high is None or x <= self.high)


def pieces(tree: Tree) -> list[Piece]:
    """From left to right; neighbours may be the same line."""
    if isinstance(tree, Number):
        return [Piece(None, None, Fraction(0), tree.value)]
    if isinstance(tree, Name):
        return [Piece(None, None, Fraction(1), Fraction(0))]
    left, *others = (pieces(part) for part in tree.parts)
    if tree.head == "neg":
        return [_scale(piece, Fraction(-1)) for piece in left]
    if tree.head == "abs":
        return [half for piece in left for half in _fold(piece)]
    right = others[0]
    if tree.head in "+-":
        sign = Fraction(1 if tree.head == "+" else -1)
        return _sum(left, [_scale(piece, sign) for piece in right])
    if tree.head == "*" and len(left) == 1 and not left[0].slope:
        return [_scale(piece, left[0].rest) for piece in right]
    if tree.head == "/" and len(right) == 1 and not right[0].slope and right[0].rest:
        return [_scale(piece, 1 / right[0].rest) for piece in left]
    raise Undefined("not made of lines and absolute values")


def _scale(piece: Piece, by: Fraction) -> Piece:
    return Piece(piece.low, piece.high, by * piece.slope, by * piece.rest)


def _fold(piece: Piece) -> list[Piece]:
    zero = piece.zero
    if zero is None or not piece.holds(zero) or zero in (piece.low, piece.high):
        inner = Fraction(0)
        if piece.slope:
            ends = [end for end in (piece.low, piece.high) if end is not None]
            inner = (ends[0] + ends[-1]) / 2 if len(ends) == 2 else ends[0] + (1 if piece.low is not None else -1)
        return [piece if piece.slope * inner + piece.rest >= 0 else _scale(piece, Fraction(-1))]
    halves = Piece(piece.low, zero, piece.slope, piece.rest), Piece(zero, piece.high, piece.slope, piece.rest)
    return [_scale(half, Fraction(-1)) if (half is halves[0]) == (piece.slope > 0) else half for half in halves]


def _sum(left: list[Piece], right: list[Piece]) -> list[Piece]:
    ends = sorted({end for piece in (*left, *right) for end in (piece.low, piece.high) if end is not None})
    out = []
    for low, high in zip([None, *ends], [*ends, None]):
        parts = [next(piece for piece in side if _covers(piece, low, high)) for side in (left, right)]
        out.append(Piece(low, high, parts[0].slope + parts[1].slope, parts[0].rest + parts[1].rest))
    return out


def _covers(piece: Piece, low: Fraction | None, high: Fraction | None) -> bool:
    covers_low = piece.low is None or (low is not None and piece.low <= low)
    return covers_low and (piece.high is None or (high is not None and high <= piece.high))


def compose(outer: Tree, inner: Tree) -> Tree:
    """The outer formula with the inner one in place of x."""
    if isinstance(outer, trees.Apply):
        return trees.Apply(outer.head, tuple(compose(part, inner) for part in outer.parts))
    return inner if isinstance(outer, Name) else outer


def value_at(function: list[Piece], x: Fraction) -> Fraction:
    piece = next(piece for piece in function if piece.holds(x))
    return piece.slope * x + piece.rest


def bends(function: list[Piece]) -> list[Fraction]:
    """The ends of the pieces."""
    return sorted({piece.high for piece in function if piece.high is not None})


def arguments(function: list[Piece], value: Fraction) -> list[Fraction] | None:
    """The x with this value; None for infinitely many."""
    found = set()
    for piece in function:
        if piece.slope:
            x = (value - piece.rest) / piece.slope
            found |= {x} if piece.holds(x) else set()
        elif piece.rest == value and (piece.low is None or piece.low != piece.high):
            return None
    return sorted(found)
