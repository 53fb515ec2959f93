"""Puzzles with one false clue: all clues but one hold, and which one does not is to be found with the solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from rlgym.core.rng import Rng
from rlgym.generators.grids import bits, fills, tables
from rlgym.generators.grids.clues import Budget, TooMuchWork
from rlgym.generators.grids.layout import Cells

TELLS = "The number of filled cells is stated for these rows and columns, but exactly one of these numbers is false; all others hold:"
STEPS = 250  # suppositions that a proof may take for each clue that may be the false one
Make = Callable[[tuple[int, ...]], bits.Puzzle]
"""The puzzle with these clues, -1 for one that is not stated."""


S = TypeVar("S")
Find = Callable[[tuple[int, ...], int], Iterator[S]]
"""(clues, steps) -> the solutions with these clues, -1 for one that is not stated; TooMuchWork after so many suppositions."""


def on_marks(make: Make, no: int = 0) -> Find[int]:
    """The search in puzzles of marks; the cells of `no` are blank."""
    return lambda clues, steps: bits.backtrack(make(clues), Budget(steps), no=no)


def on_tables(make: Callable[[tuple[int, ...]], tables.Puzzle], cells: int) -> Find[list[int]]:
    """The search in puzzles of digits with tables, where no digit is given."""
    return lambda clues, steps: _search_tables(make(clues), cells, Budget(steps))


def _search_tables(puzzle: tables.Puzzle, cells: int, budget: Budget) -> Iterator[list[int]]:
    state = tables.propagate_givens(puzzle, [0] * cells)
    return tables.backtrack(puzzle, *state, budget) if state else iter(())


def count_in_tables(make: Callable[[tuple[int, ...]], tables.Puzzle], clues: Sequence[int], cells: int) -> int:
    """How many suppositions it takes to go through all places of the false clue."""
    budget = Budget(10**9)
    for at in _stated(clues):
        budget.spend()
        for _ in _search_tables(make(leave_out(clues, at)), cells, budget):
            continue
    return 10**9 - budget.left


def leave_out(clues: Sequence[int], at: int) -> tuple[int, ...]:
    return (*clues[:at], -1, *clues[at + 1 :])


def falsify(
    rng: Rng, find: Find[S], clues: Sequence[int], right: S, most_change: int, fits: Callable[[int, int], bool] = lambda _, clue: clue > 0
) -> tuple[tuple[int, ...], int] | None:
    """The clues with one of them changed by at most `most_change`, and its place; None if none leaves one solution that takes little work to prove.

    `fits` tells whether a clue at a place does not show at a glance that it is false.
    """
    changes = [(at, by) for at in _stated(clues) for by in range(-most_change, most_change + 1) if by]
    return falsify_with(rng, find, clues, right, [(at, clues[at] + by) for at, by in changes if fits(at, clues[at] + by)])


def falsify_with(
    rng: Rng, find: Find[S], clues: Sequence[int], right: S, changes: Sequence[tuple[int, int]]
) -> tuple[tuple[int, ...], int] | None:
    """The same with these changes, each a place and the clue that is stated there."""
    for at, clue in rng.sample(changes, min(len(changes), 6)):
        stated = (*clues[:at], clue, *clues[at + 1 :])
        others = [other for other in _stated(clues) if other != at]
        try:
            if _two(find, leave_out(stated, at)) == [right] and not any(_two(find, leave_out(stated, i)) for i in others):
                return stated, at
        except TooMuchWork:
            continue
    return None


def _stated(clues: Sequence[int]) -> list[int]:
    return [at for at, clue in enumerate(clues) if clue >= 0]


def _two(find: Find[S], clues: tuple[int, ...]) -> list[S]:
    """At most two solutions."""
    return list(islice(find(clues, STEPS), 2))


def solutions(find: Find[S], clues: Sequence[int]) -> Iterator[S]:
    """Every solution in which one clue is false, which is looked for at each place in turn."""
    for at in _stated(clues):
        yield from find(leave_out(clues, at), 10**9)


def sample_line_counts(rng: Rng, make: Make, right: int, size: int, silent: int = 1, no: int = 0) -> tuple[tuple[int, ...], int] | None:
    """The numbers of marked cells of rows and columns, with a false one among them, and its place; up to `silent` rows and columns are left out.

    With all of them, the sum over the rows and the sum over the columns would say by how much the false one differs. The cells of `no` are blank.
    """
    counts = [(right & line).bit_count() for line in fills.lines(size, size)]
    for _ in range(silent):
        for line in (rng.integer(0, size - 1), size + rng.integer(0, size - 1)):
            counts[line] = -1
    return falsify(rng, on_marks(make, no), counts, right, 2)


def solve(make: Make, clues: Sequence[int], size: int) -> Cells:
    return fills.render_cells(next(solutions(on_marks(make), clues)), size, size)


def count_missed(answer: Cells, counts: Sequence[int]) -> int:
    """How many lines have another number of filled cells than stated."""
    filled = [line.count("#") for line in (*answer, *zip(*answer))]
    return sum(count not in (-1, number) for number, count in zip(filled, counts, strict=True))


def count_suppositions(make: Make, clues: Sequence[int], no: int = 0) -> int:
    """How many suppositions it takes to go through all places of the false clue."""
    return sum(1 + bits.count_suppositions(make(leave_out(clues, at)), no=no) for at in _stated(clues))
