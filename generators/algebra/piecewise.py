"""Functions made of lines and absolute values, cut into the pieces on which they are one line."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rlgym.answers import trees
from rlgym.answers.trees import Name, Number, Tree, Undefined

GRAMMAR = trees.Grammar(("x",), ("abs",), most_characters=4000, most_nodes=600)


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
    one, *others = (pieces(part) for part in tree.parts)
    if tree.head == "neg":
        return [_scaled(piece, Fraction(-1)) for piece in one]
    if tree.head == "abs":
        return [half for piece in one for half in _folded(piece)]
    other = others[0]
    if tree.head in "+-":
        sign = Fraction(1 if tree.head == "+" else -1)
        return _sum(one, [_scaled(piece, sign) for piece in other])
    if tree.head == "*" and len(one) == 1 and not one[0].slope:
        return [_scaled(piece, one[0].rest) for piece in other]
    if tree.head == "/" and len(other) == 1 and not other[0].slope and other[0].rest:
        return [_scaled(piece, 1 / other[0].rest) for piece in one]
    raise Undefined("not made of lines and absolute values")


def _scaled(piece: Piece, by: Fraction) -> Piece:
    return Piece(piece.low, piece.high, by * piece.slope, by * piece.rest)


def _folded(piece: Piece) -> list[Piece]:
    zero = piece.zero
    if zero is None or not piece.holds(zero) or zero in (piece.low, piece.high):
        inner = Fraction(0)
        if piece.slope:
            ends = [end for end in (piece.low, piece.high) if end is not None]
            inner = (ends[0] + ends[-1]) / 2 if len(ends) == 2 else ends[0] + (1 if piece.low is not None else -1)
        return [piece if piece.slope * inner + piece.rest >= 0 else _scaled(piece, Fraction(-1))]
    halves = Piece(piece.low, zero, piece.slope, piece.rest), Piece(zero, piece.high, piece.slope, piece.rest)
    return [_scaled(half, Fraction(-1)) if (half is halves[0]) == (piece.slope > 0) else half for half in halves]


def _sum(one: list[Piece], other: list[Piece]) -> list[Piece]:
    ends = sorted({end for piece in (*one, *other) for end in (piece.low, piece.high) if end is not None})
    out = []
    for low, high in zip([None, *ends], [*ends, None]):
        parts = [next(piece for piece in side if _covers(piece, low, high)) for side in (one, other)]
        out.append(Piece(low, high, parts[0].slope + parts[1].slope, parts[0].rest + parts[1].rest))
    return out


def _covers(piece: Piece, low: Fraction | None, high: Fraction | None) -> bool:
    left = piece.low is None or (low is not None and piece.low <= low)
    return left and (piece.high is None or (high is not None and high <= piece.high))
