"""Sentences about unknown numbers, each a linear equation, of which exactly so many are false.

Any of them may be false, so that a number follows from no sentence alone: for each choice of the false ones the others must be held together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.stories.phrasing import phrase
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Step

MOST = 40  # of anything that one of them has
WORDS = {
    "total": ("Together, {a} have {n} {goods}.", "{a} have {n} {goods} between them.", "The {goods} of {a} add up to {n}."),
    "ahead": (
        "Together, {a} have {n} more {goods} than {b}{together}.",
        "If {a} together gave away {n} {goods}, they would be left with as many as {b}{together}.",
        "The {goods} of {a} together outnumber those of {b} by {n}.",
    ),
}
CLASH = Step("Without sentences {out} the others contradict each other.")
BROKEN = Step("Without sentences {out} the others give {values}, which are not all whole numbers above 0.")
TRUE = Step("Without sentences {out} the others give {values}, but then not all of {out} are false.")
FITS = Step("Without sentences {out} the others give {values}, and all of {out} are false.")


class Equation(TaskData):
    """The sum of each number times its weight is `total`."""

    weights: tuple[int, ...]
    total: int

    def holds(self, numbers: Sequence[Fraction | int]) -> bool:
        return sum(weight * number for weight, number in zip(self.weights, numbers, strict=True)) == self.total


class Sentences(TaskData):
    """`names` have numbers above 0; `false` of the sentences are false, and all of `certain` are true."""

    names: tuple[str, ...]
    said: tuple[Equation, ...]
    certain: tuple[Equation, ...]
    false: int


def eliminate(equations: Sequence[Equation], size: int) -> tuple[Fraction, ...] | str:
    """The only solution, or why there is none: clash or open. Elimination in integers."""
    rows = [[*equation.weights, equation.total] for equation in equations]
    pivots = list[list[int]]()
    for column in range(size):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows = [
            [a * pivot[column] - b * row[column] for a, b in zip(row, pivot)] if row[column] else row for row in rows if row is not pivot
        ]
        pivots.append(pivot)
    if any(row[size] for row in rows):
        return "clash"
    if len(pivots) < size:
        return "open"
    values = [Fraction(0)] * size
    for column, pivot in reversed(list(enumerate(pivots))):
        rest = sum((pivot[later] * values[later] for later in range(column + 1, size)), Fraction(0))
        values[column] = (pivot[size] - rest) / pivot[column]
    return tuple(values)


def are_counts(values: Sequence[Fraction]) -> bool:
    return all(value > 0 and value.denominator == 1 for value in values)


def trials(sentences: Sentences) -> Iterator[tuple[tuple[int, ...], tuple[Fraction, ...] | str]]:
    """For each choice of the false sentences what the others give."""
    places, size = range(len(sentences.said)), len(sentences.names)
    for out in combinations(places, sentences.false):
        kept = [sentences.said[i] for i in places if i not in out]
        yield out, eliminate([*sentences.certain, *kept], size)


def only_numbers(sentences: Sentences) -> tuple[int, ...] | None:
    """The only numbers that fit; None where there are none or several."""
    found = set[tuple[int, ...]]()
    for out, values in trials(sentences):
        if values == "open":
            return None
        if not isinstance(values, str) and are_counts(values) and not any(sentences.said[i].holds(values) for i in out):
            found.add(tuple(map(int, values)))
            if len(found) > 1:
                return None
    return next(iter(found), None)


def numbers_by_bases(sentences: Sentences) -> tuple[int, ...]:
    """The same numbers by another route: as many sentences as there are unknowns give all numbers, and the false ones are counted then."""
    size = len(sentences.names)
    for chosen in combinations(sentences.said, size - len(sentences.certain)):
        values = eliminate([*sentences.certain, *chosen], size)
        if isinstance(values, str) or not are_counts(values):
            continue
        if sum(not equation.holds(values) for equation in sentences.said) == sentences.false:
            return tuple(map(int, values))
    raise ValueError("no numbers fit so many false sentences")


def derive(sentences: Sentences) -> Derivation:
    for out, values in trials(sentences):
        numbered = ", ".join(str(i + 1) for i in out)
        if isinstance(values, str):
            yield CLASH(out=numbered)
            continue
        given = ", ".join(f"{name} {value}" for name, value in zip(sentences.names, values))
        if not are_counts(values):
            yield BROKEN(out=numbered, values=given)
        elif any(sentences.said[i].holds(values) for i in out):
            yield TRUE(out=numbered, values=given)
        else:
            yield FITS(out=numbered, values=given)


def sample(rng: Rng, names: Sequence[str], false: int, total_known: bool) -> tuple[Sentences, tuple[int, ...]]:
    """Sentences about groups of people, one more of them true than there are people, and the only numbers that fit; with `total_known`, it is
    certain how much all have together."""
    size = len(names)
    while True:
        numbers = tuple(rng.integer(2, MOST) for _ in names)
        said = [_sample_equation(rng, numbers) for _ in range(size + 1 + false)]
        for i in rng.sample(range(len(said)), false):
            said[i] = said[i].model_copy(update={"total": said[i].total + rng.choice((-1, 1)) * rng.integer(1, 12)})
        if len({equation.weights for equation in said}) < len(said) or min(equation.total for equation in said) < 2:
            continue
        certain = (Equation(weights=(1,) * size, total=sum(numbers)),) if total_known else ()
        sentences = Sentences(names=tuple(names), said=tuple(said), certain=certain, false=false)
        if only_numbers(sentences) == numbers:
            return sentences, numbers


def render(rng: Rng, names: Sequence[str], equation: Equation, goods: str) -> str:
    first, second = ([name for name, weight in zip(names, equation.weights) if weight == sign] for sign in (1, -1))
    together = " together" if len(second) > 1 else ""
    names_of = {"a": join_words(first), "b": join_words(second or first), "together": together}
    return phrase(rng, WORDS["ahead" if second else "total"], **names_of, n=equation.total, goods=goods)


def _sample_equation(rng: Rng, numbers: Sequence[int]) -> Equation:
    """That a group has so many together, or so many more than another group, which is true of these numbers."""
    people = rng.shuffled(range(len(numbers)))
    if rng.chance(0.4):
        first, second = people[: rng.integer(2, len(numbers) - 1)], []
    else:
        first, second = people[:2], people[2 : rng.integer(3, 4)]
    gap = sum(numbers[i] for i in first) - sum(numbers[i] for i in second)
    if gap < 0 and len(second) > 1:
        first, second, gap = second, first, -gap
    if gap < 2:
        return _sample_equation(rng, numbers)
    return Equation(weights=tuple((i in first) - (i in second) for i in range(len(numbers))), total=gap)
