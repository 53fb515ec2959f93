"""Solve x^2 - D*y^2 = N, or A*x^2 - B*y^2 = N, in positive integers."""

from collections.abc import Iterator
from math import isqrt
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_short
from rlgym.generators.numbers.factors import Facts, continued_fraction, residue_line, residue_solution

CLOSING = "x and y are {answer}"
ANSWER = Numbers("x and y in this order, separated by a comma", max_items=4)


class Knobs(Config):
    radicand: int = knob(20000, easy=2000, hard=600000, doc="largest D, about", scale="log")
    turns: int = knob(6, easy=1, hard=14, doc="steps of the continued fraction that the smallest solution takes, about")


class Convergent(NamedTuple):
    """A step of the continued fraction: (top + root) / bottom, its whole part, and the convergent x/y."""

    top: int
    bottom: int
    part: int
    x: int
    y: int


class Data(TaskData):
    lead: int
    other: int
    norm: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The right side is the norm of a convergent, so that there are solutions."""
    data = _sample_short(rng, knobs, 1)
    equation = f"x^2 - {data.other}*y^2 = {data.norm}"
    return Task(f"Find integers x and y, both greater than 0 and of at most 60 digits, with {equation}. Any solution will do.", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Both squares have a factor, and the story is about square floors."""
    data = _sample_short(rng, knobs, rng.integer(2, 9 + knobs.turns))
    one = abs(data.norm) == 1
    tiles = f"{abs(data.norm)} {'' if data.norm < 0 else 'more '}tile{'' if one else 's'} {'is' if one else 'are'}"
    return Task(
        f"{data.other} square floors, each of y rows of y tiles, are taken up. The tiles are used to lay {data.lead} square floors, each of x rows of x "
        f"tiles; {tiles} {'left over' if data.norm < 0 else 'needed for that'}. Find x and y, both greater than 0 and of at most 60 digits. Any numbers "
        "that fit will do.",
        data,
    )


def _sample_short(rng: Rng, knobs: Knobs, lead: int) -> Data:
    return draw_short(lambda: _sample_data(rng, knobs, lead), lambda data: solve(Task("", data)))


def _sample_data(rng: Rng, knobs: Knobs, lead: int) -> Data:
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
    last = _convergents(task.data)[-1]
    return last.x, last.y


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


def _lines(task: Task[Data]) -> Iterator[str]:
    data, rows = task.data, _convergents(task.data)
    a, b = data.lead, data.other
    for i, row in enumerate(rows):
        if i:
            before = rows[i - 1]
            yield residue_line(f"P{i}", f"{before.part}*{before.bottom} - {before.top}")
            yield residue_line(f"Q{i}", f"({a * b} - {row.top}^2)/{before.bottom}")
        yield _integer_part(data, i, row)
        x1, y1 = (rows[i - 1].x, rows[i - 1].y) if i else (1, 0)
        x2, y2 = (rows[i - 2].x, rows[i - 2].y) if i > 1 else (i, 1 - i)
        yield residue_line(f"x{i}", f"{row.part}*{x1} + {x2}")
        yield residue_line(f"y{i}", f"{row.part}*{y1} + {y2}")
        yield residue_line(f"{a}*x{i}^2 - {b}*y{i}^2", f"{a}*{row.x}^2 - {b}*{row.y}^2")


def _integer_part(data: Data, i: int, row: Convergent) -> str:
    return f"a{i} = {row.part}, the whole part of ({row.top} + sqrt({data.lead * data.other}))/{row.bottom}"


def _facts(task: Task[Data]) -> Facts:
    a, b, facts = task.data.lead, task.data.other, dict[str, tuple[int, int]]()
    for i, row in enumerate(_convergents(task.data)):
        facts |= {f"P{i}": (row.top, 0), f"Q{i}": (row.bottom, 0), f"x{i}": (row.x, 0), f"y{i}": (row.y, 0)}
        facts[f"{a}*x{i}^2 - {b}*y{i}^2"] = (a * row.x**2 - b * row.y**2, 0)
    return facts


def _sentences(task: Task[Data]) -> set[str]:
    return {_integer_part(task.data, i, row) for i, row in enumerate(_convergents(task.data))}


def _formula_constants(task: Task[Data]) -> list[int]:
    return [task.data.lead * task.data.other, task.data.lead, *(row.part for row in _convergents(task.data))]


def _convergents(data: Data) -> list[Convergent]:
    """The convergents up to the one that solves the equation."""
    rows: list[Convergent] = []
    radicand = data.lead * data.other
    top, bottom, (x, y), (old_x, old_y) = 0, data.lead, (1, 0), (0, 1)
    while not rows or data.lead * x * x - data.other * y * y != data.norm:
        part = (top + isqrt(radicand)) // bottom
        (x, y), (old_x, old_y) = (part * x + old_x, part * y + old_y), (x, y)
        rows.append(Convergent(top, bottom, part, x, y))
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
    for _, _, part in continued_fraction(product)[:60]:
        (u, v), before = (part * u + before[0], part * v + before[1]), (u, v)
        if u * u - product * v * v == 1 and x * u + b * y * v < 10**60:
            yield x * u + b * y * v, a * x * v + y * u


solution = residue_solution(_lines, _facts, CLOSING, _formula_constants, _sentences)

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution, shift=shift, answers="many", solutions=_solutions,
    concept="The continued fraction of the root of D gives fractions x/y for which x^2 - D*y^2 is small; follow them until it is N.", version=3
)  # fmt: skip
