"""Write a fraction or a square root as a continued fraction."""

from collections.abc import Iterator
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.numbers.factors import Facts, PartialQuotient, continued_fraction, residue_line, residue_solution

CLOSING = "The block is {answer}"
ANSWER = Numbers("the integers of the block in order, separated by commas")
CONCEPT = "Keep the number as (P + sqrt(D))/Q: take its whole part, turn the rest over, and stop when P and Q come again."


class Knobs(Config):
    radicand: int = knob(200, easy=40, hard=2500, doc="largest number under the root, about", scale="log")
    bottom: int = knob(3, easy=1, hard=9, doc="largest number that the root is divided by")


class Data(TaskData):
    radicand: int
    top: int
    bottom: int
    block: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    radicand, top, bottom = _sample_radicand(rng, knobs), rng.integer(1, 99), rng.integer((knobs.bottom + 2) // 3, knobs.bottom)
    number = f"(sqrt({radicand}) + {top})/{bottom}" if bottom > 1 else f"sqrt({radicand}) + {top}"
    return _render_task(number, radicand, top, bottom)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A number divided by the difference of a root and an integer."""
    radicand, target_length = _sample_radicand(rng, knobs), 3 * knobs.bottom
    pairs = [(rng.integer(1, 29 + knobs.bottom), rng.integer(1, max(1, isqrt(radicand) - 1))) for _ in range(6)]
    # factor / (sqrt(r) - less) = (factor sqrt(r) + factor less) / (r - less^2)
    tasks = [_render_task(f"{k}/(sqrt({radicand}) - {less})", radicand * k**2, k * less, radicand - less**2) for k, less in pairs]
    return min(tasks, key=lambda task: abs(len(task.data.block) - target_length))


def _sample_radicand(rng: Rng, knobs: Knobs) -> int:
    while True:
        number = rng.integer(knobs.radicand // 4 + 2, 2 * knobs.radicand + 60)
        if isqrt(number) ** 2 < number:
            return number


def _render_task(number: str, radicand: int, top: int, bottom: int) -> Task[Data]:
    if (radicand - top * top) % bottom:
        radicand, top, bottom = radicand * bottom**2, top * bottom, bottom**2
    rows = continued_fraction(radicand, top, bottom)
    start = [row[:2] for row in rows].index(rows[-1][:2])
    block = tuple(part for _, _, part in rows[start:-1])
    prompt = (
        f"The number {number} is written as an infinite continued fraction a0 + 1/(a1 + 1/(a2 + 1/(a3 + ...))), where a0 is an integer and a1, a2, ... "
        "are integers greater than 0. From some point on the integers a0, a1, a2, ... repeat. What is the shortest block that repeats, beginning with the "
        "first integer of the repeating part? Let the repeating part begin as early as possible."
    )
    return Task(prompt, Data(radicand=radicand, top=top, bottom=bottom, block=block))


def solve(task: Task[Data]) -> tuple[int, ...]:
    """By taking integer parts of x + y sqrt(r) with exact fractions, without the recurrence for P and Q."""
    from fractions import Fraction

    data, seen = task.data, list[tuple[Fraction, Fraction]]()
    x, y, parts = Fraction(data.top, data.bottom), Fraction(1, data.bottom), []
    while (x, y) not in seen:
        seen.append((x, y))
        scale = 10**30
        part = (x * scale + (1 if y > 0 else -1) * isqrt(int(y * y * data.radicand * scale * scale))) // scale
        parts.append(int(part))
        x -= part
        norm = x * x - y * y * data.radicand
        x, y = x / norm, -y / norm
    return tuple(parts[seen.index((x, y)) :])


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    return Score.exact(answer == task.data.block, "the repeating block is different")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [(*right[:-1], right[-1] + 1), right * 2, right[::-1], right[:-1], (*right[1:], right[0])]


def cost(task: Task[Data]) -> float:
    return len(_rows(task.data)) * len(str(task.data.radicand)) * (1.5 if task.data.bottom > 1 else 1.0)


def _lines(task: Task[Data]) -> Iterator[str]:
    data, rows = task.data, _rows(task.data)
    yield residue_line("P0", str(data.top))
    yield residue_line("Q0", str(data.bottom))
    yield _bounds(data)
    for i, (top, bottom, part) in enumerate(rows):
        if i:
            old, under, before = rows[i - 1]
            yield residue_line(f"P{i}", f"{before}*{under} - {old}" if old >= 0 else f"{before}*{under} + {-old}")
            yield residue_line(f"Q{i}", f"({data.radicand} - {abs(top)}^2)/{under}")
        if i < len(rows) - 1:
            yield _integer_part(data, i, top, bottom, part)


def _rows(data: Data) -> list[PartialQuotient]:
    return continued_fraction(data.radicand, data.top, data.bottom)


def _bounds(data: Data) -> str:
    root = isqrt(data.radicand)
    return f"The number is (P0 + sqrt({data.radicand}))/Q0, and {root}^2 < {data.radicand} < {root + 1}^2"


def _integer_part(data: Data, i: int, top: int, bottom: int, part: int) -> str:
    return f"a{i} = {part}, the whole part of ({top} + sqrt({data.radicand}))/{bottom}"


def _facts(task: Task[Data]) -> Facts:
    facts: dict[str, tuple[int, int]] = {}
    for i, (top, bottom, _) in enumerate(_rows(task.data)):
        facts |= {f"P{i}": (top, 0), f"Q{i}": (bottom, 0)}
    return facts


def _sentences(task: Task[Data]) -> set[str]:
    return {_bounds(task.data), *(_integer_part(task.data, i, *row) for i, row in enumerate(_rows(task.data)))}


def _formula_constants(task: Task[Data]) -> list[int]:
    return [task.data.radicand, *(abs(number) for row in _rows(task.data) for number in row)]


solution = residue_solution(_lines, _facts, CLOSING, _formula_constants, _sentences)

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, chains=True, concept=CONCEPT, version=2
)
