"""Puzzles worked out fact by fact, each with its reason, in steps that are read back and judged one by one."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Self

from rlgym.generators.grids.paper import Choice, Dead
from rlgym.generators.steps import first_wrong

NAMED = "r2c3 stands for the cell in row 2, column 3."
COMPARED = 6  # suppositions that fail, of which the one with the shortest story is told
_MADE = re.compile(r"([^:]+): (.+)\.")
_FAILED = re.compile(r"Suppose ([^.]+)\. (?:It follows that (.+)\. )?But (.+)\. So ([^.]+)\.")
_INNER = re.compile(r"(.+?) \[(.+)\]")


class Sheet(ABC):
    """A puzzle under work. `take` and `next` raise Dead, with the reason, as soon as something cannot be."""

    @abstractmethod
    def copy(self) -> Self:
        """The same state, to try something on."""

    @abstractmethod
    def next(self) -> tuple[list[Choice], str] | None:
        """Make one deduction: what is now known, and why; None where no rule tells more."""

    @abstractmethod
    def failing(self) -> Sequence[Choice]:
        """Choices whose supposition leads to a contradiction by deductions alone; empty when nothing is open."""

    @abstractmethod
    def take(self, choice: Choice) -> None:
        """Write a choice in."""

    @abstractmethod
    def drop(self, choice: Choice) -> None:
        """Rule a choice out."""

    @abstractmethod
    def said(self, choice: Choice) -> str:
        """The choice in words, without any of . : , ; in them."""

    @abstractmethod
    def denied(self, choice: Choice) -> str:
        """Its denial."""

    @abstractmethod
    def read(self, text: str) -> Choice:
        """The choice that was said; a ValueError or KeyError for other words."""

    @abstractmethod
    def follows(self, choices: Sequence[Choice], why: str) -> bool:
        """Whether the reason holds here and tells all of these."""

    @abstractmethod
    def broken(self, why: str) -> bool:
        """Whether the contradiction told is there."""

    def needed(self, chain: list[tuple[list[Choice], str]], why: str, first: Choice) -> list[tuple[list[Choice], str]]:
        """The deductions of a chain without those that its contradiction does not need."""
        return chain


def explained(sheet: Sheet) -> list[str]:
    """The way to the only solution, a deduction a step; suppositions are about one thing and fail by deductions alone."""
    steps = [NAMED]
    while True:
        if made := sheet.next():
            steps.append(f"{', '.join(map(sheet.said, made[0]))}: {made[1]}.")
        elif wrong := sheet.failing():
            stories = [(_failed(sheet, choice), choice) for choice in wrong[:COMPARED]]
            story, choice = min(stories, key=lambda story: (len(story[0]), story))
            steps.append(story)
            sheet.drop(choice)
        else:
            return steps


def _failed(sheet: Sheet, choice: Choice) -> str:
    trial, chain = sheet.copy(), []
    try:
        trial.take(choice)
        while made := trial.next():
            chain.append(made)
    except Dead as dead:
        kept = sheet.needed(chain, str(dead), choice)
        told = "; ".join(f"{', '.join(map(sheet.said, choices))} [{why}]" for choices, why in kept)
        follows = f"It follows that {told}. " if told else ""
        return f"Suppose {sheet.said(choice)}. {follows}But {dead}. So {sheet.denied(choice)}."
    raise AssertionError("a supposition that fails does so by deductions")


def replayed(sheet: Sheet, steps: Sequence[str], ends: Callable[[str], bool]) -> int | None:
    """The first step that does not follow: each is read, judged by the rule that it names, and written down."""

    def follows(step: str) -> bool:
        if step.startswith("r2c3 stands"):
            return step == NAMED
        if failed := _FAILED.fullmatch(step):
            choice = sheet.read(failed[1])
            if not _fails(sheet, choice, failed[2] or "", failed[3]) or failed[4] != sheet.denied(choice):
                return False
            sheet.drop(choice)
            return True
        made = _MADE.fullmatch(step)
        return made is not None and _judged(sheet, made[1], made[2])

    def followed(step: str) -> bool:
        try:
            return follows(step)
        except Dead:
            return False

    return first_wrong(steps, followed, ends)


def _fails(sheet: Sheet, choice: Choice, chain: str, why: str) -> bool:
    """Whether what is told of a supposition ends in a contradiction."""
    trial = sheet.copy()
    try:
        trial.take(choice)
        for inner in chain.split("; ") if chain else ():
            made = _INNER.fullmatch(inner)
            if made is None or not _judged(trial, made[1], made[2]):
                return False
    except Dead as dead:
        return str(dead) == why
    return trial.broken(why)


def _judged(sheet: Sheet, facts: str, why: str) -> bool:
    choices = [sheet.read(fact) for fact in facts.split(", ")]
    if len(set(choices)) != len(choices) or not sheet.follows(choices, why):
        return False
    for choice in choices:
        sheet.take(choice)
    return True
