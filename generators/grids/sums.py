"""Runs of cells that hold different digits from 1 to 9 with a given sum: deduced, searched, explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import list_numbers
from rlgym.generators.grids.paper import Choice, Contradiction, Paper, deducing, explain_deductions

WHOLE = 0b111111111


@dataclass(frozen=True)
class Sums:
    """The runs of a board: cells, their sum, and what a run is called; a cell lies in one or two runs."""

    cells: int
    runs: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    names: tuple[str, ...]
    places: tuple[str, ...]  # what each cell is called

    @cached_property
    def within(self) -> tuple[tuple[int, ...], ...]:
        """The runs of each cell."""
        return tuple(tuple(i for i, run in enumerate(self.runs) if cell in run) for cell in range(self.cells))


@cache
def digit_sets(count: int, total: int) -> tuple[int, ...]:
    """Every set of `count` different digits with this sum, as masks."""
    return tuple(sum(1 << d - 1 for d in digits) for digits in combinations(range(1, 10), count) if sum(digits) == total)


def allowed_digits(sums: Sums, run: int, can: Sequence[int]) -> int:
    """The digits that may still occur in a run; 0 if the run cannot be filled."""
    cells = sums.runs[run]
    masks = [can[cell] for cell in cells]
    union = 0
    for mask in masks:
        union |= mask
    allowed = 0
    for option in digit_sets(len(cells), sums.totals[run]):
        if option & ~union == 0 and all(mask & option for mask in masks):
            allowed |= option
    return allowed


def propagate(sums: Sums, can: list[int], waiting: list[int]) -> bool:
    """Constraint propagation from the runs in `waiting`; False if some cell is left without a digit."""
    while waiting:
        run = waiting.pop()
        allowed = allowed_digits(sums, run, can)
        if not allowed:
            return False
        cells = sums.runs[run]
        for cell in cells:
            after = can[cell] & allowed
            if not after & after - 1:
                # A settled digit is gone for the rest of the run.
                for other in cells:
                    if other != cell and can[other] & after:
                        can[other] &= ~after
                        if not can[other]:
                            return False
                        waiting += (i for i in sums.within[other] if i not in waiting)
            if after != can[cell]:
                can[cell] = after
                if not after:
                    return False
                waiting += (i for i in sums.within[cell] if i not in waiting)
    return True


def backtrack(sums: Sums, can: Sequence[int], budget: Budget | None = None) -> Iterator[tuple[int, ...]]:
    """Every filling, as digits; TooMuchWork when the budget of guesses is spent."""
    first = list(can)
    if not propagate(sums, first, list(range(len(sums.runs)))):
        return
    stack = [first]
    while stack:
        domains = stack.pop()
        open_cells = [cell for cell in range(sums.cells) if domains[cell] & domains[cell] - 1]
        if not open_cells:
            if all(sum(domains[cell].bit_length() for cell in run) == total for run, total in zip(sums.runs, sums.totals)):
                yield tuple(mask.bit_length() for mask in domains)
            continue
        cell = min(open_cells, key=lambda cell: domains[cell].bit_count())
        candidates = domains[cell]
        while candidates:
            bit = candidates & -candidates
            candidates ^= bit
            if budget:
                budget.spend()
            after = domains.copy()
            after[cell] = bit
            if propagate(sums, after, list(sums.within[cell])):
                stack.append(after)


def plain_backtrack(sums: Sums, can: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every filling once more, cell by cell, looking only at sums so far and digits used: slow and plain."""
    digits = [0] * sums.cells

    def fits(cell: int) -> bool:
        for i in sums.within[cell]:
            filled = [digits[other] for other in sums.runs[i] if digits[other]]
            if len(set(filled)) < len(filled):
                return False
            missing, total_left = len(sums.runs[i]) - len(filled), sums.totals[i] - sum(filled)
            free = [d for d in range(1, 10) if d not in filled]
            if not sum(free[:missing]) <= total_left <= sum(free[len(free) - missing :]):
                return False
        return True

    def filled(cell: int) -> Iterator[tuple[int, ...]]:
        if cell == sums.cells:
            yield tuple(digits)
            return
        for digit in range(1, 10):
            if can[cell] >> digit - 1 & 1:
                digits[cell] = digit
                if fits(cell):
                    yield from filled(cell + 1)
        digits[cell] = 0

    yield from filled(0)


def explain(sums: Sums, can: Sequence[int]) -> list[str]:
    """The way from what each cell can be at first to the only solution."""
    return explain_deductions(_Digits(sums, list(can), [not mask & mask - 1 for mask in can]))


class _Digits(Paper):
    def __init__(self, sums: Sums, can: list[int], done: list[bool]) -> None:
        self.sums, self.can, self.done = sums, can, done

    def copy(self) -> _Digits:
        return _Digits(self.sums, self.can.copy(), self.done.copy())

    def open(self) -> list[tuple[Choice, ...]]:
        cells = sorted((c for c, done in enumerate(self.done) if not done), key=lambda c: self.can[c].bit_count())
        return [tuple((c, 1 << d) for d in range(9) if self.can[c] >> d & 1) for c in cells]

    def assign(self, choice: Choice) -> None:
        cell, bit = choice
        self.can[cell], self.done[cell] = bit, True
        for run in self.sums.within[cell]:
            for other in self.sums.runs[run]:
                if other != cell:
                    self._cut(other, ~bit)

    def eliminate(self, choice: Choice) -> None:
        self._cut(choice[0], ~choice[1])

    def claim(self, choice: Choice) -> str:
        return f"{self.sums.places[choice[0]]} = {choice[1].bit_length()}"

    def denial(self, choice: Choice) -> str:
        return f"{self.sums.places[choice[0]]} is not {choice[1].bit_length()}"

    def may_fail(self, choice: Choice) -> bool:
        can = self.can.copy()
        can[choice[0]] = choice[1]
        return not propagate(self.sums, can, list(self.sums.within[choice[0]]))

    def next(self) -> tuple[str, str] | None:
        for cell, mask in enumerate(self.can):
            if not self.done[cell] and not mask & mask - 1:
                with deducing(claim := self.claim((cell, mask))):
                    self.assign((cell, mask))
                return claim, "no other digit is left for it"
        for run, cells in enumerate(self.sums.runs):
            allowed = allowed_digits(self.sums, run, self.can)
            if not allowed:
                raise Contradiction(f"{self.sums.names[run]} cannot have the sum {self.sums.totals[run]} any more")
            for cell in cells:
                if self.can[cell] & ~allowed:
                    removed = self.can[cell] & ~allowed
                    with deducing(claim := f"{self.sums.places[cell]} is not {list_numbers(removed)}"):
                        self._cut(cell, allowed)
                    why = f"the ways left to make {self.sums.totals[run]} in {self.sums.names[run]} use only {list_numbers(allowed)}"
                    return claim, why
        return None

    def _cut(self, cell: int, mask: int) -> None:
        self.can[cell] &= mask
        if not self.can[cell]:
            raise Contradiction(f"no digit is left for {self.sums.places[cell]}")
