"""Replays of puzzles whose cells are marked or not, under rules that count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rlgym.core.task import Task
from rlgym.generators.grids import bits, count_deductions
from rlgym.generators.grids.paper import Choice
from rlgym.generators.grids.replays.kernel import Kernel, kernel_solution
from rlgym.solutions import Solution


class Marks(Kernel):
    """Cells that are marked or not, under rules that count (generators/grids/bits.py)."""

    def __init__(self, puzzle: bits.Puzzle, words: count_deductions.Words, yes: int = 0, no: int = 0) -> None:
        self.puzzle, self.words, self.yes, self.no = puzzle, words, yes, no
        self.choices = {text: (cell, mark) for mark, texts in enumerate((words.blank, words.marked)) for cell, text in enumerate(texts)}
        self.rules: dict[str, list[bits.Count]] = {}
        for count in puzzle.counts:
            self.rules.setdefault(count.why, []).append(count)

    def copy(self) -> Marks:
        other = object.__new__(Marks)
        other.__dict__ |= self.__dict__
        return other

    def follows_by(self, claims: str, why: str) -> bool:
        if not why.startswith("since "):
            return False
        forced = [forced_bits for count in self.rules[why.removeprefix("since ")] if (forced_bits := count.forced(self.yes, self.no))]
        choices = [self.choices[claim] for claim in claims.split(", ")]
        for cell, mark in choices:
            self._record(cell, mark)
        return all(any(forced_bits[1 - mark] >> cell & 1 for forced_bits in forced) for cell, mark in choices)

    def follows_directly(self, claims: str) -> bool:
        for claim in claims.split(", "):
            cell, mark = self.choices[claim]
            counts = (self.puzzle.counts[i] for i in self.puzzle.within[cell])
            if not any(forced_bits[1 - mark] >> cell & 1 for count in counts if (forced_bits := count.forced(self.yes, self.no))):
                return False
            self._record(cell, mark)
        return True

    def suppose(self, claim: str) -> Choice:
        choice = self.choices[claim]
        self._record(*choice)
        return choice

    def is_contradiction(self, what: str) -> bool:
        if what.startswith("this breaks the rule that "):
            return any(count.forced(self.yes, self.no) is None for count in self.rules[what.removeprefix("this breaks the rule that ")])
        possible = self.puzzle.possible
        if what != self.words.broken or not possible:
            return False
        forced = {forced_bits for count in self.puzzle.counts if (forced_bits := count.forced(self.yes, self.no))} | {(0, 0)}
        return any(not possible(self.yes | must, self.no | cannot) for must, cannot in sorted(forced))

    def denies(self, claim: str, choice: Choice) -> bool:
        cell, mark = self.choices[claim]
        self._record(cell, mark)
        return (cell, 1 - mark) == choice

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        return sorted(choices) == [(choices[0][0], 0), (choices[0][0], 1)]

    def _record(self, cell: int, mark: int) -> None:
        if mark:
            self.yes |= 1 << cell
        else:
            self.no |= 1 << cell


class MarkPuzzle(NamedTuple):
    """A puzzle of marks, its words, and the cells known to be marked and blank at first."""

    puzzle: bits.Puzzle
    words: count_deductions.Words
    yes: int = 0
    no: int = 0


def mark_solution(puzzle: Callable[[Task[Any]], MarkPuzzle], closing: str, opening: str = "") -> Solution[Any]:
    """The solution of puzzles whose cells are marked or not."""
    return kernel_solution(lambda task: count_deductions.explain(*puzzle(task)), lambda task: Marks(*puzzle(task)), closing, opening)
