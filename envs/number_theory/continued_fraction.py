"""Write a fraction or a square root as a continued fraction."""

from collections.abc import Sequence
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.numbers.factors import Residues, reduced, surd
from rlgym.generators.steps import ended, first_wrong

END = "The block is "


class Knobs(Config):
    radicand: int = knob(200, easy=40, hard=2500, doc="largest number under the root, about", scale="log")
    bottom: int = knob(3, easy=1, hard=9, doc="largest number that the root is divided by")


class Data(TaskData):
    radicand: int
    top: int
    bottom: int
    block: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    radicand, top, bottom = _radicand(rng, knobs), rng.integer(1, 99), rng.integer((knobs.bottom + 2) // 3, knobs.bottom)
    number = f"(sqrt({radicand}) + {top})/{bottom}" if bottom > 1 else f"sqrt({radicand}) + {top}"
    return _told(number, radicand, top, bottom)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The reciprocal of a difference with a multiple of a root."""
    radicand, wanted = _radicand(rng, knobs), 3 * knobs.bottom
    pairs = [(rng.integer(1, 29 + knobs.bottom), rng.integer(1, max(1, isqrt(radicand) - 1))) for _ in range(6)]
    # factor / (sqrt(r) - less) = (factor sqrt(r) + factor less) / (r - less^2)
    tasks = [_told(f"{k}/(sqrt({radicand}) - {less})", radicand * k**2, k * less, radicand - less**2) for k, less in pairs]
    return min(tasks, key=lambda task: abs(len(task.data.block) - wanted))


def _radicand(rng: Rng, knobs: Knobs) -> int:
    while True:
        number = rng.integer(knobs.radicand // 4 + 2, 2 * knobs.radicand + 60)
        if isqrt(number) ** 2 < number:
            return number


def _told(number: str, radicand: int, top: int, bottom: int) -> Task[Data]:
    if (radicand - top * top) % bottom:
        radicand, top, bottom = radicand * bottom**2, top * bottom, bottom**2
    rows = surd(radicand, top, bottom)
    start = [row[:2] for row in rows].index(rows[-1][:2])
    block = tuple(part for _, _, part in rows[start:-1])
    prompt = (
        f"The number {number} is written as an infinite continued fraction a0 + 1/(a1 + 1/(a2 + 1/(a3 + ...))), where a0 is an integer and a1, a2, ... "
        "are integers greater than 0. From some point on the integers a0, a1, a2, ... repeat. What is the shortest block that repeats, beginning with the "
        "first integer that belongs to the repeating part (as early as possible)?"
    )
    return Task(prompt, Data(radicand=radicand, top=top, bottom=bottom, block=block))


def solve(task: Task[Data]) -> tuple[int, ...]:
    """By taking whole parts of (x + y sqrt(r))/z, with nothing known about how x, y and z behave."""
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
    return Score.exact(answer == task.data.block, "the repeating block is another one")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [(*right[:-1], right[-1] + 1), right * 2, right[::-1], right[:-1], (*right[1:], right[0])]


def cost(task: Task[Data]) -> float:
    return (
        len(surd(task.data.radicand, task.data.top, task.data.bottom))
        * len(str(task.data.radicand))
        * (1.5 if task.data.bottom > 1 else 1.0)
    )


def explain(task: Task[Data]) -> list[str]:
    data, rows = task.data, surd(task.data.radicand, task.data.top, task.data.bottom)
    root = isqrt(data.radicand)
    steps = [
        reduced("P0", str(data.top)),
        reduced("Q0", str(data.bottom)),
        f"The number is (P0 + sqrt({data.radicand}))/Q0, and {root}^2 < {data.radicand} < {root + 1}^2",
    ]
    for i, (top, bottom, part) in enumerate(rows):
        if i:
            old, under, before = rows[i - 1]
            steps.append(reduced(f"P{i}", f"{before}*{under} - {old}" if old >= 0 else f"{before}*{under} + {-old}"))
            steps.append(reduced(f"Q{i}", f"({data.radicand} - {abs(top)}^2)/{under}"))
        if i < len(rows) - 1:
            steps.append(f"a{i} = {part}, the whole part of ({top} + sqrt({data.radicand}))/{bottom}")
    return [*steps, END + ", ".join(map(str, solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, rows = task.data, surd(task.data.radicand, task.data.top, task.data.bottom)
    root = isqrt(data.radicand)
    facts: dict[str, tuple[int, int]] = {}
    told = {f"The number is (P0 + sqrt({data.radicand}))/Q0, and {root}^2 < {data.radicand} < {root + 1}^2"}
    for i, (top, bottom, part) in enumerate(rows):
        facts |= {f"P{i}": (top, 0), f"Q{i}": (bottom, 0)}
        told.add(f"a{i} = {part}, the whole part of ({top} + sqrt({data.radicand}))/{bottom}")
    numbers = [abs(number) for row in rows for number in row]
    sheet = Residues(task.prompt, facts, [data.radicand, *numbers])
    return first_wrong(steps, lambda step: step in told or sheet.follows(step), ended(END, task, environment.answer, verify))


environment = Environment(
    Knobs,
    Numbers("the integers of the block in order, separated by commas"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="Keep the number as (P + sqrt(D))/Q: take its whole part, turn the rest over, and stop when P and Q come again.",
)
