"""Worked calculations: lines `name = formula = value unit`, written with exact numbers and read back against what is true of the task."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from rlgym.answers import trees
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.score import Score
from rlgym.core.task import Task

A = TypeVar("A")
Facts = Mapping[str, tuple[Fraction, str]]
LAST = "Answer: "
_STEP = re.compile(r"(.+?) = ([0-9+\-*/^() ]+) = (-?[0-9]+(?:/[0-9]+)?)(?: (.+))?", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_SIGNS = trees.Grammar(operators="+-*/^", most_characters=4000, most_nodes=1500, most_depth=600)


def shown(value: Fraction | int) -> str:
    """A number as it stands alone: 3, -3, 3/4."""
    value = Fraction(value)
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def inside(value: Fraction | int) -> str:
    """A number as it stands in a formula: in brackets where it is negative or a fraction."""
    plain = shown(value)
    return plain if plain.isdigit() else f"({plain})"


def decimal(value: Fraction | int) -> str:
    """A number as an integer or a finite decimal where it has one, else as a fraction."""
    value = Fraction(value)
    for places in range(1, 7):
        if (scaled := value * 10**places).denominator == 1 and value.denominator > 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
    return shown(value)


def added(values: Iterable[Fraction | int]) -> str:
    """The formula of a sum."""
    return " + ".join(map(inside, values)) or "0"


def evaluate(formula: str) -> Fraction:
    """The exact value of a formula of integers, + - * / ^ and brackets; ValueError for anything else, ArithmeticError by 0."""
    return trees.exact(trees.read(formula, _SIGNS))


def line(name: str, formula: str, unit: str = "") -> str:
    """A step that works out a named quantity."""
    return f"{name} = {formula} = {shown(evaluate(formula))}{unit and ' ' + unit}"


def last(name: str, formula: str, unit: str = "") -> str:
    """The step that works out what is asked."""
    return LAST + line(name, formula, unit)


class Sheet:
    """What is read back of a calculation: each line must name a quantity of the task, give its true value, and work it out rightly from
    numbers that stand in the task or in the lines before."""

    def __init__(self, prompt: str, facts: Facts, constants: str = "1 2") -> None:
        self.facts = facts
        self.known = set(constants.split())
        for number in _NUMBER.findall(prompt):
            value = Fraction(number)
            self.known |= {number, str(value.numerator), str(value.denominator)}

    def follows(self, step: str) -> bool:
        found = _STEP.fullmatch(step)
        if not found or found[1] not in self.facts:
            return False
        value, unit = self.facts[found[1]]
        sound = Fraction(found[3]) == value == evaluate(found[2]) and (found[4] or "") == unit
        if not sound or not set(re.findall(r"[0-9]+", found[2])) <= self.known:
            return False
        self.known |= set(re.findall(r"[0-9]+", found[3]))
        return True

    def ends(self, task: Task[Any], answer: Answer[A], verify: Callable[[Task[Any], A], Score]) -> Callable[[str], bool]:
        """For the last step: whether it works out a quantity that is a right answer."""

        def ended(step: str) -> bool:
            if not step.startswith(LAST) or not self.follows(step.removeprefix(LAST)):
                return False
            try:
                return verify(task, answer.parse(step.rpartition(" = ")[2])).value == 1
            except Unreadable:
                return False

        return ended
