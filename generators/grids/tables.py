"""Squares of digits in which some groups of cells allow only the fillings of a table: cages, lines with a clue."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import and_

from rlgym.generators.grids import bits, latin
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget, TooMuchWork
from rlgym.generators.grids.latin import Rules
from rlgym.generators.grids.layout import place
from rlgym.generators.grids.paper import Choice, Contradiction, explain_deductions
from rlgym.generators.grids.reasons import Digits

Filling = tuple[int, ...]
"""Digits as bits, one per cell of a group."""
Live = list[tuple[Sequence[int], Sequence[Filling]]]
"""Per table, the masks of its cells and the fillings left when it was last looked at."""


@dataclass(frozen=True)
class Table:
    cells: tuple[int, ...]
    fillings: tuple[Filling, ...]
    name: str


@dataclass(frozen=True)
class Puzzle:
    """Rules for the lines, and tables for groups of cells."""

    rules: Rules
    tables: tuple[Table, ...]


@lru_cache(maxsize=4096)
def fillings(size: int, separated: tuple[tuple[int, int], ...], cells: int) -> tuple[tuple[int, ...], ...]:
    """Every filling of a group with digits up to `size`, as digits; the pairs of `apart` must differ."""
    rows: list[tuple[int, ...]] = [()]
    for at in range(cells):
        others = [low for low, high in separated if high == at]
        rows = [(*row, digit) for row in rows for digit in range(1, size + 1) if all(row[other] != digit for other in others)]
    return tuple(rows)


def distinct_pairs(cells: Sequence[int], rules: Rules) -> tuple[tuple[int, int], ...]:
    """Which cells of a group must differ, since they share a line."""
    return tuple((i, j) for j in range(len(cells)) for i in range(j) if cells[i] in rules.peers[cells[j]])


def as_bits(rows: Sequence[tuple[int, ...]]) -> tuple[Filling, ...]:
    return tuple(tuple(1 << digit - 1 for digit in row) for row in rows)


def propagate_givens(puzzle: Puzzle, digits: Sequence[int]) -> tuple[list[int], Live] | None:
    """What each cell can be after all deductions without a supposition; None where that is a contradiction."""
    can = latin.digit_masks(puzzle.rules, digits)
    live: Live = [((), table.fillings) for table in puzzle.tables]
    return (can, live) if propagate(puzzle, can, live, [cell for cell, digit in enumerate(digits) if digit]) else None


def propagate(puzzle: Puzzle, can: list[int], live: Live, fresh: list[int]) -> bool:
    """Constraint propagation through lines and tables; False for a contradiction."""
    moving = True
    while moving:
        if not latin.propagate(puzzle.rules, can, fresh):
            return False
        moving = False
        for i, table in enumerate(puzzle.tables):
            masks = tuple([can[cell] for cell in table.cells])
            if masks == live[i][0]:
                continue
            kept = [row for row in live[i][1] if all(map(and_, row, masks))]
            if not kept:
                return False
            after = tuple(sum(set(column)) for column in zip(*kept))
            live[i] = after, kept
            for cell, before, mask in zip(table.cells, masks, after):
                if mask != before:
                    can[cell], moving = mask, True
                    if not mask & mask - 1:
                        fresh.append(cell)
    return True


def backtrack(puzzle: Puzzle, can: list[int], live: Live, budget: Budget) -> Iterator[list[int]]:
    """Every solution within propagated masks, by backtracking, as digits."""
    cells = [cell for cell, mask in enumerate(can) if mask & mask - 1]
    if not cells:
        yield [mask.bit_length() for mask in can]
        return
    at = min(cells, key=lambda cell: can[cell].bit_count())
    for digit in range(puzzle.rules.size):
        if can[at] >> digit & 1:
            budget.spend()
            then, live_rows = can.copy(), live.copy()
            then[at] = 1 << digit
            if propagate(puzzle, then, live_rows, [at]):
                yield from backtrack(puzzle, then, live_rows, budget)


def undetermined_cells(puzzle: Puzzle, digits: Sequence[int], right: Sequence[int], steps: int) -> list[int]:
    """The cells that keep a puzzle from having one proved solution, `right`; empty if it has. Without steps, deductions alone must do."""
    state = propagate_givens(puzzle, digits)
    assert state is not None
    can, live = state
    open_cells = [cell for cell, mask in enumerate(can) if mask & mask - 1]
    if not open_cells or not steps:
        return open_cells
    try:
        for solution in backtrack(puzzle, can, live, Budget(steps)):
            if solution != right:
                return [cell for cell in open_cells if solution[cell] != right[cell]]
    except TooMuchWork:
        return open_cells
    return []


def solve(puzzle: Puzzle, digits: Sequence[int]) -> list[int]:
    """The digits of the first solution."""
    state = propagate_givens(puzzle, digits)
    assert state is not None
    return next(backtrack(puzzle, *state, Budget(10**9)))


def effort(puzzle: Puzzle, digits: Sequence[int]) -> float:
    """Work of a good solver: the fillings to weigh, digits to rule out, and a grid's worth per supposition."""
    open_cells, fillings = sum(not digit for digit in digits), sum(len(table.fillings) for table in puzzle.tables)
    return open_cells * puzzle.rules.size + fillings + count_suppositions(puzzle, digits) * len(digits)


def count_suppositions(puzzle: Puzzle, digits: Sequence[int]) -> int:
    """How many suppositions it takes to find the solutions and to know that there are no others."""
    state, budget = propagate_givens(puzzle, digits), Budget(10**9)
    assert state is not None
    for _ in backtrack(puzzle, *state, budget):
        continue
    return 10**9 - budget.left


def backtrack_over_marks(puzzle: Puzzle, digits: Sequence[int]) -> Iterator[list[int]]:
    """Every solution, by backtracking over marks: which digit each cell holds, and which filling each table has."""
    size, cells = puzzle.rules.size, len(digits)
    counts = [Count(puzzle.rules.whole << cell * size, 1, 1) for cell in range(cells)]
    counts += [Count(sum(1 << cell * size + d for cell in unit), 1, 1) for unit in puzzle.rules.units for d in range(size)]
    at = cells * size
    for table in puzzle.tables:
        counts.append(Count((1 << len(table.fillings)) - 1 << at, 1, 1))
        having: dict[int, int] = {}
        for pick, filling in enumerate(table.fillings, at):
            marks = [cell * size + bit.bit_length() - 1 for cell, bit in zip(table.cells, filling)]
            counts.append(Count(bits.as_set(marks), len(marks), len(marks), when=1 << pick))
            for mark in marks:
                having[mark] = having.get(mark, 0) | 1 << pick
        for cell in table.cells:
            for mark in range(cell * size, (cell + 1) * size):
                counts.append(Count(having.get(mark, 0), 1, 1, when=1 << mark))
        at += len(table.fillings)
    known = bits.as_set([cell * size + digit - 1 for cell, digit in enumerate(digits) if digit])
    for yes in bits.backtrack(bits.Puzzle(at, tuple(counts)), Budget(10**9), known):
        yield [mark % size + 1 for mark in bits.members(yes) if mark < cells * size]


def explain(puzzle: Puzzle, digits: Sequence[int]) -> list[str]:
    """The way from the givens (0 is unknown) to the only solution."""
    paper = _Paper(puzzle.rules, latin.digit_masks(puzzle.rules, [0] * len(digits)), [False] * len(digits))
    paper.puzzle, paper.live = puzzle, [((), table.fillings) for table in puzzle.tables]
    for cell, digit in enumerate(digits):
        if digit:
            paper.assign((cell, 1 << digit - 1))
    return explain_deductions(paper)


class _Paper(Digits):
    puzzle: Puzzle
    live: Live

    def copy(self) -> "_Paper":
        other = _Paper(self.rules, self.can.copy(), self.done.copy())
        other.puzzle, other.live = self.puzzle, self.live.copy()
        return other

    def may_fail(self, choice: Choice) -> bool:
        can, live = self.can.copy(), self.live.copy()
        can[choice[0]] = choice[1]
        return not propagate(self.puzzle, can, live, [choice[0]])

    def next(self) -> tuple[str, str] | None:
        return super().next() or self._from_table()

    def _from_table(self) -> tuple[str, str] | None:
        for i, table in enumerate(self.puzzle.tables):
            masks = [self.can[cell] for cell in table.cells]
            kept = [row for row in self.live[i][1] if all(map(and_, row, masks))]
            if not kept:
                raise Contradiction(f"{table.name} cannot be filled any more")
            self.live[i] = (), kept
            claims = []
            for cell, before, mask in zip(table.cells, masks, [sum(set(column)) for column in zip(*kept)]):
                if mask != before:
                    removed = ", ".join(str(d + 1) for d in range(self.rules.size) if before & ~mask & 1 << d)
                    claims.append(f"{place(cell, self.rules.size)} is not {removed}")
                    self._cut(cell, mask)
            if claims:
                return "; ".join(claims), f"no filling left for {table.name} allows it"
        return None
