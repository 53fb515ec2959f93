"""How many solutions f(f(x)) = x or f(f(f(x))) = x has for f(x) = h(x) + a, where h is made of lines and absolute values.

The number of solutions changes only at those a for which a bend of h comes back to itself. For two steps there is a shorter way to these a: with
y = f(x), the equation says h(x) + x = h(y) + y and a = y - h(x).

There are two routes to the counts: `count_table` follows the bends and then counts for each a, `cycle_table` follows each sequence of pieces that x
can run through.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from rlgym.answers import trees
from rlgym.generators.algebra import piecewise
from rlgym.generators.algebra.piecewise import GRAMMAR, Piece

End = Fraction | None


@dataclass(frozen=True)
class Branch:
    """slope*u + rest for u from low to high, both included; None is no end. On it a number of steps of f is one line in u."""

    low: End
    high: End
    slope: Fraction
    rest: Fraction


@dataclass(frozen=True)
class Cycle:
    """The solution slope*a + rest for a from low to high, whose steps run through one sequence of pieces."""

    low: End
    high: End
    slope: Fraction
    rest: Fraction
    is_interval: bool = False  # it is one of infinitely many

    def holds(self, a: Fraction) -> bool:
        return (self.low is None or self.low <= a) and (self.high is None or a <= self.high)


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


def bend_returns(h: str, bend: Fraction, times: int) -> list[Fraction]:
    """The a for which so many steps of f lead from a bend to itself; where they fill intervals, the ends of these."""
    pieces = piecewise.pieces(trees.read(h, GRAMMAR))
    found = set[Fraction]()
    first = Branch(None, None, Fraction(1), piecewise.value_at(pieces, bend))
    for branch in _branches(pieces, first, times - 1, Fraction(1), Fraction(0)):
        if branch.slope:
            a = (bend - branch.rest) / branch.slope
            found |= {a} if _lies_in(a, branch) else set()
        elif branch.rest == bend:
            found |= {end for end in (branch.low, branch.high) if end is not None}
    return sorted(found)


def turning_values(h: str, times: int) -> list[Fraction]:
    """The a at which the number of solutions may change."""
    bends = piecewise.bends(piecewise.pieces(trees.read(h, GRAMMAR)))
    return sorted({a for bend in bends for a in bend_returns(h, bend, times)})


def solution_count(pieces: list[Piece], a: Fraction, times: int) -> int | None:
    """The number of solutions for one a, where the pieces are those of h; None for infinitely many."""
    found = set[Fraction]()
    for branch in _branches(pieces, Branch(None, None, Fraction(1), Fraction(0)), times, Fraction(0), a):
        if branch.slope != 1:
            x = branch.rest / (1 - branch.slope)
            found |= {x} if _lies_in(x, branch) else set()
        elif not branch.rest:
            if branch.low is None or branch.low != branch.high:
                return None
            found.add(branch.low)
    return len(found)


def count_table(h: str, times: int) -> list[tuple[End, End, int | None]]:
    """The number of solutions for each a: (low, high, count) for an open interval, (a, a, count) for a value where it may change."""
    turns, pieces = turning_values(h, times), piecewise.pieces(trees.read(h, GRAMMAR))
    table: list[tuple[End, End, int | None]] = [(None, turns[0], solution_count(pieces, turns[0] - 1, times))]
    for value, following in zip(turns, [*turns[1:], None]):
        between = value + 1 if following is None else (value + following) / 2
        table += [(value, value, solution_count(pieces, value, times)), (value, following, solution_count(pieces, between, times))]
    return table


def cycle_table(h: str, times: int) -> list[tuple[End, End, int | None]] | None:
    """The same as `count_table`, from the cycles through each sequence of pieces; None for a sequence that fits the equation for an interval of a."""
    pieces = piecewise.pieces(trees.read(h, GRAMMAR))
    if times == 2 and any(piece.slope == -1 for piece in pieces):
        return None
    cycles = [cycle for sequence in product(pieces, repeat=times) if (cycle := _cycle(sequence)) is not None]
    turns = sorted({end for cycle in cycles for end in (cycle.low, cycle.high) if end is not None})
    if not turns:
        return None
    table: list[tuple[End, End, int | None]] = [(None, turns[0], sum(cycle.holds(turns[0] - 1) for cycle in cycles))]
    for value, following in zip(turns, [*turns[1:], None]):
        holding = [cycle for cycle in cycles if cycle.holds(value)]
        infinite = any(cycle.is_interval for cycle in holding)
        between = value + 1 if following is None else (value + following) / 2
        table.append((value, value, None if infinite else len({cycle.slope * value + cycle.rest for cycle in holding})))
        table.append((value, following, sum(cycle.holds(between) for cycle in cycles)))
    return table


def _cycle(sequence: Sequence[Piece]) -> Cycle | None:
    # After some steps, x has become factor*x + along*a + rest.
    factor, along, rest = Fraction(1), Fraction(0), Fraction(0)
    places = []
    for piece in sequence:
        places.append((factor, along, rest))
        factor, along, rest = piece.slope * factor, piece.slope * along + 1, piece.slope * rest + piece.rest
    if factor == 1:
        # Only for one a, and then for every x that runs through these pieces.
        a = -rest / along
        low, high = _bounds((piece, slope, on * a + start) for piece, (slope, on, start) in zip(sequence, places, strict=True))
        if low is not None and high is not None and low > high:
            return None
        middle = low if low is not None else high
        return Cycle(a, a, Fraction(0), middle or Fraction(0), is_interval=low is None or low != high)
    slope, start = along / (1 - factor), rest / (1 - factor)
    steps = [(piece, share * slope + on, share * start + base) for piece, (share, on, base) in zip(sequence, places, strict=True)]
    if any(not rise and not piece.holds(base) for piece, rise, base in steps):
        return None
    low, high = _bounds(step for step in steps if step[1])
    return Cycle(low, high, slope, start) if low is None or high is None or low <= high else None


def _bounds(steps: Iterable[tuple[Piece, Fraction, Fraction]]) -> tuple[End, End]:
    """The least and the greatest u such that rise*u + base lies in its piece for each step; low is above high where there is none."""
    low: End = None
    high: End = None
    for piece, rise, base in steps:
        ends = [None if end is None else (end - base) / rise for end in (piece.low, piece.high)]
        below, above = ends if rise > 0 else ends[::-1]
        low = below if low is None or (below is not None and below > low) else low
        high = above if high is None or (above is not None and above < high) else high
    return low, high


def _branches(pieces: list[Piece], branch: Branch, times: int, slope: Fraction, rest: Fraction) -> Iterator[Branch]:
    """What becomes of a branch by so many steps, each of which applies h and adds slope*u + rest."""
    if not times:
        yield branch
        return
    for piece in pieces:
        low, high = branch.low, branch.high
        if branch.slope:
            bounds = [None if end is None else (end - branch.rest) / branch.slope for end in (piece.low, piece.high)]
            below, above = bounds if branch.slope > 0 else bounds[::-1]
            low = below if low is None or (below is not None and below > low) else low
            high = above if high is None or (above is not None and above < high) else high
        elif not piece.holds(branch.rest):
            continue
        if low is None or high is None or low <= high:
            following = Branch(low, high, piece.slope * branch.slope + slope, piece.slope * branch.rest + piece.rest + rest)
            yield from _branches(pieces, following, times - 1, slope, rest)


def _lies_in(value: Fraction, branch: Branch) -> bool:
    return (branch.low is None or branch.low <= value) and (branch.high is None or value <= branch.high)


def isolated_values(table: list[tuple[End, End, int | None]], count: int) -> tuple[Fraction, ...]:
    """The a with exactly that many solutions; empty if they fill an interval."""
    rows = [(low, high) for low, high, found in table if found == count]
    return tuple(low for low, high in rows if low is not None) if all(low == high for low, high in rows) else ()
