"""Houses in a row with clues about them: deduced, searched, explained. Where a thing can be is a mask, bit k for house k + 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rlgym.core.task import TaskData
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import list_numbers
from rlgym.generators.grids.paper import Choice, Contradiction, Paper, deducing, explain_deductions


class Clue(TaskData):
    """A statement about one, two or three things.

    Of two: `same`, `apart`, `left` (directly), `before` (somewhere to the left), `next`. Of one: `at` (the house), `end`
    (the first house or the last one, which is `house`). Of three: `between`, the first of them somewhere between the others.
    """

    kind: str
    things: tuple[int, ...]
    house: int = 0


@dataclass(frozen=True)
class Row:
    """`houses` houses; things 0 .. houses * traits - 1, those of one trait in a run; each thing in one house, one of a trait in each."""

    houses: int
    traits: int
    clues: tuple[Clue, ...]
    names: tuple[str, ...] = ()  # of the houses that the things stand for, such as `the red house`

    def of_trait(self, thing: int) -> range:
        first = thing // self.houses * self.houses
        return range(first, first + self.houses)


def holds(clue: Clue, places: Sequence[int]) -> bool:
    """Whether a clue is true when thing i is in house places[i], counted from 0."""
    a, b, c = (*(places[thing] for thing in clue.things), 0, 0)[:3]
    match clue.kind:
        case "same":
            return a == b
        case "apart":
            return a != b
        case "left":
            return a + 1 == b
        case "before":
            return a < b
        case "next":
            return abs(a - b) == 1
        case "between":
            return b < a < c or c < a < b
        case "at":
            return a == clue.house
        case _:
            return a in (0, clue.house)


def propagate_clue(clue: Clue, can: Sequence[int]) -> tuple[int, ...]:
    """What a clue alone leaves of the masks of its things."""
    mask = can[clue.things[0]]
    if clue.kind == "at":
        return (mask & 1 << clue.house,)
    if clue.kind == "end":
        return (mask & (1 | 1 << clue.house),)
    other = can[clue.things[1]]
    match clue.kind:
        case "same":
            return mask & other, mask & other
        case "apart":
            return (mask if other & other - 1 else mask & ~other), (other if mask & mask - 1 else other & ~mask)
        case "left":
            return mask & other >> 1, other & mask << 1
        case "before":
            return mask & _below(other), other & _above(mask)
        case "next":
            return mask & (other << 1 | other >> 1), other & (mask << 1 | mask >> 1)
        case _:
            third = can[clue.things[2]]
            # The two ways round: other, one, third and third, one, other.
            rising, falling = mask & _above(other) & _below(third), mask & _above(third) & _below(other)
            return (rising | falling, other & (_below(rising) | _above(falling)), third & (_above(rising) | _below(falling)))


def _below(mask: int) -> int:
    """The houses to the left of the last one of the mask; none if the mask is empty."""
    return (1 << mask.bit_length()) - 1 >> 1


def _above(mask: int) -> int:
    """The houses to the right of the first one of the mask, without an end; none if the mask is empty."""
    return -((mask & -mask) << 1)


def propagate(row: Row, can: list[int]) -> bool:
    """Constraint propagation; False if a thing has no house left, or a house no thing of a trait."""
    full_mask = (1 << row.houses) - 1
    changed = True
    while changed:
        changed = False
        for clue in row.clues:
            for thing, mask in zip(clue.things, propagate_clue(clue, can), strict=True):
                if mask != can[thing]:
                    if not mask:
                        return False
                    can[thing], changed = mask, True
        for first in range(0, row.houses * row.traits, row.houses):
            at_least_once = twice = alone = 0
            for thing in range(first, first + row.houses):
                mask = can[thing]
                if not mask & mask - 1:
                    if alone & mask:
                        return False
                    alone |= mask
                twice |= at_least_once & mask
                at_least_once |= mask
            if at_least_once != full_mask:
                return False
            only = at_least_once & ~twice
            for thing in range(first, first + row.houses):
                mask = can[thing]
                after = mask & only or (mask & ~alone if mask & mask - 1 else mask)
                if not after or (mask & only and after & after - 1):
                    return False
                if after != mask:
                    can[thing], changed = after, True
    return True


def backtrack(row: Row, budget: Budget | None = None) -> Iterator[tuple[int, ...]]:
    """Every way to place the things, as house numbers from 0; TooMuchWork when the budget of guesses is spent."""
    first = [(1 << row.houses) - 1] * (row.houses * row.traits)
    stack = [first] if propagate(row, first) else []
    while stack:
        can = stack.pop()
        open_things = [thing for thing, mask in enumerate(can) if mask & mask - 1]
        if not open_things:
            yield tuple(mask.bit_length() - 1 for mask in can)
            continue
        thing = min(open_things, key=lambda thing: can[thing].bit_count())
        candidates = can[thing]
        while candidates:
            bit = candidates & -candidates
            candidates ^= bit
            if budget:
                budget.spend()
            after = can.copy()
            after[thing] = bit
            if propagate(row, after):
                stack.append(after)


def plain_backtrack(row: Row) -> Iterator[tuple[int, ...]]:
    """Every way once more, without propagation: thing by thing, with each clue tested as soon as all of its things are placed."""
    order = _order_by_clues(row)
    ready = [[clue for clue in row.clues if max(map(order.index, clue.things)) == depth] for depth in range(len(order))]
    places = [-1] * len(order)

    def place_from(depth: int) -> Iterator[tuple[int, ...]]:
        if depth == len(order):
            yield tuple(places)
            return
        thing = order[depth]
        occupied = {places[other] for other in row.of_trait(thing)}
        for house in range(row.houses):
            if house not in occupied:
                places[thing] = house
                if all(holds(clue, places) for clue in ready[depth]):
                    yield from place_from(depth + 1)
        places[thing] = -1

    return place_from(0)


def _order_by_clues(row: Row) -> list[int]:
    """The things, each time the one that completes the most clues; among equals the one with the most clues that have been begun."""
    order: list[int] = []
    for _ in range(row.houses * row.traits):
        placed = set(order)
        open_counts = {
            thing: sorted(len(set(clue.things) - placed) for clue in row.clues if thing in clue.things)
            for thing in range(row.houses * row.traits)
            if thing not in placed
        }
        order.append(max(open_counts, key=lambda thing: ([open_counts[thing].count(number) for number in (1, 2, 3)], -thing)))
    return order


def explain(row: Row) -> list[str]:
    """The way to the only solution; clues are named by their numbers."""
    count = row.houses * row.traits
    return explain_deductions(_Things(row, [(1 << row.houses) - 1] * count, [False] * count))[1:]


class _Things(Paper):
    def __init__(self, row: Row, can: list[int], done: list[bool]) -> None:
        self.row, self.can, self.done = row, can, done

    def copy(self) -> _Things:
        return _Things(self.row, self.can.copy(), self.done.copy())

    def open(self) -> list[tuple[Choice, ...]]:
        things = sorted((t for t, done in enumerate(self.done) if not done), key=lambda t: self.can[t].bit_count())
        return [tuple((t, 1 << k) for k in range(self.row.houses) if self.can[t] >> k & 1) for t in things]

    def assign(self, choice: Choice) -> None:
        thing, bit = choice
        self.can[thing], self.done[thing] = bit, True
        for other in self.row.of_trait(thing):
            if other != thing:
                self._cut(other, ~bit)

    def eliminate(self, choice: Choice) -> None:
        self._cut(choice[0], ~choice[1])

    def claim(self, choice: Choice) -> str:
        return f"{self.row.names[choice[0]]} is number {choice[1].bit_length()}"

    def denial(self, choice: Choice) -> str:
        return f"{self.row.names[choice[0]]} is not number {choice[1].bit_length()}"

    def may_fail(self, choice: Choice) -> bool:
        can = self.can.copy()
        can[choice[0]] = choice[1]
        return not propagate(self.row, can)

    def next(self) -> tuple[str, str] | None:
        return self._alone() or self._only() or self._from_clues()

    def _alone(self) -> tuple[str, str] | None:
        for thing, mask in enumerate(self.can):
            if not self.done[thing] and not mask & mask - 1:
                with deducing(claim := self.claim((thing, mask))):
                    self.assign((thing, mask))
                return claim, "no other number is left for it"
        return None

    def _only(self) -> tuple[str, str] | None:
        for first in range(0, len(self.can), self.row.houses):
            for house in range(self.row.houses):
                things = [thing for thing in self.row.of_trait(first) if self.can[thing] >> house & 1]
                if not things:
                    raise Contradiction(f"nothing like {self.row.names[first]} is left for number {house + 1}")
                if len(things) == 1 and not self.done[things[0]]:
                    with deducing(claim := self.claim((things[0], 1 << house))):
                        self.assign((things[0], 1 << house))
                    return claim, "nothing else of its kind can be there"
        return None

    def _from_clues(self) -> tuple[str, str] | None:
        for number, clue in enumerate(self.row.clues, 1):
            for thing, mask in zip(clue.things, propagate_clue(clue, self.can), strict=True):
                if self.can[thing] & ~mask:
                    eliminated = self.can[thing] & ~mask
                    with deducing(claim := f"{self.row.names[thing]} is not number {list_numbers(eliminated, ' or ')}"):
                        self._cut(thing, mask)
                    return claim, f"by clue {number}"
        return None

    def _cut(self, thing: int, mask: int) -> None:
        self.can[thing] &= mask
        if not self.can[thing]:
            raise Contradiction(f"no number is left for {self.row.names[thing]}")
