"""Solve x^2 - D*y^2 = N, or A*x^2 - B*y^2 = N, in positive integers."""

from collections.abc import Iterator, Sequence
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.numbers.factors import Residues, reduced, surd
from rlgym.generators.steps import ended, first_wrong

END = "x and y are "


class Knobs(Config):
    radicand: int = knob(20000, easy=2000, hard=600000, doc="largest D, about", scale="log")
    turns: int = knob(6, easy=1, hard=30, doc="steps of the continued fraction that the smallest solution takes, about")


class Data(TaskData):
    lead: int
    other: int
    norm: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The right side is one that a step of the continued fraction gives, so that there are solutions."""
    data = _made(rng, knobs, 1)
    equation = f"x^2 - {data.other}*y^2 = {data.norm}"
    return Task(f"Find integers x and y, both greater than 0 and of at most 60 digits, with {equation}. Any solution will do.", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Both squares have a factor, and the equation is told as one about square floors."""
    data = _made(rng, knobs, rng.integer(2, 9 + knobs.turns))
    rest = f"{abs(data.norm)} tile{'s' * (abs(data.norm) > 1)} {'are left over' if data.norm < 0 else 'more are needed'}"
    return Task(
        f"{data.other} square floors, each of y rows of y tiles, are broken up, and of the tiles {data.lead} square floors are laid, each of x "
        f"rows of x tiles. {'After' if data.norm < 0 else 'For'} that {rest}. Find x and y, both greater than 0 and of at most 60 digits. Any numbers "
        "that fit will do.",
        data,
    )


def _made(rng: Rng, knobs: Knobs, lead: int) -> Data:
    while True:
        other = rng.integer(knobs.radicand // 4, knobs.radicand) // lead
        if other > lead and isqrt(lead * other) ** 2 < lead * other:
            break
    top, bottom, turns = 0, lead, knobs.turns + rng.integer(0, 3)
    for _ in range(turns):
        top = (top + isqrt(lead * other)) // bottom * bottom - top
        bottom = (lead * other - top * top) // bottom
    return Data(lead=lead, other=other, norm=(-1) ** turns * bottom)


def solve(task: Task[Data]) -> tuple[int, int]:
    return _convergents(task.data)[-1][3:]


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 2 or min(answer) < 1 or max(answer) >= 10**60:
        return Score.wrong("two integers greater than 0 of at most 60 digits are asked for")
    x, y = answer
    return Score.exact(task.data.lead * x * x - task.data.other * y * y == task.data.norm, "these integers do not solve the equation")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    x, y = right
    return [(y, x), (x + 1, y), (isqrt(task.data.other), 1), (x, -y), (1, 0)]


def cost(task: Task[Data]) -> float:
    return len(_convergents(task.data)) * len(str(solve(task)[0]))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    rows, radicand = _convergents(data), data.lead * data.other
    for i, (top, bottom, part, x, y) in enumerate(rows):
        if i:
            before = rows[i - 1]
            steps.append(reduced(f"P{i}", f"{before[2]}*{before[1]} - {before[0]}"))
            steps.append(reduced(f"Q{i}", f"({radicand} - {top}^2)/{before[1]}"))
        steps.append(f"a{i} = {part}, the whole part of ({top} + sqrt({radicand}))/{bottom}")
        (x1, y1), (x2, y2) = rows[i - 1][3:] if i else (1, 0), rows[i - 2][3:] if i > 1 else (i, 1 - i)
        steps += [reduced(f"x{i}", f"{part}*{x1} + {x2}"), reduced(f"y{i}", f"{part}*{y1} + {y2}")]
        steps.append(reduced(f"{data.lead}*x{i}^2 - {data.other}*y{i}^2", f"{data.lead}*{x}^2 - {data.other}*{y}^2"))
    return [*steps, f"{END}{rows[-1][3]}, {rows[-1][4]}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, facts, told = task.data, dict[str, tuple[int, int]](), set()
    radicand = data.lead * data.other
    for i, (top, bottom, part, x, y) in enumerate(_convergents(data)):
        facts |= {f"P{i}": (top, 0), f"Q{i}": (bottom, 0), f"x{i}": (x, 0), f"y{i}": (y, 0)}
        facts[f"{data.lead}*x{i}^2 - {data.other}*y{i}^2"] = (data.lead * x * x - data.other * y * y, 0)
        told.add(f"a{i} = {part}, the whole part of ({top} + sqrt({radicand}))/{bottom}")
    sheet = Residues(task.prompt, facts, [radicand, data.lead, *(row[2] for row in _convergents(data))])
    return first_wrong(steps, lambda step: step in told or sheet.follows(step), ended(END, task, environment.answer, verify))


def _convergents(data: Data) -> list[tuple[int, int, int, int, int]]:
    """P, Q, the whole part, and numerator and denominator of the convergent, up to the one that solves the equation."""
    rows: list[tuple[int, int, int, int, int]] = []
    radicand = data.lead * data.other
    top, bottom, (x, y), (old_x, old_y) = 0, data.lead, (1, 0), (0, 1)
    while not rows or data.lead * x * x - data.other * y * y != data.norm:
        part = (top + isqrt(radicand)) // bottom
        (x, y), (old_x, old_y) = (part * x + old_x, part * y + old_y), (x, y)
        rows.append((top, bottom, part, x, y))
        top = part * bottom - top
        bottom = (radicand - top * top) // bottom
    return rows


def _solutions(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """By trying small y, and from one solution by multiplying with one for which lead and norm are 1."""
    a, b, norm = task.data.lead, task.data.other, task.data.norm
    for y in range(1, 2000):
        x = isqrt(max(0, b * y * y + norm) // a)
        if x and a * x * x - b * y * y == norm:
            yield x, y
    (x, y), product, u, v = solve(task), a * b, 1, 0
    yield x, y
    before = (0, 1)
    for _, _, part in surd(product)[:60]:
        (u, v), before = (part * u + before[0], part * v + before[1]), (u, v)
        if u * u - product * v * v == 1 and x * u + b * y * v < 10**60:
            yield x * u + b * y * v, a * x * v + y * u


environment = Environment(
    Knobs,
    Numbers("x and y in this order, separated by a comma", most=4),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_solutions,
    concept="The continued fraction of the root of D gives fractions x/y for which x^2 - D*y^2 is small; follow them until it is N.",
)
