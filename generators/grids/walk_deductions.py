"""Deductions on a walk through a grid in words, and a checker of their steps."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from rlgym.core.task import Task
from rlgym.generators.grids import layout
from rlgym.generators.grids.bits import members
from rlgym.generators.grids.facts import Sheet, sheet_solution
from rlgym.generators.grids.paper import Choice, Contradiction
from rlgym.generators.grids.walks import Trail, trail_of
from rlgym.solutions import Solution

_PLACED = re.compile(r"([0-9]+) is at r([0-9]+)c([0-9]+)")

_LEFT = re.compile(r"no other missing number can get to r([0-9]+)c([0-9]+)")

_NO_WALK = re.compile(r"no walk over free cells leads from ([0-9]+) to ([0-9]+)")

_NO_NUMBER = re.compile(r"no number is left for r([0-9]+)c([0-9]+)")


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

    def cases(self) -> list[Choice]:
        can = self.trail.can()
        unplaced = [number for number in range(1, self.trail.last + 1) if number not in self.trail.at]
        if not unplaced:
            return []
        number = min(unplaced, key=lambda number: can[number].bit_count())
        return [(number, cell) for cell in members(can[number])]

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        numbers = {number for number, _ in choices}
        return len(numbers) == 1 and sum(1 << cell for cell in {cell for _, cell in choices}) == self.trail.can()[min(numbers)]

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


def solution(kind: Callable[[Any], str]) -> Solution[Any]:
    """The solution of tasks whose data has a `board` with neighbours of a `kind`."""

    def sheet(task: Task[Any]) -> Walk:
        board = task.data.board
        return Walk(trail_of(board, kind(task.data)), len(board[0]))

    return sheet_solution(sheet)
