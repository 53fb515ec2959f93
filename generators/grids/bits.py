"""Puzzles of cells that are marked or not: rules that count marks, deduced, searched, and solved again with z3.

A set of cells is an integer with bit i for cell i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import islice
from operator import and_, or_
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.grids.clues import Budget, TooMuchWork

MOST_OPEN = 9  # cells with weights whose ways are all gone through
MOST_KNOWN = 4096
_NEW = (-1, -1)  # no sets of cells; None is a contradiction
STEPS = 60  # suppositions that a proof of uniqueness may take, where not more are wanted
REASONING = ("counting", "trying", "search")
"""What suffices: the counts; suppositions about one cell that counts refute; suppositions inside suppositions."""
Possible = Callable[[int, int], bool]
"""Whether marks and blanks so far can be part of a solution, by a rule that is no count; exact where all cells are decided."""


@dataclass(frozen=True)
class Count:
    """Of the cells, `low` to `high` are marked: always, or only if the cell `when` is. `why` says it as a rule of the puzzle.

    With `weights`, as many as there are cells in order of their numbers, the weights of the marked cells are added up.
    """

    cells: int
    low: int
    high: int
    why: str = ""
    when: int = 0
    weights: tuple[int, ...] = ()

    def forced(self, yes: int, no: int) -> tuple[int, int] | None:
        """The cells that must be marked and that cannot be, among those undecided; None for a contradiction."""
        if self.when & no:
            return 0, 0
        unknown = self.cells & ~yes & ~no
        if self.weights:
            state = yes & self.cells, unknown
            found = self._known.get(state, _NEW)
            if found is _NEW:
                if len(self._known) >= MOST_KNOWN:
                    self._known.clear()
                found = self._known[state] = self._forced_by_weights(yes, unknown)
            return found
        sure = (self.cells & yes).bit_count()
        most = sure + unknown.bit_count()
        if sure > self.high or most < self.low:
            if not self.when:
                return None
            return None if self.when & yes else (0, self.when)
        if not unknown or self.when & ~yes:
            return 0, 0
        if sure == self.high:
            return 0, unknown
        return (unknown, 0) if most == self.low else (0, 0)

    @cached_property
    def scope(self) -> list[int]:
        """The cells that it depends on."""
        return members(self.cells | self.when)

    @cached_property
    def _known(self) -> dict[tuple[int, int], tuple[int, int] | None]:
        """What its weights force, by the marked and the undecided cells: a search comes to the same ones again and again."""
        return {}

    @cached_property
    def _weighted_cells(self) -> tuple[tuple[int, int], ...]:
        return tuple((1 << cell, weight) for cell, weight in zip(members(self.cells), self.weights, strict=True))

    def _forced_by_weights(self, yes: int, unknown: int) -> tuple[int, int] | None:
        sure = sum([weight for bit, weight in self._weighted_cells if bit & yes])
        free = [pair for pair in self._weighted_cells if pair[0] & unknown]
        most = sure + sum([weight for _, weight in free])
        # With few cells open, every way to reach the bounds is looked at; else each cell alone.
        if len(free) > MOST_OPEN:
            if sure > self.high or most < self.low:
                return None
            must = sum([bit for bit, weight in free if most - weight < self.low])
            return must, sum([bit for bit, weight in free if sure + weight > self.high])
        sums = [(sure, 0)]
        for bit, weight in free:
            sums += [(total + weight, marked | bit) for total, marked in sums if total + weight <= self.high]
        fitting = [marked for total, marked in sums if self.low <= total <= self.high]
        if not fitting:
            return None
        always, ever = reduce(and_, fitting), reduce(or_, fitting)
        return always, unknown & ~ever


@dataclass(frozen=True)
class Puzzle:
    cells: int
    counts: tuple[Count, ...]
    possible: Possible | None = None

    @cached_property
    def plain(self) -> tuple[tuple[int, int, int] | None, ...]:
        """The cells and bounds of each count without weights and condition; None for the others."""
        return tuple(None if count.weights or count.when else (count.cells, count.low, count.high) for count in self.counts)

    @cached_property
    def within(self) -> tuple[tuple[int, ...], ...]:
        """The counts that each cell has a part in."""
        by_cell: list[list[int]] = [[] for _ in range(self.cells)]
        for i, count in enumerate(self.counts):
            for cell in count.scope:
                by_cell[cell].append(i)
        return tuple(map(tuple, by_cell))


def members(cells: int) -> list[int]:
    """The numbers of the cells of a set, in order."""
    found = []
    while cells:
        low = cells & -cells
        found.append(low.bit_length() - 1)
        cells ^= low
    return found


def as_set(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)


def propagate(puzzle: Puzzle, yes: int, no: int, waiting: Sequence[int] | None = None) -> tuple[int, int] | None:
    """Unit propagation: all that follows from the counts, starting with those in `waiting`; None for a contradiction."""
    counts, within, plain = puzzle.counts, puzzle.within, puzzle.plain
    queue = list(range(len(counts)) if waiting is None else waiting)
    queued = set(queue)
    while queue:
        i = queue.pop()
        queued.discard(i)
        if simple := plain[i]:
            # What `forced` says of such a count, without the call: most of the work is here.
            cells, low, high = simple
            unknown, sure = cells & ~yes & ~no, (cells & yes).bit_count()
            most = sure + unknown.bit_count()
            if sure > high or most < low:
                return None
            must, cannot = (0, unknown) if sure == high else (unknown, 0) if most == low else (0, 0)
        else:
            forced = counts[i].forced(yes, no)
            if forced is None:
                return None
            must, cannot = forced
        if must or cannot:
            yes |= must
            no |= cannot
            for cell in members(must | cannot):
                for other in within[cell]:
                    if other not in queued:
                        queued.add(other)
                        queue.append(other)
    return None if puzzle.possible and not puzzle.possible(yes, no) else (yes, no)


def backtrack(puzzle: Puzzle, budget: Budget, yes: int = 0, no: int = 0, rng: Rng | None = None) -> Iterator[int]:
    """Every solution, by backtracking with propagation, as the set of marked cells; an Rng shuffles the order of branches."""
    all_cells = (1 << puzzle.cells) - 1
    first = propagate(puzzle, yes, no)
    stack = [first] if first else []
    while stack:
        yes, no = stack.pop()
        unknown = all_cells & ~yes & ~no
        if not unknown:
            yield yes
            continue
        budget.spend()
        cell = rng.choice(members(unknown)) if rng else most_constrained_cell(puzzle, yes, no, unknown)
        ways = [(yes, no | 1 << cell), (yes | 1 << cell, no)]
        tried = (propagate(puzzle, *option, puzzle.within[cell]) for option in (rng.shuffled(ways) if rng else ways))
        stack += [then for then in tried if then]


def most_constrained_cell(puzzle: Puzzle, yes: int, no: int, unknown: int) -> int:
    """An undecided cell of the count with the fewest of them that must still get a mark."""
    fewest, cells = 10**9, unknown
    for count in puzzle.counts:
        open_cells = count.cells & unknown
        if count.low and open_cells and not count.when & ~yes and not count.weights:
            missing = count.low - (count.cells & yes).bit_count()
            if missing > 0 and open_cells.bit_count() < fewest:
                fewest, cells = open_cells.bit_count(), open_cells
    return (cells & -cells).bit_length() - 1


def failed_literal_probing(puzzle: Puzzle, yes: int = 0, no: int = 0) -> tuple[int, int] | None:
    """Failed literal probing: all that follows from the counts and from suppositions about one cell that propagation refutes."""
    state = propagate(puzzle, yes, no)
    while state:
        yes, no = state
        for cell in members((1 << puzzle.cells) - 1 & ~yes & ~no):
            bit = 1 << cell
            if propagate(puzzle, yes | bit, no, puzzle.within[cell]) is None:
                state = propagate(puzzle, yes, no | bit, puzzle.within[cell])
                break
            if propagate(puzzle, yes, no | bit, puzzle.within[cell]) is None:
                state = propagate(puzzle, yes | bit, no, puzzle.within[cell])
                break
        else:
            return state
    return None


def undetermined_cells(puzzle: Puzzle, right: int, reasoning: str, yes: int = 0, no: int = 0, steps: int = STEPS) -> int:
    """The cells that keep a puzzle from having one proved solution, `right`; 0 if it has one that this reasoning finds."""
    state = propagate(puzzle, yes, no)
    assert state is not None
    left = (1 << puzzle.cells) - 1 & ~state[0] & ~state[1]
    if not left or reasoning == "counting":
        return left
    try:
        for solution in backtrack(puzzle, Budget(steps), *state):
            if solution != right:
                return solution ^ right
    except TooMuchWork:
        return left
    if reasoning == "search":
        return 0
    tried = failed_literal_probing(puzzle, *state)
    assert tried is not None
    return (1 << puzzle.cells) - 1 & ~tried[0] & ~tried[1]


def proof_steps(reasoning: str, suppositions: int) -> int:
    """The suppositions that a proof of uniqueness may take for puzzles that are wanted with so many of them."""
    return max(STEPS, 3 * suppositions) if reasoning == "search" else STEPS


def add_givens(
    rng: Rng, puzzle: Puzzle, right: int, reasoning: str, yes: int = 0, no: int = 0, marks: bool = True, steps: int = STEPS
) -> tuple[int, int]:
    """The givens that make `right` the only solution: marks and blanks, or blanks only as far as these suffice."""
    while doubt := undetermined_cells(puzzle, right, reasoning, yes, no, steps):
        bit = 1 << rng.choice(members(doubt if marks else doubt & ~right or doubt))
        yes, no = yes | bit & right, no | bit & ~right
    return yes, no


def effort(puzzle: Puzzle, yes: int = 0, no: int = 0) -> float:
    """Work of a good solver: cells to decide, and cells of the counts to look at per supposition."""
    return puzzle.cells - (yes | no).bit_count() + count_suppositions(puzzle, yes, no) * puzzle.cells / 2


def count_suppositions(puzzle: Puzzle, yes: int = 0, no: int = 0) -> int:
    """How many suppositions it takes to find the solutions and to know that there are no others."""
    budget = Budget(10**9)
    for _ in backtrack(puzzle, budget, yes, no):
        continue
    return 10**9 - budget.left


def count_if_unique(puzzle: Puzzle, right: int, steps: int, yes: int = 0, no: int = 0) -> int:
    """How many suppositions prove `right` the only solution; -1 where there are others or the proof takes more than `steps`."""
    budget = Budget(steps)
    try:
        return steps - budget.left if [*islice(backtrack(puzzle, budget, yes, no), 2)] == [right] else -1
    except TooMuchWork:
        return -1


def solve_with_z3(puzzle: Puzzle, yes: int = 0, no: int = 0) -> Iterator[int]:
    """Every solution, found by z3."""
    import z3

    marks = [z3.Bool(f"m{cell}") for cell in range(puzzle.cells)]
    solver: Any = z3.Solver()
    for count in puzzle.counts:
        cells = members(count.cells)
        weighed = [(marks[cell], weight) for cell, weight in zip(cells, count.weights or (1,) * len(cells), strict=True)]
        total = z3.And(z3.PbGe(weighed, count.low), z3.PbLe(weighed, count.high)) if weighed else z3.BoolVal(count.low <= 0)
        solver.add(z3.Implies(marks[count.when.bit_length() - 1], total) if count.when else total)
    solver.add(*(marks[cell] for cell in members(yes)), *(z3.Not(marks[cell]) for cell in members(no)))
    while solver.check() == z3.sat:
        model = solver.model()
        candidate = as_set([cell for cell, mark in enumerate(marks) if z3.is_true(model[mark])])
        some = (1 << puzzle.cells) - 1
        if not puzzle.possible or puzzle.possible(candidate, some & ~candidate):
            yield candidate
        else:
            # What breaks the rule is cut down to few cells, so that all that holds them is excluded at once.
            for cell in range(puzzle.cells):
                fewer = some & ~(1 << cell)
                if not puzzle.possible(candidate & fewer, fewer & ~candidate):
                    some = fewer
        solver.add(z3.Or(*(z3.Not(marks[cell]) if candidate >> cell & 1 else marks[cell] for cell in members(some))))
