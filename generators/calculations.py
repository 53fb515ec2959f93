"""Worked calculations: lines `name = formula = value unit` with exact numbers, checked against the quantities of the task."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from rlgym.answers import trees
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.solutions import Derivation, Due, Solution, Step, in_order

A = TypeVar("A")
D = TypeVar("D", bound=TaskData)
Facts = Mapping[str, tuple[Fraction, str]]  # the value and the unit of each named quantity
LAST = "Answer: "
_STEP = re.compile(r"(?P<name>.+?) = (?:(?P<formula>[0-9+\-*/^() ]+) = )?(?P<value>-?[0-9]+(?:/[0-9]+)?)(?: (?P<unit>.+))?", re.DOTALL)
_VALUE = re.compile(r"(-?[0-9]+(?:/[0-9]+)?)(?: [^=]+)?", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_GRAMMAR = trees.Grammar(operators="+-*/^", max_characters=4000, max_nodes=1500, max_depth=600)


class CalculationStep(Step):
    """The template of a line `name = formula = value`, with the gaps `formula` and `value` or `answer`.

    A formula that is the value itself is not written: `name = 24`, not `name = 24 = 24`. Both forms are read.
    """

    def __init__(self, template: str) -> None:
        super().__init__(template)
        self._without_formula = Step(template.replace(" = {formula}", "", 1))
        self._value = "value" if "value" in self.types else "answer"

    def write(self, **values: object) -> str:
        number = _VALUE.fullmatch(str(values[self._value]))
        if number and str(values["formula"]) in (number[1], f"({number[1]})"):
            return self._without_formula.write(**{gap: value for gap, value in values.items() if gap != "formula"})
        return super().write(**values)

    def read(self, text: str) -> dict[str, str] | None:
        if (gaps := super().read(text)) is not None:
            number = _VALUE.fullmatch(gaps[self._value])
            return {**gaps, "formula": number[1]} if number and gaps["formula"] == f"({number[1]})" else gaps
        gaps = self._without_formula.read(text)
        number = _VALUE.fullmatch(gaps[self._value]) if gaps else None
        return {**gaps, "formula": number[1]} if gaps and number else None


LINE = CalculationStep("{name} = {formula} = {value}")
ANSWER_LINE = CalculationStep(LAST + "{name} = {formula} = {answer}")


def format_fraction(value: Fraction | int) -> str:
    """A number on its own: 3, -3, 3/4."""
    value = Fraction(value)
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def operand(value: Fraction | int) -> str:
    """A number in a formula: in brackets where it is negative or a fraction."""
    plain = format_fraction(value)
    return plain if plain.isdigit() else f"({plain})"


def format_decimal(value: Fraction | int) -> str:
    """A number as an integer or, where possible, as a finite decimal, else as a fraction."""
    value = Fraction(value)
    for places in range(1, 7):
        if (scaled := value * 10**places).denominator == 1 and value.denominator > 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
    return format_fraction(value)


def sum_formula(values: Iterable[Fraction | int]) -> str:
    """The formula of a sum."""
    return " + ".join(map(operand, values)) or "0"


def evaluate(formula: str) -> Fraction:
    """The exact value of a formula of integers, + - * / ^ and brackets; ValueError for anything else, ArithmeticError by 0."""
    return trees.exact(trees.read(formula, _GRAMMAR))


def calculation_line(name: str, formula: str, unit: str = "") -> str:
    """A step that works out a named quantity."""
    return f"{name} = {formula} = {format_fraction(evaluate(formula))}{unit and ' ' + unit}"


def answer_line(name: str, formula: str, unit: str = "") -> str:
    """The step that works out the quantity asked for."""
    return LAST + calculation_line(name, formula, unit)


def solution(
    lines: Callable[[Task[D]], Iterable[str]],
    facts: Callable[[Task[D]], Facts],
    constants: str = "1 2",
    known: Callable[[Task[D]], Iterable[object]] = lambda task: (),
    closing: str | Step = ANSWER_LINE,
    statements: Callable[[Task[D]], Mapping[Step, Callable[..., bool]]] = lambda task: {},
) -> Solution[D]:
    """The worked solution of tasks that are solved by calculation.

    lines     (task) -> the lines in order, the last one an `answer_line` unless `closing` is a text of its own
    facts     (task) -> the quantities that a line may work out, with their units
    constants integers that formulas may use although the prompt does not show them
    known     (task) -> further numbers that formulas may use
    closing   the template of the last line, where it must be about a certain quantity or is a text of its own
    statements (task) -> steps of other forms, each with its check; formulas may use the numbers in their gaps of type `int`
    """

    def derive(task: Task[D]) -> Derivation:
        yield from in_order(
            filled(text, *([closing] if isinstance(closing, Step) else []), *statements(task), LINE) for text in lines(task)
        )

    def checks(task: Task[D]) -> Callable[[str], bool]:
        checker = CalculationChecker(task.prompt, facts(task), constants)
        checker.known |= set(map(str, known(task)))
        stated = statements(task)

        def follows(step: str) -> bool:
            for template, check in stated.items():
                if (gaps := template.read(step)) is not None:
                    checker.known |= {text for gap, text in gaps.items() if template.types[gap] == "int"}
                    return check(**template.values(gaps))
            return checker.follows(step.removeprefix(LAST))

        return follows

    return Solution(derive, closing, checks)


def filled(text: str, *templates: Step) -> Due:
    """The first template that reads a line, with its gaps filled by it."""
    for template in templates:
        if (gaps := template.read(text)) is not None:
            due = template(**gaps)
            return due.accepting(partial(_same_gaps, template.values(gaps))) if isinstance(template, CalculationStep) else due
    raise ValueError(f"{text!r} is not of the form 'name = formula = value'")


def _same_gaps(gaps: Mapping[str, object], **read: object) -> bool:
    return read == gaps


class CalculationChecker:
    """Checks the lines of a calculation: each must name a quantity of the task, give its true value, and work it out correctly from numbers in
    the prompt or in the lines before."""

    def __init__(self, prompt: str, facts: Facts, constants: str = "1 2") -> None:
        self.facts = facts
        self.known = set(constants.split())
        for number in _NUMBER.findall(prompt):
            value = Fraction(number)
            self.known |= {number, str(value.numerator), str(value.denominator)}

    def follows(self, step: str) -> bool:
        match = _STEP.fullmatch(step)
        if not match or match["name"] not in self.facts:
            return False
        value, unit = self.facts[match["name"]]
        formula = match["formula"] or match["value"]
        sound = Fraction(match["value"]) == value == evaluate(formula) and (match["unit"] or "") == unit
        if not sound or not set(re.findall(r"[0-9]+", formula)) <= self.known:
            return False
        self.known |= set(re.findall(r"[0-9]+", match["value"]))
        return True

    def ends(self, task: Task[Any], answer: Answer[A], verify: Callable[[Task[Any], A], Score]) -> Callable[[str], bool]:
        """A judge of the last step: it must work out a quantity that is a right answer."""

        def ended(step: str) -> bool:
            if not step.startswith(LAST) or not self.follows(step.removeprefix(LAST)):
                return False
            try:
                return verify(task, answer.parse(step.rpartition(" = ")[2])).value == 1
            except Unreadable:
                return False

        return ended
