"""Puzzles solved on paper: deductions with their reasons, and suppositions that fail where no deduction is left."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self

DEEPEST = 20  # suppositions inside one another; puzzles of a page never come near
Choice = tuple[int, int]
"""A cell and what is written in it."""


class Contradiction(Exception):
    """What has been supposed contradicts the rules; the text says where, and `claim` what was deduced last and leads to it, if anything."""

    claim = ""


@contextmanager
def deducing(claim: str) -> Iterator[None]:
    """Record what is deduced, which is to be stated before a contradiction that it leads to."""
    try:
        yield
    except Contradiction as dead:
        dead.claim = claim
        raise


class PartialSolution(ABC):
    """A puzzle in progress. `assign` raises Contradiction when a choice breaks the rules."""

    @abstractmethod
    def copy(self) -> Self:
        """The same state, to try something on."""

    @abstractmethod
    def assign(self, choice: Choice) -> None:
        """Write a choice in."""

    @abstractmethod
    def eliminate(self, choice: Choice) -> None:
        """Rule a choice out."""

    @abstractmethod
    def claim(self, choice: Choice) -> str:
        """The choice in words: r2c3 = 4."""

    @abstractmethod
    def denial(self, choice: Choice) -> str:
        """Its denial: r2c3 is not 4."""


class Paper(PartialSolution):
    """A puzzle in progress, deduced cell by cell. `next` raises Contradiction as soon as a cell has no choice left."""

    @abstractmethod
    def next(self) -> tuple[str, str] | None:
        """Make one deduction: what is now known, and why; None where no rule tells more."""

    @abstractmethod
    def open(self) -> Sequence[tuple[Choice, ...]]:
        """What each undecided cell can be, cells with few choices first; empty when the puzzle is solved."""

    def may_fail(self, choice: Choice) -> bool:
        """A quick test that need not be sharp: False only where taking the choice leads to no contradiction at once."""
        return True


def explain_deductions(paper: Paper) -> list[str]:
    """The way from the state of a puzzle with one solution to that solution, a deduction a step."""
    steps = ["r2c3 stands for the cell in row 2, column 3."]
    while True:
        if deduction := paper.next():
            steps.append(f"{deduction[0]}: {deduction[1]}.")
        elif paper.open():
            steps.append(_rule_out(paper))
        else:
            return steps


def _rule_out(paper: Paper) -> str:
    """Rule one choice out by a supposition that fails, with as few further suppositions inside it as possible."""
    cells = paper.open()
    for depth in range(DEEPEST):
        for choices in cells:
            for choice in choices:
                if depth or paper.may_fail(choice):
                    refutation = _refutation(paper, choice, depth)
                    if refutation:
                        paper.eliminate(choice)
                        return f"{refutation} So {paper.denial(choice)}."
    raise ValueError("the puzzle has several solutions, so nothing more can be deduced")


def _refutation(paper: Paper, choice: Choice, depth: int) -> str:
    """Why a choice cannot be, with up to `depth` suppositions inside it; empty where these do not tell."""
    trial, forced = paper.copy(), []
    try:
        trial.assign(choice)
        while deduction := trial.next():
            forced.append(deduction[0])
    except Contradiction as dead:
        forced += [dead.claim] if dead.claim else []
        return f"{_supposition(paper, choice, forced)} Then {dead}: contradiction."
    cases = []
    for case in _split(trial, depth):
        refutation = _refutation(trial, case, depth - 1)
        if not refutation:
            return ""
        cases.append(f"({refutation})")
    if not cases:
        return ""
    return f"{_supposition(paper, choice, forced)} Each case left of one cell fails: {' '.join(cases)}"


def _split(trial: Paper, depth: int) -> tuple[Choice, ...]:
    """The cell to branch on next: one most of whose cases fail at once, if there is such a cell."""
    cells = trial.open() if depth else ()
    for most in (0, 1) if depth > 1 else (0,):
        for choices in cells:
            if sum(not trial.may_fail(choice) for choice in choices) <= most:
                return choices
    return cells[0] if cells and depth > 1 else ()


def _supposition(paper: Paper, choice: Choice, forced: list[str]) -> str:
    follows = f" It follows one by one that {', '.join(forced)}." if forced else ""
    return f"Suppose {paper.claim(choice)}.{follows}"
