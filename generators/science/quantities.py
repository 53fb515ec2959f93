"""Quantities worked out one after another: written down as lines, and the facts that such lines are read back against."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from rlgym.core.answer import Answer
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.generators.steps import ended, first_wrong
from rlgym.generators.worked import LAST, Sheet, evaluate, inside, shown

A = TypeVar("A")


class Working:
    """Named quantities of a task, each from numbers of its prompt and the quantities before it.

    `constants` are the whole numbers that formulas may use although the prompt does not show them.
    """

    def __init__(self, constants: str = "0 1 2") -> None:
        self.lines: list[str] = []
        self.facts: dict[str, tuple[Fraction, str]] = {}
        self._constants = constants

    def add(self, name: str, unit: str, formula: str, *numbers: Fraction | int) -> Fraction:
        """One more quantity: its formula has a gap {} for each number."""
        filled = formula.format(*map(inside, numbers))
        value = evaluate(filled)
        self.facts[name] = (value, unit)
        self.lines.append(f"{name} = {filled} = {shown(value)}{unit and ' ' + unit}")
        return value

    def total(self, name: str, unit: str, numbers: Sequence[Fraction | int]) -> Fraction:
        """One more quantity: the sum of some numbers."""
        return self.add(name, unit, " + ".join(["{}"] * len(numbers)) or "0", *numbers)

    @property
    def value(self) -> Fraction:
        """The value of the last quantity."""
        return next(reversed(self.facts.values()))[0]

    def steps(self, answer: str = "") -> list[str]:
        """The lines as an explanation; the last one is the answer, unless the answer is a text of its own."""
        return [*self.lines, LAST + answer] if answer else [*self.lines[:-1], LAST + self.lines[-1]]

    def first_wrong(
        self,
        task: Task[Any],
        steps: Sequence[str],
        answer: Answer[A],
        verify: Callable[[Task[Any], A], Score],
        alone: bool = False,
    ) -> int | None:
        """The position of the first step that does not follow; `alone` where the last step is the answer's text."""
        sheet = Sheet(task.prompt, self.facts, self._constants)
        right = ended(LAST, task, answer, verify)

        def ends(step: str) -> bool:
            # A right answer follows only from lines that have its numbers.
            return right(step) and set(re.findall(r"[0-9]+", step)) <= sheet.known

        return first_wrong(steps, sheet.follows, ends if alone else sheet.ends(task, answer, verify))
