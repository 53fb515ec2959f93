"""Exact chances: how they are asked for, counted, and worked out line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, TypeVar

from rlgym.core.answer import Answer
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.generators import worked
from rlgym.generators.steps import Line, first_wrong

A = TypeVar("A")
Kinds = Mapping[str, Callable[..., Fraction | int]]
CHOOSE = "C({n}, {k})"
MOST_CHOSEN = 500
COUNTERS = " ".join(map(str, range(600)))

_ASKED = (
    "What is the probability that {event}?",
    "Find the probability that {event}.",
    "How likely is it, exactly, that {event}?",
    "Work out the exact probability that {event}.",
    "Which probability does it have that {event}?",
)
_GIVEN = (
    "Given that {known}, what is the probability that {event}?",
    "Find the probability that {event}, given that {known}.",
    "You are told, truthfully, that {known}, and nothing more. How likely is it now that {event}?",
    "Knowing only that {known}, work out the exact probability that {event}.",
    "It turns out that {known}. With this knowledge and no other, which probability does it have that {event}?",
)


def asked(rng: Rng, event: str, known: str = "") -> str:
    """The question for a probability, perhaps a conditional one, in one of several phrasings."""
    return rng.choice(_GIVEN if known else _ASKED).format(event=event, known=known)


def near_misses(right: Fraction, *tempting: Fraction) -> list[Fraction]:
    """Wrong probabilities: the tempting ones, the complement, and a factor of two lost."""
    return [*tempting, 1 - right, right / 2, right * right]


class Quantities(Mapping[str, tuple[Fraction, str]]):
    """Named quantities, each worked out when a line names it: names are sentences with gaps, and what fills the gaps leads to the value."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = [(Line(text), value) for text, value in kinds.items()]

    def __getitem__(self, name: str) -> tuple[Fraction, str]:
        for line, value in self._kinds:
            if (gaps := line.read(name)) is not None:
                return Fraction(value(**gaps)), ""
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Working:
    """A calculation as it is written: each quantity once, where it is first needed."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self._values: dict[str, Fraction] = {}

    def let(self, name: str, formula: str) -> Fraction:
        if name not in self._values:
            self._values[name] = worked.evaluate(formula)
            self.steps.append(f"{name} = {formula} = {worked.shown(self._values[name])}")
        return self._values[name]

    def choose(self, n: int, k: int) -> Fraction:
        k = min(k, n - k)
        above, below = ("*".join(map(str, part)) for part in (range(n, n - k, -1), range(1, k + 1)))
        return self.let(CHOOSE.format(n=n, k=k), f"{above}/({below})" if k > 1 else above or "1")

    def last(self, name: str, formula: str) -> list[str]:
        return [*self.steps, worked.last(name, formula)]


def sum_of(terms: Sequence[Sequence[Fraction | int]]) -> str:
    """The formula of a sum of products; products with a factor of 0 are left out."""
    written = ["*".join(map(worked.inside, factors)) for factors in terms if all(factors)]
    return " + ".join(written) or "0"


def replayed(task: Task[Any], steps: Sequence[str], kinds: Kinds, answer: Answer[A], verify: Callable[[Task[Any], A], Score]) -> int | None:
    """The first line that names no quantity of the task, gives it a wrong value, or does not work it out."""
    sheet = worked.Sheet(task.prompt, Quantities({**kinds, CHOOSE: _chosen}), COUNTERS)
    return first_wrong(steps, sheet.follows, sheet.ends(task, answer, verify))


def _chosen(n: str, k: str) -> int:
    if max(int(n), int(k)) > MOST_CHOSEN:
        raise ValueError("too many to choose from")
    return comb(int(n), int(k))


def solved(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction]:
    """The solution of a system of linear equations that has exactly one."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for i in range(len(table)):
        pivot = next(k for k in range(i, len(table)) if table[k][i])
        table[i], table[pivot] = table[pivot], table[i]
        table[i] = [value / table[i][i] for value in table[i]]
        for k, row in enumerate(table):
            if k != i and row[i]:
                table[k] = [value - row[i] * first for value, first in zip(row, table[i], strict=True)]
    return [row[-1] for row in table]
