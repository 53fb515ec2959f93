"""Worked solutions of puzzles read back step by step: each claim must follow, for the reason given, from what is known so far.

A step is "claims: reason.", or a supposition that fails. Of what follows from a supposition no reasons are given, so each claim must
follow by one rule from what was supposed and claimed before it, and the contradiction at the end by one rule as well.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.generators import steps as steps_of
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.paper import Choice

_FAILED = re.compile(
    r"Suppose (?P<what>[^.]+)\.(?: It follows one by one that (?P<forced>[^.]+)\.)? "
    r"(?:Then (?P<dead>.+): contradiction\.|(?:Both cases of one more cell fail|Each case left of one cell fails): (?P<cases>\(.+\)))",
    re.DOTALL,
)
_NAMING = re.compile(r"r(\d+)c(\d+) stands for the cell in row \1, column \2\.")
_PLACE = re.compile(r"r([1-9]\d*)c([1-9]\d*)", re.ASCII)
DIGIT_CLAIM = re.compile(r"(r\d+c\d+) (=|is not|is at most|is at least) (\d+(?:, \d+)*)", re.ASCII)
SIGNED_CELLS = r"(?P<cells>(?:r\d+c\d+, )*r\d+c\d+) (?P<verb>is|are) (?P<sign>{signs})"


class Kernel(ABC):
    """What is known so far. The methods note what they are told and say whether it holds; ValueError and KeyError mean no as well."""

    @abstractmethod
    def copy(self) -> Self:
        """The same knowledge, to suppose something on."""

    @abstractmethod
    def given(self, claims: str, why: str) -> bool:
        """Note claims; whether all follow for this reason."""

    @abstractmethod
    def follow(self, claims: str) -> bool:
        """Note claims; whether each follows by one rule from those before it."""

    @abstractmethod
    def suppose(self, claim: str) -> Choice:
        """Note a claim as true for now; its cell and what is in it."""

    @abstractmethod
    def dead(self, what: str) -> bool:
        """Whether this contradiction shows, at once or by one more rule."""

    @abstractmethod
    def denies(self, claim: str, choice: Choice) -> bool:
        """Note a claim; whether it is the denial of this choice."""

    @abstractmethod
    def among(self, choices: Sequence[Choice]) -> bool:
        """Whether one of these choices of one cell must hold."""


def first_wrong(
    steps: Sequence[str], kernel: Kernel, ends: Callable[[str], bool], also: Callable[[str], bool] = lambda step: False
) -> int | None:
    """The position of the first step that does not follow; `also` accepts steps of other forms, `ends` the last one."""
    return steps_of.first_wrong(steps, lambda step: bool(_NAMING.fullmatch(step)) or also(step) or _follows(kernel, step), ends)


def complete(title: str, task: Task[Any], verify: Callable[[Task[Any], Cells], Score]) -> Callable[[str], bool]:
    """For the last step: whether it is this title and, below it, a grid that is right."""

    def ends(step: str) -> bool:
        said, _, grid = step.partition("\n")
        return said == f"{title}:" and verify(task, tuple(tuple(row.split(" ")) for row in grid.split("\n"))).value == 1

    return ends


def _follows(kernel: Kernel, step: str) -> bool:
    if not step.endswith("."):
        return False
    if step.startswith("Suppose "):
        failed, _, denial = step[:-1].rpartition(" So ")
        choice = _failed(kernel, failed)
        return choice is not None and kernel.denies(denial, choice)
    claims, _, why = step[:-1].partition(": ")
    return kernel.given(claims, why)


def _failed(kernel: Kernel, text: str) -> Choice | None:
    """What was supposed, if it really fails as told."""
    found = _FAILED.fullmatch(text)
    if not found:
        return None
    trial = kernel.copy()
    choice = trial.suppose(found["what"])
    if found["forced"] and not trial.follow(found["forced"]):
        return None
    if found["dead"]:
        return choice if trial.dead(found["dead"]) else None
    cases = []
    for inner in _bracketed(found["cases"]):
        case = _failed(trial, inner)
        if case is None:
            return None
        cases.append(case)
    return choice if trial.among(cases) else None


def _bracketed(text: str) -> list[str]:
    """What stands in the outermost brackets, which follow one another with a space between them."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth and sign == ")":
            found.append(text[start + 1 : at])
            start = at + 2
    return found


def parts(pattern: re.Pattern[str], text: str, between: tuple[str, ...]) -> list[re.Match[str]]:
    """A text as matches of a pattern with one of the separators between them."""
    found, at = [], 0
    while True:
        part = pattern.match(text, at)
        if not part:
            raise ValueError(f"not of the form expected: {text[at:]!r}")
        found.append(part)
        at = part.end()
        if at == len(text):
            return found
        separator = next((sign for sign in between if text.startswith(sign, at)), None)
        if separator is None:
            raise ValueError(f"not of the form expected: {text[at:]!r}")
        at += len(separator)


def cell_at(name: str, height: int, width: int) -> int:
    found = _PLACE.fullmatch(name)
    if not found or int(found[1]) > height or int(found[2]) > width:
        raise ValueError(f"no cell: {name!r}")
    return (int(found[1]) - 1) * width + int(found[2]) - 1


def as_mask(digits: str, size: int) -> int:
    """The digits of a list as a mask; each once, in order."""
    found = [int(digit) for digit in digits.split(", ")] if digits else []
    if found != sorted(set(found)) or any(not 1 <= digit <= size for digit in found):
        raise ValueError(f"no digits: {digits!r}")
    return sum(1 << digit - 1 for digit in found)
