"""Deductions that solve a puzzle of cells that are marked or not, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlgym.generators.grids.bits import Puzzle, backtrack, members, most_constrained_cell, propagate
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.paper import Choice, Contradiction, Paper


@dataclass(frozen=True)
class Words:
    """How cells are spoken of: what a marked and an unmarked one is, and why marks so far may break a rule that is no count."""

    marked: Sequence[str]
    blank: Sequence[str]
    broken: str = ""


def explain(puzzle: Puzzle, words: Words, yes: int = 0, no: int = 0) -> list[str]:
    """The way from what is known to the only solution, a deduction a step."""
    right = next(backtrack(puzzle, Budget(10**9), yes, no))
    paper, steps = _Marks(puzzle, words, yes, no), ["r2c3 stands for the cell in row 2, column 3."]
    while True:
        if deduction := paper.next():
            steps.append(f"{deduction[0]}: {deduction[1]}.")
        elif paper.left():
            wrong = [(cell, 1 - (right >> cell & 1)) for cell in members(paper.left())]
            at = paper.split()
            choice = next((choice for choice in wrong if paper.may_fail(choice)), (at, 1 - (right >> at & 1)))
            steps.append(f"{_refutation(paper, choice)} So {paper.denial(choice)}.")
            paper.eliminate(choice)
        else:
            return steps


def _refutation(paper: _Marks, choice: Choice) -> str:
    """Why a choice cannot be, with further suppositions inside it where one does not tell."""
    trial, forced = paper.copy(), []
    try:
        trial.assign(choice)
        while deduction := trial.next():
            forced.append(deduction[0])
    except Contradiction as dead:
        return f"{_supposition(paper, choice, forced)} Then {dead}: contradiction."
    at = trial.split()
    cases = " ".join(f"({_refutation(trial, (at, mark))})" for mark in (1, 0))
    return f"{_supposition(paper, choice, forced)} Both cases of one more cell fail: {cases}"


def _supposition(paper: _Marks, choice: Choice, forced: list[str]) -> str:
    follows = f" It follows one by one that {', '.join(forced)}." if forced else ""
    return f"Suppose {paper.claim(choice)}.{follows}"


class _Marks(Paper):
    """Choices are a cell with 1 for a mark and 0 for a blank."""

    def __init__(self, puzzle: Puzzle, words: Words, yes: int, no: int) -> None:
        self.puzzle, self.words, self.yes, self.no = puzzle, words, yes, no

    def copy(self) -> _Marks:
        return _Marks(self.puzzle, self.words, self.yes, self.no)

    def left(self) -> int:
        return (1 << self.puzzle.cells) - 1 & ~self.yes & ~self.no

    def split(self) -> int:
        """The cell whose two cases are gone through next."""
        return most_constrained_cell(self.puzzle, self.yes, self.no, self.left())

    def open(self) -> list[tuple[Choice, ...]]:
        return [((cell, 1), (cell, 0)) for cell in members(self.left())]

    def assign(self, choice: Choice) -> None:
        if choice[1]:
            self.yes |= 1 << choice[0]
        else:
            self.no |= 1 << choice[0]
        self._check_possible()

    def eliminate(self, choice: Choice) -> None:
        self.assign((choice[0], 1 - choice[1]))

    def claim(self, choice: Choice) -> str:
        return self.words.marked[choice[0]] if choice[1] else self.words.blank[choice[0]]

    def denial(self, choice: Choice) -> str:
        return self.claim((choice[0], 1 - choice[1]))

    def may_fail(self, choice: Choice) -> bool:
        bit = 1 << choice[0]
        ways = (self.yes | bit, self.no) if choice[1] else (self.yes, self.no | bit)
        return propagate(self.puzzle, *ways, self.puzzle.within[choice[0]]) is None

    def next(self) -> tuple[str, str] | None:
        for count in self.puzzle.counts:
            forced = count.forced(self.yes, self.no)
            if forced is None:
                raise Contradiction(f"this breaks the rule that {count.why}")
            if forced != (0, 0):
                must, cannot = forced
                self.yes |= must
                self.no |= cannot
                self._check_possible()
                claims = [self.claim((cell, 1)) for cell in members(must)] + [self.claim((cell, 0)) for cell in members(cannot)]
                return ", ".join(claims), f"since {count.why}"
        return None

    def _check_possible(self) -> None:
        if self.puzzle.possible and not self.puzzle.possible(self.yes, self.no):
            raise Contradiction(self.words.broken)
