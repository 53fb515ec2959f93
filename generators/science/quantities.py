"""Quantities computed one after another: lines of a worked solution, and the facts that check such lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from rlgym.core.task import Task, TaskData
from rlgym.generators.calculations import ANSWER_LINE, LAST, LINE, CalculationChecker, evaluate, filled, format_fraction, operand
from rlgym.solutions import Derivation, Solution, Step, in_order

D = TypeVar("D", bound=TaskData)
ANSWER_TEXT = Step(LAST + "{answer}")


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
        filled = formula.format(*map(operand, numbers))
        value = evaluate(filled)
        self.facts[name] = (value, unit)
        self.lines.append(f"{name} = {filled} = {format_fraction(value)}{unit and ' ' + unit}")
        return value

    def total(self, name: str, unit: str, numbers: Sequence[Fraction | int]) -> Fraction:
        """One more quantity: the sum of some numbers."""
        return self.add(name, unit, " + ".join(["{}"] * len(numbers)) or "0", *numbers)

    @property
    def value(self) -> Fraction:
        """The value of the last quantity."""
        return next(reversed(self.facts.values()))[0]

    @property
    def steps(self) -> list[str]:
        """The lines as a worked solution whose last line is the answer."""
        return [*self.lines[:-1], LAST + self.lines[-1]]

    def checker(self, prompt: str) -> CalculationChecker:
        """A checker of somebody else's lines."""
        return CalculationChecker(prompt, self.facts, self._constants)


def solution(working: Callable[[D], Working], answer: Callable[[Task[D]], str] | None = None) -> Solution[D]:
    """The worked solution of tasks whose data determine a `Working`.

    answer  (task) -> the text of the answer, where it is not the last quantity: it may hold only numbers of the prompt and of the lines before
    """
    closing = ANSWER_TEXT if answer else ANSWER_LINE

    def derive(task: Task[D]) -> Derivation:
        work = working(task.data)
        if answer:
            yield from in_order(filled(line, LINE) for line in work.lines)
            yield ANSWER_TEXT(answer=answer(task))
        else:
            yield from in_order(filled(line, ANSWER_LINE, LINE) for line in work.steps)

    def checks(task: Task[D]) -> Callable[[str], bool]:
        checker = working(task.data).checker(task.prompt)

        def follows(step: str) -> bool:
            if answer and step.startswith(LAST):
                return set(re.findall(r"[0-9]+", step)) <= checker.known
            return checker.follows(step.removeprefix(LAST))

        return follows

    return Solution(derive, closing, checks)
