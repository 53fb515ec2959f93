"""Puzzles of yes-or-no questions: propagation by local and wide rules, clue selection, and a second solver with z3.

A set of questions is an integer with bit i for question i; marks and blanks are those answered yes and no.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from rlgym.core.rng import Rng
from rlgym.generators.grids import layout
from rlgym.generators.grids.bits import Count, members
from rlgym.generators.grids.clues import drop_clues
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.walks import drop_clues_in_batches

REASONING = ("direct", "trying")
"""What suffices: rules one at a time; also suppositions that these refute."""


class Rule(Protocol):
    """What marks and blanks force under a rule of the puzzle; None for a contradiction. Exact where all is decided."""

    @property
    def cells(self) -> int: ...
    @property
    def when(self) -> int: ...
    @property
    def why(self) -> str: ...
    def forced(self, yes: int, no: int) -> tuple[int, int] | None: ...


@dataclass(frozen=True)
class Ways:
    """Of the cells exactly one of these sets is marked."""

    cells: int
    ways: tuple[int, ...]
    why: str
    when: int = 0

    def forced(self, yes: int, no: int) -> tuple[int, int] | None:
        marked = yes & self.cells
        fitting = [option for option in self.ways if not option & no and not marked & ~option]
        if not fitting:
            return None
        always, ever = fitting[0], 0
        for option in fitting:
            always &= option
            ever |= option
        return always & ~yes, self.cells & ~ever & ~no


@dataclass(frozen=True)
class Puzzle:
    """Wide rules are looked at only where local ones tell nothing."""

    cells: int
    local: tuple[Rule, ...]
    wide: tuple[Rule, ...] = ()

    @cached_property
    def within(self) -> tuple[tuple[int, ...], ...]:
        by_cell: list[list[int]] = [[] for _ in range(self.cells)]
        for i, rule in enumerate(self.local):
            for cell in members(rule.cells | rule.when):
                by_cell[cell].append(i)
        return tuple(map(tuple, by_cell))

    @cached_property
    def named(self) -> dict[str, list[Rule]]:
        by_name: dict[str, list[Rule]] = {}
        for rule in (*self.local, *self.wide):
            by_name.setdefault(rule.why, []).append(rule)
        return by_name


def propagate(puzzle: Puzzle, yes: int, no: int, fresh: int = -1) -> tuple[int, int] | None:
    """Propagation: all that follows; `fresh` are the cells decided since the last call. None for a contradiction."""
    local, within = puzzle.local, puzzle.within
    queue = list(range(len(local))) if fresh < 0 else list({i for cell in members(fresh) for i in within[cell]})
    queued = set(queue)
    while True:
        while queue:
            i = queue.pop()
            queued.discard(i)
            forced = local[i].forced(yes, no)
            if forced is None:
                return None
            new = forced[0] | forced[1]
            if new:
                yes |= forced[0]
                no |= forced[1]
                for cell in members(new):
                    for other in within[cell]:
                        if other not in queued:
                            queued.add(other)
                            queue.append(other)
        for rule in puzzle.wide:
            forced = rule.forced(yes, no)
            if forced is None:
                return None
            new = forced[0] | forced[1]
            if new:
                yes |= forced[0]
                no |= forced[1]
                queue = list({i for cell in members(new) for i in within[cell]})
                queued = set(queue)
                break
        if not queue:
            return (yes, no) if not yes & no else None


def failed_literal_probing(puzzle: Puzzle, yes: int, no: int, right: int = -1) -> tuple[int, int, int] | None:
    """Failed literal probing: all that follows, also from refuted suppositions, and how many were refuted; None for a contradiction.

    `right`, where it is known to be a solution, saves trying what cannot fail.
    """
    state, tried, busy = propagate(puzzle, yes, no), 0, True
    all_cells = (1 << puzzle.cells) - 1
    while state and busy:
        busy = False
        for cell in members(all_cells & ~state[0] & ~state[1]):
            bit = 1 << cell
            if (state[0] | state[1]) & bit:
                continue
            for mark in (1, 0):
                if right >= 0 and right >> cell & 1 == mark:
                    continue
                if propagate(puzzle, *with_mark(*state, bit, mark), bit) is None:
                    state = propagate(puzzle, *with_mark(*state, bit, 1 - mark), bit)
                    tried, busy = tried + 1, True
                    break
            if state is None:
                return None
    return (*state, tried) if state else None


def with_mark(yes: int, no: int, bit: int, mark: int) -> tuple[int, int]:
    return (yes | bit, no) if mark else (yes, no | bit)


def solve(puzzle: Puzzle, yes: int = 0, no: int = 0) -> int:
    """A solution: by suppositions that fail, then by cases."""
    all_cells = (1 << puzzle.cells) - 1
    stack = [(yes, no)]
    while stack:
        state = failed_literal_probing(puzzle, *stack.pop())
        if state is None:
            continue
        unknown = all_cells & ~state[0] & ~state[1]
        if not unknown:
            return state[0]
        bit = unknown & -unknown
        stack += [with_mark(state[0], state[1], bit, 0), with_mark(state[0], state[1], bit, 1)]
    raise ValueError("the puzzle has no solution")


def undetermined_cells(puzzle: Puzzle, right: int, reasoning: str, yes: int = 0, no: int = 0) -> int:
    """The cells that this reasoning leaves undecided; 0 proves that `right` is the one solution."""
    state = propagate(puzzle, yes, no) if reasoning == "direct" else failed_literal_probing(puzzle, yes, no, right)
    assert state is not None, "a solution contradicts no rule"
    return (1 << puzzle.cells) - 1 & ~state[0] & ~state[1]


def add_givens(rng: Rng, puzzle: Puzzle, right: int, reasoning: str, may: int, yes: int = 0, no: int = 0) -> tuple[int, int] | None:
    """The givens out of `may`, in addition to known marks and blanks, that let `right` be found; None where they are not enough."""
    all_cells = (1 << puzzle.cells) - 1
    givens, known = (yes, no), (yes, no)
    while True:
        state = propagate(puzzle, *known) if reasoning == "direct" else failed_literal_probing(puzzle, *known, right)
        assert state is not None, "a solution contradicts no rule"
        left = all_cells & ~state[0] & ~state[1]
        if not left:
            return givens
        if not left & may:
            return None
        bit = 1 << rng.choice(members(left & may))
        mark = 1 if right & bit else 0
        givens, known = with_mark(*givens, bit, mark), with_mark(state[0], state[1], bit, mark)


def choose_clues(rng: Rng, count: int, keep: int, reasoning: str, decides: Callable[[list[int], str], bool], checks: int) -> list[int]:
    """Clues to keep of `count`, `keep` or more: first as direct reasoning allows, then in a few checks as suppositions do."""
    kept = (
        drop_clues(rng.shuffled(range(count)), keep, lambda kept: decides(kept, "direct"))
        if decides([*range(count)], "direct")
        else [*range(count)]
    )
    if reasoning == "trying":
        kept = drop_clues_in_batches(rng, kept, keep, lambda kept: decides(kept, "trying"), checks)
    return sorted(kept)


def count_refuted(puzzle: Puzzle, yes: int = 0, no: int = 0) -> int:
    """How many suppositions fail on the way to the solution."""
    state = failed_literal_probing(puzzle, yes, no)
    assert state is not None
    return state[2]


def effort(puzzle: Puzzle, yes: int = 0, no: int = 0) -> float:
    """Questions to decide, times the square root of the failed suppositions, since good solvers find the short ones."""
    state = failed_literal_probing(puzzle, yes, no)
    assert state is not None
    return float((puzzle.cells - (yes | no).bit_count()) * (1 + state[2] ** 0.5))


def solve_with_z3(puzzle: Puzzle, yes: int = 0, no: int = 0) -> Iterator[int]:
    """Every solution, found by z3; wide rules are checked on each candidate."""
    import z3

    marks = [z3.Bool(f"m{cell}") for cell in range(puzzle.cells)]
    solver: Any = z3.Solver()
    for rule in puzzle.local:
        if isinstance(rule, Count):
            cells = [marks[cell] for cell in members(rule.cells)]
            weighed = list(zip(cells, rule.weights or (1,) * len(cells), strict=True))
            total = z3.And(z3.PbGe(weighed, rule.low), z3.PbLe(weighed, rule.high)) if weighed else z3.BoolVal(rule.low <= 0)
            solver.add(z3.Implies(marks[rule.when.bit_length() - 1], total) if rule.when else total)
        elif isinstance(rule, Ways):
            cells_here = members(rule.cells)
            solver.add(z3.Or(*(z3.And(*(marks[c] if option >> c & 1 else z3.Not(marks[c]) for c in cells_here)) for option in rule.ways)))
    solver.add(*(marks[cell] for cell in members(yes)), *(z3.Not(marks[cell]) for cell in members(no)))
    while solver.check() == z3.sat:
        model = solver.model()
        chosen = sum(1 << cell for cell, mark in enumerate(marks) if z3.is_true(model[mark]))
        some = (1 << puzzle.cells) - 1
        broken = next((rule for rule in puzzle.wide if rule.forced(chosen, some & ~chosen) is None), None)
        if broken is None:
            yield chosen
        else:
            # What breaks the rule is cut down to few cells, so that all that holds them is excluded at once.
            for cell in range(puzzle.cells):
                less = some & ~(1 << cell)
                if broken.forced(chosen & less, less & ~chosen) is None:
                    some = less
        solver.add(z3.Or(*(z3.Not(marks[cell]) if chosen >> cell & 1 else marks[cell] for cell in members(some))))


def render_marks(marked: int, height: int, width: int, signs: str = "#.") -> Cells:
    """Marks as a board."""
    return layout.rows_of([signs[0] if marked >> cell & 1 else signs[1] for cell in range(height * width)], width)


def subsets(cells: int) -> Iterator[int]:
    """All sets of some cells, the largest first."""
    subset = cells
    while True:
        yield subset
        if not subset:
            return
        subset = subset - 1 & cells
