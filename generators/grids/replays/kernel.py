"""Checks worked solutions of puzzles step by step: each claim must follow, for the reason given, from what is known so far.

A step is "claims: reason.", or a supposition that fails. Of what follows from a supposition no reasons are given, so each claim must
follow by one rule from what was supposed and claimed before it, and the contradiction at the end by one rule as well.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

from rlgym.core.task import Task
from rlgym.generators.grids.paper import Choice
from rlgym.generators.grids.solutions import text_solution
from rlgym.solutions import Solution

_REFUTATION = re.compile(
    r"Suppose (?P<what>[^.]+)\.(?: It follows one by one that (?P<forced>[^.]+)\.)? "
    r"(?:Then (?P<dead>.+): contradiction\.|(?:Both cases of one more cell fail|Each case left of one cell fails): (?P<cases>\(.+\)))",
    re.DOTALL,
)
_NAMING = re.compile(r"r(\d+)c(\d+) stands for the cell in row \1, column \2\.")
_PLACE = re.compile(r"r([1-9]\d*)c([1-9]\d*)", re.ASCII)
DIGIT_CLAIM = re.compile(r"(r\d+c\d+) (=|is not|is at most|is at least) (\d+(?:, \d+)*)", re.ASCII)
SIGNED_CELLS = r"(?P<cells>(?:r\d+c\d+, )*r\d+c\d+) (?P<verb>is|are) (?P<sign>{signs})"


class Kernel(ABC):
    """What is known so far. The methods record claims and return whether they hold; ValueError and KeyError mean no as well."""

    @abstractmethod
    def copy(self) -> Self:
        """The same knowledge, to suppose something on."""

    @abstractmethod
    def follows_by(self, claims: str, why: str) -> bool:
        """Record claims; whether all follow for this reason."""

    @abstractmethod
    def follows_directly(self, claims: str) -> bool:
        """Record claims; whether each follows by one rule from those before it."""

    @abstractmethod
    def suppose(self, claim: str) -> Choice:
        """Record a claim as supposed; its cell and value."""

    @abstractmethod
    def is_contradiction(self, what: str) -> bool:
        """Whether this contradiction holds, at once or by one more rule."""

    @abstractmethod
    def denies(self, claim: str, choice: Choice) -> bool:
        """Record a claim; whether it denies this choice."""

    @abstractmethod
    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        """Whether one of these choices of one cell must hold."""

    def follows(self, step: str) -> bool:
        """Record a step; whether it follows."""
        if not step.endswith("."):
            return False
        if step.startswith("Suppose "):
            supposition, _, denial = step[:-1].rpartition(" So ")
            choice = _check_refutation(self, supposition)
            return choice is not None and self.denies(denial, choice)
        claims, _, why = step[:-1].partition(": ")
        return self.follows_by(claims, why)


def kernel_solution(
    write: Callable[[Task[Any]], Sequence[str]], kernel: Callable[[Task[Any]], Kernel], closing: str, opening: str = ""
) -> Solution[Any]:
    """A solution that an engine writes and a kernel checks. The `opening` stands first, and may be repeated anywhere."""

    def steps(task: Task[Any]) -> list[str]:
        return [*([opening] if opening else []), *write(task)]

    def checker(task: Task[Any]) -> Callable[[str], bool]:
        known = kernel(task)

        def follows(step: str) -> bool:
            nonlocal known
            if _NAMING.fullmatch(step) or (opening and step == opening):
                return True
            trial = known.copy()
            if not trial.follows(step):
                return False
            known = trial
            return True

        return follows

    return text_solution(steps, checker, closing)


def _check_refutation(kernel: Kernel, text: str) -> Choice | None:
    """The supposition of a text, if it leads to the contradiction that the text says."""
    match = _REFUTATION.fullmatch(text)
    if not match:
        return None
    trial = kernel.copy()
    choice = trial.suppose(match["what"])
    if match["forced"] and not trial.follows_directly(match["forced"]):
        return None
    if match["dead"]:
        return choice if trial.is_contradiction(match["dead"]) else None
    cases = []
    for inner in _outermost_brackets(match["cases"]):
        case = _check_refutation(trial, inner)
        if case is None:
            return None
        cases.append(case)
    return choice if trial.is_exhaustive(cases) else None


def _outermost_brackets(text: str) -> list[str]:
    """The texts in the outermost brackets, which are separated by spaces."""
    brackets, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth and sign == ")":
            brackets.append(text[start + 1 : at])
            start = at + 2
    return brackets


def parts(pattern: re.Pattern[str], text: str, between: tuple[str, ...]) -> list[re.Match[str]]:
    """A text as matches of a pattern with one of the separators between them."""
    parts, at = [], 0
    while True:
        part = pattern.match(text, at)
        if not part:
            raise ValueError(f"not of the form expected: {text[at:]!r}")
        parts.append(part)
        at = part.end()
        if at == len(text):
            return parts
        separator = next((sign for sign in between if text.startswith(sign, at)), None)
        if separator is None:
            raise ValueError(f"not of the form expected: {text[at:]!r}")
        at += len(separator)


def cell_at(name: str, height: int, width: int) -> int:
    match = _PLACE.fullmatch(name)
    if not match or int(match[1]) > height or int(match[2]) > width:
        raise ValueError(f"no cell: {name!r}")
    return (int(match[1]) - 1) * width + int(match[2]) - 1


def as_mask(digits: str, size: int) -> int:
    """The digits of a list as a mask; each once, in order."""
    values = [int(digit) for digit in digits.split(", ")] if digits else []
    if values != sorted(set(values)) or any(not 1 <= digit <= size for digit in values):
        raise ValueError(f"no digits: {digits!r}")
    return sum(1 << digit - 1 for digit in values)
