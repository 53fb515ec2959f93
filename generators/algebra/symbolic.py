"""Worked solutions by lines `name = expression = expression`, and polynomials as lists of coefficients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Name, Tree, build
from rlgym.core.rng import Rng
from rlgym.core.task import Task, TaskData
from rlgym.solutions import Checks, Derivation, Solution, Step

D = TypeVar("D", bound=TaskData)
Quantities = Mapping[str, Callable[..., Tree | Fraction | int]]
X = Name("x")
EQUALS = " = "
LINE = Step("{name} = {members}")
CLOSING = "Answer: {answer}"
GRAMMAR = trees.Grammar(
    ("x", "y", "z", "t"), trees.FUNCTIONS, trees.CONSTANTS, max_characters=6000, max_nodes=2000, max_depth=300, max_digits=400
)


def equation_line(name: str, *members: Tree | Fraction | int) -> str:
    """A step that says what a named quantity is, in one or several equal ways."""
    written = [trees.write(member if not isinstance(member, Fraction | int) else trees.number(member)) for member in members]
    return EQUALS.join([name, *dict.fromkeys(written)])


@lru_cache(maxsize=4096)
def read(text: str) -> Tree:
    """The expression that a text spells; trees are immutable, so recent ones are cached."""
    return trees.read(text, GRAMMAR)


def solution(lines: Callable[[Task[D]], Iterable[str]], quantities: Callable[[Task[D]], Quantities]) -> Solution[D]:
    """The worked solution of tasks that are solved by equations between expressions.

    lines       (task) -> the lines in order, as `equation_line` writes them
    quantities  (task) -> the quantities that a line may be about: names, which may have gaps, and the value for what fills the gaps
    """

    def derive(task: Task[D]) -> Derivation:
        for text in lines(task):
            name, _, members = text.partition(EQUALS)
            _ = yield LINE(name=name, members=members)

    def checks(task: Task[D]) -> Checks:
        known = [(Step(name), value) for name, value in quantities(task).items()]

        def holds(name: str, members: str) -> bool:
            for template, value in known:
                if (gaps := template.read(name)) is not None:
                    expected = value(**gaps)
                    tree = trees.number(expected) if isinstance(expected, Fraction | int) else expected
                    return all(trees.same(tree, read(member)) for member in members.split(EQUALS))
            return False

        return {LINE: holds}

    return Solution(derive, CLOSING, checks)


def polynomial(coefficients: Sequence[Fraction | int], name: str = "x") -> Tree:
    """The polynomial with these coefficients, from the constant term up."""
    return build.of_coefficients(coefficients, name)


def evaluate(coefficients: Sequence[Fraction | int], point: Fraction | int) -> Fraction:
    """The value of a polynomial."""
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = total * point + coefficient
    return total


def multiply(left: Sequence[Fraction | int], right: Sequence[Fraction | int]) -> list[Fraction]:
    """The coefficients of a product."""
    out = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            out[i + j] += Fraction(a) * b
    return out


def antiderivative(coefficients: Sequence[Fraction | int]) -> list[Fraction]:
    """The coefficients of the antiderivative without constant."""
    return [Fraction(0), *(Fraction(coefficient) / (k + 1) for k, coefficient in enumerate(coefficients))]


def sample_coefficient(rng: Rng, largest: int) -> int:
    """A random integer other than 0, of either sign."""
    return rng.integer(1, largest) * rng.choice((1, -1))


def without_exponentials(tree: Tree) -> Tree:
    """The tree with 1 in place of every power of e."""
    if isinstance(tree, Apply):
        return build.ONE if tree.head == "exp" else Apply(tree.head, tuple(map(without_exponentials, tree.parts)))
    return tree
