"""Write a fraction as a sum of different unit fractions with bounded denominators."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Checks, Derivation, Solution, Step

TAKE = Step("{rest:fraction} - 1/{d:int} = {left:fraction}")
AWAY = Step("The fastest empties: {rest:fraction} + 1/{d:int} = {left:fraction}")
CLOSING = "The integers are {answer}"


class Knobs(Config):
    terms: int = knob(3, easy=2, hard=4, doc="unit fractions that are added")
    largest: int = knob(45, easy=20, hard=160, beyond=600, doc="largest denominator")
    parity: str = knob("any", easy="any", hard="odd", order=("any", "odd"), doc="whether all denominators must be odd")


class Data(TaskData):
    top: int
    bottom: int
    terms: int
    largest: int
    odd: bool
    signs: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_data(rng, knobs, signs=False)
    odd = "odd " if data.odd else ""
    return Task(
        f"Find {data.terms} different {odd}integers from 2 to {data.largest} whose reciprocals add up to {data.top}/{data.bottom}. Any such integers will "
        f"do.",
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The largest of the reciprocals is subtracted instead of added; the story is about pipes that fill and empty a tank."""
    data = _sample_data(rng, knobs, signs=True)
    odd = "an odd" if data.odd else "a whole"
    return Task(
        f"Alone, each of {data.terms} pipes would fill an empty tank (or empty a full one) in {odd} number of minutes from 2 to {data.largest}, no two in "
        f"the same time. The fastest pipe empties the tank; all others fill it. With all pipes open, {abs(data.top)}/{data.bottom} of the tank is "
        f"{'gained' if data.top > 0 else 'lost'} in each minute. Find times that fit, in minutes; any will do.",
        data,
    )


def _sample_data(rng: Rng, knobs: Knobs, signs: bool) -> Data:
    largest = knobs.largest + rng.integer(0, 19)
    pool = range(3, largest + 1, 2) if knobs.parity == "odd" else range(2, largest + 1)
    while True:
        chosen = sorted(rng.sample(pool, knobs.terms))
        total = sum((Fraction(1, d) for d in chosen), Fraction(0)) - (Fraction(2, chosen[0]) if signs else 0)
        if total and total.numerator not in (1, -1):
            return Data(
                top=total.numerator, bottom=total.denominator, terms=knobs.terms, largest=largest, odd=knobs.parity == "odd", signs=signs
            )


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_search_answers(task.data))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    if len(answer) != data.terms or len(set(answer)) < len(answer):
        return Score.wrong(f"{data.terms} different integers are asked for")
    if not all(2 <= d <= data.largest and (d % 2 or not data.odd) for d in answer):
        return Score.wrong("an integer is not of the kind asked for")
    total = sum((Fraction(1, d) for d in answer), Fraction(0)) - (Fraction(2, min(answer)) if data.signs else 0)
    return Score.exact(total == Fraction(data.top, data.bottom), "the reciprocals do not give the fraction")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    return [(*right[:-1], right[-1] + 1), right[:-1], (right[0],) * data.terms, (abs(data.top), data.bottom), tuple(d + 1 for d in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(data.largest ** (data.terms - 1)) * (2.0 if data.signs else 1.0)


def derive(task: Task[Data]) -> Derivation:
    rest = Fraction(task.data.top, task.data.bottom)
    for i, d in enumerate(sorted(solve(task))):
        empties = task.data.signs and i == 0
        rest_after = rest + Fraction(1, d) if empties else rest - Fraction(1, d)
        yield (AWAY if empties else TAKE)(rest=rest, d=d, left=rest_after)
        rest = rest_after


def checks(task: Task[Data]) -> Checks:
    data, rests = task.data, [Fraction(task.data.top, task.data.bottom)]

    def follows(sign: int, rest: Fraction, d: int, left: Fraction) -> bool:
        due = (sign == 1) == (data.signs and len(rests) == 1)
        rests.append(left)
        return due and rest == rests[-2] and left == rest + sign * Fraction(1, d) and 2 <= d <= data.largest

    return {AWAY: partial(follows, 1), TAKE: partial(follows, -1)}


def _search_answers(data: Data) -> Iterator[tuple[int, ...]]:
    """Denominators in ascending order, each within what the rest allows."""
    goal, step = Fraction(data.top, data.bottom), 2 if data.odd else 1
    for first in range(3 if data.odd else 2, data.largest + 1, step) if data.signs else (0,):
        rest = goal + Fraction(1, first) if first else goal
        if rest > 0:
            for others in _search_sums(
                rest.numerator, rest.denominator, data.terms - bool(first), max(first, 1) + 1, data.largest, data.odd
            ):
                yield (first, *others) if first else others


def _search_sums(top: int, bottom: int, terms: int, least: int, most: int, odd: bool) -> Iterator[tuple[int, ...]]:
    if terms == 1:
        d, rest = divmod(bottom, top)
        if not rest and least <= d <= most and (d % 2 or not odd):
            yield (d,)
        return
    for d in range(max(least, bottom // top + 1), min(most, terms * bottom // top) + 1):
        if d % 2 or not odd:
            yield from ((d, *others) for others in _search_sums(top * d - bottom, bottom * d, terms - 1, d + 1, most, odd))


environment = Environment(
    Knobs, Numbers("the integers, separated by commas", max_items=10), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many",
    solutions=lambda task: [answer[::-1] for answer in _search_answers(task.data)],
    concept="The largest of k unit fractions that add up to r lies between r/k and r; try it, and go on with what is left.",
)  # fmt: skip
