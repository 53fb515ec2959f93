"""Convert the coordinates of a point between frames that are defined relative to one another."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.calculations import Facts, calculation_line, operand, solution

Pair = tuple[int, int]
Spot = tuple[Fraction, Fraction]
Answer = tuple[tuple[str, Fraction], ...]


class Knobs(Config):
    frames: int = knob(3, easy=1, hard=7, doc="how many frames besides K0")
    size: int = knob(6, easy=4, hard=20, doc="largest coordinate of an origin")
    axes: str = knob("slanted", easy="along", hard="slanted", order=("along", "turned", "slanted"), doc="how the axes of a frame lie")
    direction: str = knob(
        "inwards", easy="outwards", hard="inwards", order=("outwards", "inwards"), doc="from the last frame to the first or back"
    )


class Frame(TaskData):
    parent: int
    origin: Pair
    first: Pair
    second: Pair


class Data(TaskData):
    frames: tuple[Frame, ...]  # that of K1 first
    begin: int
    given: Pair
    end: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A chain: each frame is defined in the one before."""
    return _sample_task(rng, knobs, list(range(knobs.frames)), 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two chains from K0: the way leads out of one and into the other."""
    half = (knobs.frames + 1) // 2
    parents = [k if k != half else 0 for k in range(knobs.frames)]
    return _sample_task(rng, knobs, parents, half if knobs.frames > 1 else 0)


def _sample_task(rng: Rng, knobs: Knobs, parents: Sequence[int], other: int) -> Task[Data]:
    frames = [_sample_frame(rng, knobs, parent) for parent in parents]
    begin, end = (len(frames), other) if knobs.direction == "outwards" else (other, len(frames))
    given = (rng.integer(-knobs.size, knobs.size), rng.integer(-knobs.size, knobs.size))
    listing = "\n".join(
        f"In K{frame.parent}, the frame K{k} has its origin at {frame.origin}, its first basis vector is {frame.first} and "
        f"its second basis vector {frame.second}."
        for k, frame in enumerate(frames, 1)
    )
    prompt = (
        "Each frame gives coordinates to the points of one plane. The point with the coordinates (x, y) in a frame is its origin plus x times its "
        f"first basis vector plus y times its second one.\n{listing}\nA point has the coordinates {given} in K{begin}. "
        f"What are its coordinates x and y in K{end}?"
    )
    return Task(prompt, Data(frames=tuple(frames), begin=begin, given=given, end=end))


def _sample_frame(rng: Rng, knobs: Knobs, parent: int) -> Frame:
    ox, oy = (rng.integer(-knobs.size, knobs.size) for _ in range(2))
    while True:
        a, b, c, d = (rng.integer(-4, 4) for _ in range(4))
        if knobs.axes == "along":
            b, c, d = 0, 0, rng.choice((a, 1))
        elif knobs.axes == "turned":
            sign = rng.choice((-1, 1))
            c, d = -b * sign, a * sign
        if a * d - b * c:
            return Frame(parent=parent, origin=(ox, oy), first=(a, b), second=(c, d))


def _path(data: Data) -> tuple[list[int], list[int]]:
    """The frames to leave and the frames to enter on the way, in order."""
    leave, enter = [], []
    frame_now, there = data.begin, data.end
    while frame_now != there:
        if frame_now > there:
            leave.append(frame_now)
            frame_now = data.frames[frame_now - 1].parent
        else:
            enter.append(there)
            there = data.frames[there - 1].parent
    return leave, enter[::-1]


def _coordinates_by_frame(data: Data) -> list[tuple[int, Spot]]:
    """The frames on the way with the point's coordinates in each."""
    leave, enter = _path(data)
    x, y = map(Fraction, data.given)
    coordinates = [(data.begin, (x, y))]
    for k in leave:
        frame = data.frames[k - 1]
        x, y = (frame.origin[i] + x * frame.first[i] + y * frame.second[i] for i in (0, 1))
        coordinates.append((frame.parent, (x, y)))
    for k in enter:
        (ox, oy), (a, b), (c, d) = data.frames[k - 1].origin, data.frames[k - 1].first, data.frames[k - 1].second
        x, y = ((x - ox) * d - (y - oy) * c) / (a * d - b * c), ((y - oy) * a - (x - ox) * b) / (a * d - b * c)
        coordinates.append((k, (x, y)))
    return coordinates


def solve(task: Task[Data]) -> Answer:
    """Both ends in K0, as functions; then two equations."""
    data = task.data

    def outward(k: int, x: Fraction, y: Fraction) -> Spot:
        while k:
            frame = data.frames[k - 1]
            x, y = (frame.origin[i] + x * frame.first[i] + y * frame.second[i] for i in (0, 1))
            k = frame.parent
        return x, y

    zero, unit = Fraction(0), Fraction(1)
    px, py = outward(data.begin, *map(Fraction, data.given))
    (ox, oy), (ax, ay), (bx, by) = (outward(data.end, *spot) for spot in ((zero, zero), (unit, zero), (zero, unit)))
    a, b, c, d, p, q = ax - ox, bx - ox, ay - oy, by - oy, px - ox, py - oy
    return ("x", (p * d - b * q) / (a * d - b * c)), ("y", (a * q - c * p) / (a * d - b * c))


def verify(task: Task[Data], answer: Answer) -> Score:
    return Score.exact(tuple(value for _, value in answer) == _coordinates_by_frame(task.data)[-1][1], "another point")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    (_, x), (_, y) = right
    back = task.data.model_copy(update={"begin": task.data.end, "end": task.data.begin})
    early = _coordinates_by_frame(task.data)[-2][1]
    tried = [(y, x), (x + 1, y), (-x, -y), _coordinates_by_frame(back)[-1][1], early, (x, y + 1)]
    return [(("x", first), ("y", second)) for first, second in tried]


def cost(task: Task[Data]) -> float:
    leave, enter = _path(task.data)
    size = max(abs(value.numerator) + value.denominator for _, spot in _coordinates_by_frame(task.data) for value in spot)
    return 4.0 * len(leave) + 9 * len(enter) + len(str(size))


def _lines(task: Task[Data]) -> Iterator[str]:
    for (frame_now, (x, y)), (there, _) in pairwise(_coordinates_by_frame(task.data)):
        if frame_now > there:
            frame = task.data.frames[frame_now - 1]
            for i, name in enumerate("xy"):
                formula = f"{operand(frame.origin[i])} + {operand(x)}*{operand(frame.first[i])} + {operand(y)}*{operand(frame.second[i])}"
                yield calculation_line(f"{name} in K{there}", formula)
            continue
        frame = task.data.frames[there - 1]
        (a, b), (c, d) = frame.first, frame.second
        p, q = (f"({operand(value)} - {operand(origin)})" for value, origin in zip((x, y), frame.origin))
        yield calculation_line(f"determinant of K{there}", f"{operand(a)}*{operand(d)} - {operand(b)}*{operand(c)}")
        determinant = operand(a * d - b * c)
        yield calculation_line(f"x in K{there}", f"({p}*{operand(d)} - {q}*{operand(c)})/{determinant}")
        yield calculation_line(f"y in K{there}", f"({q}*{operand(a)} - {p}*{operand(b)})/{determinant}")


def _facts(task: Task[Data]) -> Facts:
    facts = {f"{name} in K{k}": (value, "") for k, spot in _coordinates_by_frame(task.data) for name, value in zip("xy", spot)}
    for k, frame in enumerate(task.data.frames, 1):
        facts[f"determinant of K{k}"] = (Fraction(frame.first[0] * frame.second[1] - frame.first[1] * frame.second[0]), "")
    return facts


environment = Environment(
    Knobs, Assignment(("x", "y"), "the two coordinates as exact numbers, as in x = 3, y = -1/2"), generate, solve, verify, mistakes, cost,
    solution=solution(_lines, _facts, closing="The point has {answer}"), shift=shift,
    concept="Out of a frame, put the coordinates in; into a frame, solve two equations.",
    version=3,
)  # fmt: skip
