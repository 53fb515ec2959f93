"""Consecutive numbers in neighbouring cells: where each can be, searched, thinned, explained and read back."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, layout
from rlgym.generators.grids.bits import members
from rlgym.generators.grids.boards import Near
from rlgym.generators.grids.clues import Budget, drop_clues
from rlgym.generators.grids.facts import Sheet, sheet_solution
from rlgym.generators.grids.paper import Choice, Contradiction
from rlgym.solutions import Solution

REASONING = ("direct", "trying")
"""What suffices: where numbers and cells have one place left; also suppositions that these refute."""
HARD_CHECKS = 9  # checks of what suppositions suffice for, a board
_PLACED = re.compile(r"([0-9]+) is at r([0-9]+)c([0-9]+)")
_LEFT = re.compile(r"no other missing number can get to r([0-9]+)c([0-9]+)")
_NO_WALK = re.compile(r"no walk over free cells leads from ([0-9]+) to ([0-9]+)")
_NO_NUMBER = re.compile(r"no number is left for r([0-9]+)c([0-9]+)")


class Trail:
    """Numbers from 1 on in the open cells of a board, each next to the one before: what is placed, and what is ruled out."""

    def __init__(self, around: Near, open_cells: int, at: dict[int, int], out: dict[int, int] | None = None) -> None:
        self.around, self.open_cells, self.at = around, open_cells, dict(at)
        self.out = dict(out or {})
        self.last = open_cells.bit_count()
        self.steps = boards.offsets(around)

    def copy(self) -> "Trail":
        return Trail(self.around, self.open_cells, self.at, self.out)

    def can(self) -> list[int]:
        """Where each number can be, by walks over free cells between the placed ones; index 0 is unused."""
        at, steps, last = self.at, self.steps, self.last
        free = self.free()
        can = [0] * (last + 1)
        candidates = 0
        for number in range(1, last + 1):
            step = boards.neighbours_of_set(steps, candidates) if number > 1 else -1
            if number in at:
                candidates = 1 << at[number]
                can[number] = candidates & step
            else:
                candidates = can[number] = step & free & ~self.out.get(number, 0)
        for number in range(last - 1, 0, -1):
            # A walk that fails leaves nothing between its ends, and none of the other walks is touched by it.
            if number in at:
                candidates = 1 << at[number]
            else:
                candidates = can[number] = boards.neighbours_of_set(steps, candidates) & can[number]
        return can

    def free(self) -> int:
        free = self.open_cells
        for cell in self.at.values():
            free &= ~(1 << cell)
        return free

    def propagate(self) -> bool:
        """Place all that has one place left; False for a contradiction."""
        while True:
            can = self.can()
            if not all(can[1:]):
                return False
            at_least_once = twice = 0
            for mask in can[1:]:
                twice |= at_least_once & mask
                at_least_once |= mask
            if self.open_cells & ~at_least_once:
                return False
            before, single = len(self.at), at_least_once & ~twice
            if before == self.last:
                return True
            taken = 0
            for number in range(1, self.last + 1):
                if number not in self.at:
                    mask = can[number]
                    pick = mask if not mask & mask - 1 else mask & single
                    if pick:
                        if pick & pick - 1 or pick & taken:
                            return False
                        taken |= pick
                        self.at[number] = pick.bit_length() - 1
            if len(self.at) == before:
                return True

    def failed_literal_probing(self, right: Sequence[int] | None = None) -> int | None:
        """Rule out what fails at once, until nothing does: how many suppositions that took; None for a contradiction.

        `right`, the cells of the numbers, saves trying what cannot fail.
        """
        if not self.propagate():
            return None
        tried, busy = 0, True
        while busy and len(self.at) < self.last:
            busy = False
            can = self.can()
            order = sorted((can[k].bit_count(), k) for k in range(1, self.last + 1) if k not in self.at)
            for _, number in order:
                for cell in members(can[number]):
                    if number in self.at or (right and right[number - 1] == cell):
                        continue
                    trial = self.copy()
                    trial.at[number] = cell
                    if not trial.propagate():
                        self.out[number] = self.out.get(number, 0) | 1 << cell
                        tried, busy = tried + 1, True
                        if not self.propagate():
                            return None
                        can = self.can()
        return tried

    def backtrack(self, budget: Budget) -> Iterator[list[int]]:
        """Every numbering, as the cells of the numbers in order."""
        stack = [self.copy()]
        while stack:
            trail = stack.pop()
            if not trail.propagate():
                continue
            if len(trail.at) == trail.last:
                yield [trail.at[k] for k in range(1, trail.last + 1)]
                continue
            budget.spend()
            can = trail.can()
            number = min((k for k in range(1, trail.last + 1) if k not in trail.at), key=lambda k: can[k].bit_count())
            for cell in members(can[number]):
                child = trail.copy()
                child.at[number] = cell
                stack.append(child)


def choose_givens(rng: Rng, around: Near, path: Sequence[int], percent: int, reasoning: str, checks: int = HARD_CHECKS) -> tuple[int, ...]:
    """The numbers to show, `percent` of them or more, so that this reasoning finds the path; positions count from 0."""
    open_cells = sum(1 << cell for cell in path)

    def trail(kept: Sequence[int]) -> Trail:
        return Trail(around, open_cells, {k + 1: path[k] for k in kept})

    def direct(kept: list[int]) -> bool:
        attempt = trail(kept)
        return attempt.propagate() and len(attempt.at) == len(path)

    def trying(kept: list[int]) -> bool:
        attempt = trail(kept)
        return attempt.failed_literal_probing(path) is not None and len(attempt.at) == len(path)

    keep = max(2, len(path) * percent // 100)
    kept = drop_clues(rng.shuffled(range(len(path))), keep, direct)
    if reasoning == "trying":
        kept = drop_clues_in_batches(rng, kept, keep, trying, checks)
    return tuple(sorted(kept))


def drop_clues_in_batches(rng: Rng, kept: list[int], keep: int, fine: Callable[[list[int]], bool], checks: int) -> list[int]:
    """The clues left after dropping some while the rest stays valid, within a number of checks: several at once first, fewer after a failure."""
    batch = max(1, len(kept) // 4)
    for _ in range(checks):
        if len(kept) <= keep:
            break
        drop = set(rng.sample(kept, min(batch, len(kept) - keep)))
        less = [clue for clue in kept if clue not in drop]
        if fine(less):
            kept = less
        else:
            batch = max(1, batch // 2)
    return kept


class Walk(Sheet):
    """Choices are a number and its cell."""

    def __init__(self, trail: Trail, width: int) -> None:
        self.trail, self.width = trail, width

    def copy(self) -> "Walk":
        return Walk(self.trail.copy(), self.width)

    def next(self) -> tuple[list[Choice], str] | None:
        trail = self.trail
        can = trail.can()
        for number in range(1, trail.last + 1):
            if not can[number]:
                low, high = self._ends(number)
                raise Contradiction(f"no walk over free cells leads from {low} to {high}")
        for number in range(1, trail.last + 1):
            mask = can[number]
            if number not in trail.at and not mask & mask - 1:
                trail.at[number] = mask.bit_length() - 1
                return [(number, trail.at[number])], self._walk(number)
        placed = set(trail.at.values())
        for cell in members(trail.open_cells):
            fitting = [number for number in range(1, trail.last + 1) if can[number] >> cell & 1]
            if not fitting:
                raise Contradiction(f"no number is left for {layout.place(cell, self.width)}")
            if len(fitting) == 1 and cell not in placed:
                trail.at[fitting[0]] = cell
                return [(fitting[0], cell)], f"no other missing number can get to {layout.place(cell, self.width)}"
        return None

    def failing(self) -> list[Choice]:
        failures = []
        can = self.trail.can()
        order = sorted((can[k].bit_count(), k) for k in range(1, self.trail.last + 1) if k not in self.trail.at)
        for _, number in order:
            for cell in members(can[number]):
                trial = self.trail.copy()
                trial.at[number] = cell
                if not trial.propagate():
                    failures.append((number, cell))
                    if len(failures) > 5:
                        return failures
        return failures

    def assign(self, choice: Choice) -> None:
        self.trail.at[choice[0]] = choice[1]

    def eliminate(self, choice: Choice) -> None:
        self.trail.out[choice[0]] = self.trail.out.get(choice[0], 0) | 1 << choice[1]

    def claim(self, choice: Choice) -> str:
        return f"{choice[0]} is at {layout.place(choice[1], self.width)}"

    def denial(self, choice: Choice) -> str:
        return f"{choice[0]} is not at {layout.place(choice[1], self.width)}"

    def read(self, text: str) -> Choice:
        match = _PLACED.fullmatch(text)
        if match is None:
            raise ValueError(text)
        number, cell = int(match[1]), self._cell(match[2], match[3])
        if not 1 <= number <= self.trail.last or number in self.trail.at or cell in self.trail.at.values():
            raise ValueError(text)
        return number, cell

    def follows(self, choices: Sequence[Choice], why: str) -> bool:
        if len(choices) != 1:
            return False
        number, cell = choices[0]
        can = self.trail.can()
        if match := _LEFT.fullmatch(why):
            return self._cell(match[1], match[2]) == cell and [k for k, mask in enumerate(can) if mask >> cell & 1] == [number]
        return why == self._walk(number) and can[number] == 1 << cell

    def broken(self, why: str) -> bool:
        can = self.trail.can()
        if match := _NO_WALK.fullmatch(why):
            low, high = int(match[1]), int(match[2])
            between = range(low + (low in self.trail.at), high + 1)
            return low < high <= self.trail.last and self._ends(high) == (low, high) and not all(can[k] for k in between)
        match = _NO_NUMBER.fullmatch(why)
        if match is None:
            return False
        cell = self._cell(match[1], match[2])
        return bool(self.trail.open_cells >> cell & 1) and not any(mask >> cell & 1 for mask in can)

    def _ends(self, number: int) -> tuple[int, int]:
        """The placed numbers next below and from this one up, or the first and the last of all."""
        low = max((k for k in self.trail.at if k < number), default=1)
        return low, min((k for k in self.trail.at if k >= number), default=self.trail.last)

    def _walk(self, number: int) -> str:
        low = max((k for k in self.trail.at if k < number), default=0)
        high = min((k for k in self.trail.at if k > number), default=0)
        if low and high:
            return f"a walk from {low} to {high} over free cells has it nowhere else"
        steps = abs(number - (low or high))
        return f"a walk of {steps} step{'s' * (steps > 1)} from {low or high} over free cells has it nowhere else"

    def _cell(self, row: str, column: str) -> int:
        r, c = int(row) - 1, int(column) - 1
        if not (0 <= c < self.width and 0 <= r < len(self.trail.around) // self.width):
            raise ValueError(f"r{row}c{column}")
        return r * self.width + c


def hide_numbers(path: Sequence[int], kept: Sequence[int], cells: int, width: int) -> tuple[tuple[str, ...], ...]:
    """The board with the numbers at these positions of the path, a dot for other cells of it and # elsewhere."""
    signs = ["#"] * cells
    for i, cell in enumerate(path):
        signs[cell] = str(i + 1) if i in kept else "."
    return layout.rows_of(signs, width)


def trail_of(board: Sequence[Sequence[str]], kind: str) -> Trail:
    signs = [sign for row in board for sign in row]
    at = {int(sign): cell for cell, sign in enumerate(signs) if sign.isdigit()}
    open_cells = sum(1 << cell for cell, sign in enumerate(signs) if sign != "#")
    return Trail(boards.near(kind, len(board), len(board[0])), open_cells, at)


def render_path(board: Sequence[Sequence[str]], path: Sequence[int]) -> layout.Cells:
    signs = [sign for row in board for sign in row]
    for i, cell in enumerate(path):
        signs[cell] = str(i + 1)
    return layout.rows_of(signs, len(board[0]))


def solve(board: Sequence[Sequence[str]], kind: str) -> layout.Cells:
    trail = trail_of(board, kind)
    trail.failed_literal_probing()
    return render_path(board, next(trail.backtrack(Budget(10**9))))


def find_fault(board: Sequence[Sequence[str]], kind: str, answer: layout.Cells) -> str:
    """What is wrong with an answer; empty for a right one."""
    cells = sum(sign != "#" for row in board for sign in row)
    numbers = [str(k) for k in range(1, cells + 1)]
    if reason := layout.find_misfit(answer, board, numbers):
        return reason if len(reason) < 80 else "a sign is none of the numbers asked for"
    at = {sign: cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign != "#"}
    if len(at) != cells:
        return "a number stands in two cells"
    around = boards.near(kind, len(board), len(board[0]))
    gap_at = next((k for k in range(1, cells) if at[str(k + 1)] not in around[at[str(k)]]), 0)
    return f"{gap_at} and {gap_at + 1} are not neighbours" if gap_at else ""


def near_misses(board: Sequence[Sequence[str]], right: layout.Cells) -> list[layout.Cells]:
    """Two neighbouring numbers exchanged, all numbered row by row, the path walked backwards, a number twice."""
    cells = sum(sign != "#" for row in board for sign in row)
    back = tuple(tuple(str(cells + 1 - int(sign)) if sign.isdigit() else sign for sign in row) for row in right)
    count = iter(range(1, cells + 1))
    rowwise = tuple(tuple(sign if sign == "#" else str(next(count)) for sign in row) for row in board)
    missing = [sign for row in board for sign in row]
    first = next(i for i, sign in enumerate(missing) if sign == ".")
    twice = layout.replace_cells(
        right, {divmod(first, len(board[0])): "1" if right[first // len(board[0])][first % len(board[0])] != "1" else "2"}
    )
    return [*layout.exchange_neighbours(right, board), back, rowwise, twice, right[::-1]]


def effort(board: Sequence[Sequence[str]], kind: str) -> float:
    """Numbers to place, times the square root of the failed suppositions, since good solvers find the short ones."""
    trail = trail_of(board, kind)
    open_numbers = trail.last - len(trail.at)
    tried = trail.failed_literal_probing()
    assert tried is not None
    return float(open_numbers * (1 + tried**0.5))


def plain_backtrack(board: Sequence[Sequence[str]], kind: str) -> Iterator[layout.Cells]:
    """Every solution once more: walked cell by cell from 1 up, leaving a walk that strands cells or cannot be in time."""
    trail = trail_of(board, kind)
    near, at, last = trail.around, trail.at, trail.last
    known = {cell: number for number, cell in at.items()}
    distances = {number: _distances(near, trail.open_cells, cell) for number, cell in at.items()}
    ahead = {k: min((n for n in at if n > k), default=0) for k in range(1, last + 1)}
    path: list[int] = []

    def fits(cell: int, number: int) -> bool:
        goal = ahead[number]
        return known.get(cell, number) == number and at.get(number, cell) == cell and (not goal or distances[goal][cell] <= goal - number)

    def walk(cell: int, unvisited: int) -> Iterator[layout.Cells]:
        path.append(cell)
        unvisited &= ~(1 << cell)
        number = len(path)
        if number == last:
            yield render_path(board, path)
        elif boards.flood_fill(
            trail.steps, boards.neighbours_of_set(trail.steps, 1 << cell) & unvisited, unvisited
        ) == unvisited and _few_ends(near, unvisited, cell):
            for other in near[cell]:
                if unvisited >> other & 1 and fits(other, number + 1):
                    yield from walk(other, unvisited)
        path.pop()

    for cell in members(trail.open_cells):
        if fits(cell, 1):
            yield from walk(cell, trail.open_cells)


def solution(kind: Callable[[Any], str]) -> Solution[Any]:
    """The solution of tasks whose data has a `board` with neighbours of a `kind`."""

    def sheet(task: Task[Any]) -> Walk:
        board = task.data.board
        return Walk(trail_of(board, kind(task.data)), len(board[0]))

    return sheet_solution(sheet)


def _few_ends(near: Near, unvisited: int, end: int) -> bool:
    """Whether at most one cell left has a single way in or out."""
    open_cells = unvisited | 1 << end
    return sum(sum(open_cells >> other & 1 for other in near[cell]) < 2 for cell in members(unvisited)) < 2


def _distances(near: Near, open_cells: int, start: int) -> list[int]:
    distances = [10**6] * len(near)
    distances[start], row = 0, [start]
    while row:
        after = []
        for cell in row:
            for other in near[cell]:
                if open_cells >> other & 1 and distances[other] > distances[cell] + 1:
                    distances[other] = distances[cell] + 1
                    after.append(other)
        row = after
    return distances


def draw(board: Sequence[Sequence[str]]) -> str:
    """A picture of the board."""
    walls = [cell for cell, sign in enumerate(sign for row in board for sign in row) if sign == "#"]
    return pictures.board([["" if sign == "#" else sign for sign in row] for row in board], shaded=walls)
