"""Exact probabilities: how questions state them, and how they are counted and computed line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import TypeVar

from rlgym.core.rng import Rng
from rlgym.core.task import Task, TaskData
from rlgym.generators import calculations
from rlgym.solutions import Solution, Step

D = TypeVar("D", bound=TaskData)
QuantityTemplates = Mapping[str, Callable[..., Fraction | int]]
BINOMIAL = "C({n}, {k})"
MOST_CHOSEN = 500
COUNTERS = " ".join(map(str, range(600)))

_QUESTIONS = (
    "What is the probability that {event}?",
    "Find the probability that {event}.",
    "How likely is it{exactly} that {event}?",
    "Work out the {exact}probability that {event}.",
    "What is the probability that {event}?",
)
_CONDITIONAL_QUESTIONS = (
    "Given that {known}, what is the probability that {event}?",
    "Find the probability that {event}, given that {known}.",
    "You learn, truthfully, that {known}, and nothing more. How likely is it now that {event}?",
    "Knowing only that {known}, find the {exact}probability that {event}.",
    "It turns out that {known}. Given this and nothing else, what is the probability that {event}?",
)


def render_question(rng: Rng, event: str, known: str = "", rounded: bool = False) -> str:
    """The question for a probability, perhaps a conditional one, in one of several phrasings; none asks for the exact one if it may be `rounded`."""
    words = {"exact": "", "exactly": ""} if rounded else {"exact": "exact ", "exactly": ", exactly,"}
    return rng.choice(_CONDITIONAL_QUESTIONS if known else _QUESTIONS).format(event=event, known=known, **words)


def near_misses(right: Fraction, *tempting: Fraction) -> list[Fraction]:
    """Wrong probabilities: the tempting ones, the complement, and a factor of two lost."""
    return [*tempting, 1 - right, right / 2, right * right]


class Quantities(Mapping[str, tuple[Fraction, str]]):
    """Named quantities, each computed when a line names it: names are sentences with gaps, and what fills the gaps leads to the value."""

    def __init__(self, kinds: QuantityTemplates) -> None:
        self._kinds = [(Step(text), value) for text, value in kinds.items()]

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
        """The value of a quantity; its line is written the first time."""
        if name not in self._values:
            self._values[name] = calculations.evaluate(formula)
            self.steps.append(f"{name} = {formula} = {calculations.format_fraction(self._values[name])}")
        return self._values[name]

    def choose(self, n: int, k: int) -> Fraction:
        """A binomial coefficient, with its line."""
        k = min(k, n - k)
        numerator, denominator = ("*".join(map(str, part)) for part in (range(n, n - k, -1), range(1, k + 1)))
        return self.let(BINOMIAL.format(n=n, k=k), f"{numerator}/({denominator})" if k > 1 else numerator or "1")

    def last(self, name: str, formula: str) -> list[str]:
        """All lines, closed by that of the quantity asked for."""
        return [*self.steps, calculations.answer_line(name, formula)]


def sum_of_products(terms: Sequence[Sequence[Fraction | int]]) -> str:
    """The formula of a sum of products; products with a factor of 0 are left out."""
    written = ["*".join(map(calculations.operand, factors)) for factors in terms if all(factors)]
    return " + ".join(written) or "0"


def solution(lines: Callable[[Task[D]], list[str]], quantities: Callable[[Task[D]], QuantityTemplates]) -> Solution[D]:
    """The worked solution of an environment whose tasks are solved by calculation.

    lines       (task) -> the lines in order, as `Working` writes them
    quantities  (task) -> the quantities that a line may work out: names, which may have gaps, and the value for what fills the gaps
    """
    return calculations.solution(lines, lambda task: Quantities({**quantities(task), BINOMIAL: _binomial}), COUNTERS)


def _binomial(n: str, k: str) -> int:
    if max(int(n), int(k)) > MOST_CHOSEN:
        raise ValueError("too many to choose from")
    return comb(int(n), int(k))


def solve_linear_system(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction]:
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
