"""How many solutions f(f(x)) = x has for f(x) = h(x) + a, where h is made of lines and absolute values.

With y = f(x), the equation says h(x) + x = h(y) + y and a = y - h(x). The number of solutions changes only at those a for which x or y is a bend
of h.
"""

from fractions import Fraction

from rlgym.answers import trees
from rlgym.generators.algebra import piecewise
from rlgym.generators.algebra.piecewise import GRAMMAR, Piece


def partner_function(h: str) -> list[Piece]:
    """h(x) + x in pieces."""
    return piecewise.pieces(trees.Apply("+", (trees.read(h, GRAMMAR), trees.Name("x"))))


def partners(h: str, bend: Fraction) -> list[Fraction]:
    """The y with h(y) + y = h(bend) + bend; where they fill intervals, the ends of these."""
    function = partner_function(h)
    value = piecewise.value_at(function, bend)
    isolated = piecewise.arguments(function, value)
    if isolated is not None:
        return isolated
    ends = {end for piece in function for end in (piece.low, piece.high) if end is not None and piecewise.value_at(function, end) == value}
    crossings = {(value - piece.rest) / piece.slope for piece in function if piece.slope}
    return sorted(ends | {x for x in crossings if piecewise.value_at(function, x) == value})


def turning_values(h: str) -> list[Fraction]:
    """The a at which the number of solutions may change."""
    pieces = piecewise.pieces(trees.read(h, GRAMMAR))
    found = set()
    for bend in piecewise.bends(pieces):
        for other in partners(h, bend):
            found |= {other - piecewise.value_at(pieces, bend), bend - piecewise.value_at(pieces, other)}
    return sorted(found)


def solution_count(pieces: list[Piece], a: Fraction) -> int | None:
    """The number of solutions for one a, where the pieces are those of h; None for infinitely many."""
    found = set[Fraction]()
    for first in pieces:
        rest = first.rest + a
        for second in pieces:
            # second.slope * y + second.rest + a = x with y = first.slope * x + rest
            factor, right = 1 - second.slope * first.slope, second.slope * rest + second.rest + a
            if factor:
                x = right / factor
                found |= {x} if first.holds(x) and second.holds(first.slope * x + rest) else set()
            elif not right:
                # Then the slopes are no 0, and y runs through an interval as x does.
                ends = sorted(first.slope * x + rest for x in (first.low, first.high) if x is not None)
                inner = _middle(first, second, rest)
                if inner is not None:
                    return None
                found |= {(y - rest) / first.slope for y in (second.low, second.high) if y is not None and y in ends}
    return len(found)


def _middle(first: Piece, second: Piece, rest: Fraction) -> Fraction | None:
    """An x inside the first piece whose y = first.slope * x + rest lies inside the second; None if there is none."""
    bounds = [(first.low, first.high)]
    ends = [None if y is None else (y - rest) / first.slope for y in (second.low, second.high)]
    bounds.append((ends[0], ends[1]) if first.slope > 0 else (ends[1], ends[0]))
    low = max((bound for bound, _ in bounds if bound is not None), default=None)
    high = min((bound for _, bound in bounds if bound is not None), default=None)
    if low is None or high is None:
        return Fraction(0) if low is None and high is None else (low if low is not None else high)
    return (low + high) / 2 if low < high else None


def count_table(h: str) -> list[tuple[Fraction | None, Fraction | None, int | None]]:
    """The number of solutions for each a: (low, high, count) for an open interval, (a, a, count) for a value where it may change."""
    turns, pieces = turning_values(h), piecewise.pieces(trees.read(h, GRAMMAR))
    table: list[tuple[Fraction | None, Fraction | None, int | None]] = [(None, turns[0], solution_count(pieces, turns[0] - 1))]
    for value, following in zip(turns, [*turns[1:], None]):
        between = value + 1 if following is None else (value + following) / 2
        table += [(value, value, solution_count(pieces, value)), (value, following, solution_count(pieces, between))]
    return table


def isolated_values(table: list[tuple[Fraction | None, Fraction | None, int | None]], count: int) -> tuple[Fraction, ...]:
    """The a with exactly that many solutions; empty if they fill an interval."""
    rows = [(low, high) for low, high, found in table if found == count]
    return tuple(low for low, high in rows if low is not None) if all(low == high for low, high in rows) else ()
