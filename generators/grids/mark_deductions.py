"""Deductions that solve a puzzle of yes-or-no questions, in words and read back."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rlgym.generators.grids.bits import members
from rlgym.generators.grids.facts import Sheet
from rlgym.generators.grids.marks import Puzzle, Rule, propagate, with_mark
from rlgym.generators.grids.paper import Choice, Contradiction


@dataclass(frozen=True)
class Words:
    """How a marked and a blank question are spoken of, without any of . : , ; in the words."""

    marked: Sequence[str]
    blank: Sequence[str]

    @cached_property
    def choices(self) -> dict[str, Choice]:
        marked = {text: (i, 1) for i, text in enumerate(self.marked)}
        return marked | {text: (i, 0) for i, text in enumerate(self.blank)}


class Marks(Sheet):
    """Choices are a question with 1 for a mark and 0 for a blank."""

    def __init__(self, puzzle: Puzzle, words: Words, yes: int = 0, no: int = 0) -> None:
        self.puzzle, self.words, self.yes, self.no = puzzle, words, yes, no

    def copy(self) -> "Marks":
        return Marks(self.puzzle, self.words, self.yes, self.no)

    def next(self) -> tuple[list[Choice], str] | None:
        deduction = None
        for rule in (*self.puzzle.local, *self.puzzle.wide):
            forced = rule.forced(self.yes, self.no)
            if forced is None or forced[0] & forced[1]:
                raise Contradiction(f"{rule.why} - impossible")
            if deduction is None and forced != (0, 0):
                deduction = rule, forced
                # A nearby contradiction is reported before any other deduction.
                if rule not in self.puzzle.local:
                    break
        if deduction is None:
            return None
        rule, (must, cannot) = deduction
        self.yes |= must
        self.no |= cannot
        return [(cell, 1) for cell in members(must)] + [(cell, 0) for cell in members(cannot)], rule.why

    def failing(self) -> list[Choice]:
        wrong = []
        for cell in members((1 << self.puzzle.cells) - 1 & ~self.yes & ~self.no):
            ways = [(mark, with_mark(self.yes, self.no, 1 << cell, mark)) for mark in (1, 0)]
            wrong += [(cell, mark) for mark, option in ways if propagate(self.puzzle, *option, 1 << cell) is None]
            if len(wrong) > 5:
                break
        return wrong

    def assign(self, choice: Choice) -> None:
        self.yes, self.no = with_mark(self.yes, self.no, 1 << choice[0], choice[1])

    def eliminate(self, choice: Choice) -> None:
        self.assign((choice[0], 1 - choice[1]))

    def claim(self, choice: Choice) -> str:
        return self.words.marked[choice[0]] if choice[1] else self.words.blank[choice[0]]

    def denial(self, choice: Choice) -> str:
        return self.claim((choice[0], 1 - choice[1]))

    def read(self, text: str) -> Choice:
        return self.words.choices[text]

    def follows(self, choices: Sequence[Choice], why: str) -> bool:
        must = sum(1 << cell for cell, mark in choices if mark)
        cannot = sum(1 << cell for cell, mark in choices if not mark)
        for rule in self.puzzle.named[why]:
            forced = rule.forced(self.yes, self.no)
            if forced and not must & ~forced[0] and not cannot & ~forced[1]:
                return True
        return False

    def broken(self, why: str) -> bool:
        for rule in self.puzzle.named[why.removesuffix(" - impossible")]:
            forced = rule.forced(self.yes, self.no)
            if forced is None or forced[0] & forced[1]:
                return why.endswith(" - impossible")
        return False

    def needed(self, chain: list[tuple[list[Choice], str]], why: str, first: Choice) -> list[tuple[list[Choice], str]]:
        named = self.puzzle.named
        scope = _scope(named[why.removesuffix(" - impossible")])
        kept = []
        for choices, reason in reversed(chain):
            if any(scope >> cell & 1 for cell, _ in choices):
                kept.append((choices, reason))
                scope |= _scope(named[reason])
        return kept[::-1]


def _scope(rules: Sequence[Rule]) -> int:
    cells = 0
    for rule in rules:
        cells |= rule.cells | rule.when
    return cells
