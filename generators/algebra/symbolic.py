"""Worked lines of symbols: `name = expression = expression`, written and read back against what is true of the task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from rlgym.answers import trees
from rlgym.answers.trees import Name, Tree, build
from rlgym.core.answer import Answer
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.generators.steps import Line, ended, first_wrong

A = TypeVar("A")
Kinds = Mapping[str, Callable[..., Tree | Fraction | int]]
X = Name("x")
LAST = "Answer: "
EQUALS = " = "
GRAMMAR = trees.Grammar(
    ("x", "y", "z", "t"), trees.FUNCTIONS, trees.CONSTANTS, most_characters=6000, most_nodes=2000, most_depth=300, most_digits=400
)


def line(name: str, *members: Tree | Fraction | int) -> str:
    """A step that says what a named quantity is, in one or several equal ways."""
    written = [trees.write(member if not isinstance(member, Fraction | int) else trees.number(member)) for member in members]
    return EQUALS.join([name, *dict.fromkeys(written)])


def read(text: str) -> Tree:
    """An expression as it stands in a step."""
    return trees.read(text, GRAMMAR)


def replayed(
    task: Task[Any],
    steps: Sequence[str],
    kinds: Kinds,
    answer: Answer[A],
    verify: Callable[[Task[Any], A], Score],
) -> int | None:
    """The first line that names nothing of the task, or says of it what is not so. `kinds` tells what each name with gaps stands for."""
    known = [(Line(text), value) for text, value in kinds.items()]

    def follows(step: str) -> bool:
        name, *members = step.split(EQUALS)
        for pattern, value in known:
            if (gaps := pattern.read(name)) is not None:
                found = value(**gaps)
                tree = found if not isinstance(found, Fraction | int) else trees.number(found)
                return bool(members) and all(trees.same(tree, read(member)) for member in members)
        return False

    return first_wrong(steps, follows, ended(LAST, task, answer, verify))


def polynomial(coefficients: Sequence[Fraction | int], name: str = "x") -> Tree:
    """The polynomial with these coefficients, from the constant term up."""
    return build.of_coefficients(coefficients, name)


def at(coefficients: Sequence[Fraction | int], point: Fraction | int) -> Fraction:
    """The value of a polynomial."""
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = total * point + coefficient
    return total


def slope(coefficients: Sequence[Fraction | int]) -> list[Fraction]:
    """The coefficients of the derivative."""
    return [Fraction(k * coefficient) for k, coefficient in enumerate(coefficients)][1:] or [Fraction(0)]


def product(one: Sequence[Fraction | int], other: Sequence[Fraction | int]) -> list[Fraction]:
    """The coefficients of a product."""
    out = [Fraction(0)] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            out[i + j] += Fraction(a) * b
    return out


def antiderivative(coefficients: Sequence[Fraction | int]) -> list[Fraction]:
    """The coefficients of the antiderivative without constant."""
    return [Fraction(0), *(Fraction(coefficient) / (k + 1) for k, coefficient in enumerate(coefficients))]


def coefficient(rng: Rng, largest: int) -> int:
    """An integer that is not 0, with either sign."""
    return rng.integer(1, largest) * rng.choice((1, -1))
