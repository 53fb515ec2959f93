"""Find the two points that are closest together, and the square of their distance."""

from fractions import Fraction
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.calculations import LINE, CalculationChecker, calculation_line, filled, operand
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import scatters
from rlgym.generators.geometry.planes import NAMES
from rlgym.generators.geometry.scatters import Point
from rlgym.solutions import Checks, Derivation, Solution, Step

SORTED = Step("In order of x: {names}")
PASSED = Step("{name} and those from {other} on: x differs by {gap:int} or more, and {square:int} is not below {best:int}")
END = Step("The closest two and the square of their distance: {answer}")


class Knobs(Config):
    points: int = knob(12, easy=4, hard=30, doc="how many points")
    size: int = knob(30, easy=8, hard=400, scale="log", doc="largest coordinate")
    dimensions: int = knob(2, easy=2, hard=4, doc="coordinates of a point")


class Data(TaskData):
    points: tuple[Point, ...]
    pair: tuple[str, str]
    square: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while not (task := _build_task(scatters.scatter(rng, knobs.points, knobs.size, knobs.dimensions))):
        continue
    return task


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Points near the places of a lattice: many pairs are almost as close as the closest."""
    while not (task := _build_task(scatters.near_lattice(rng, knobs.points, max(knobs.size // 3, knobs.points + 8), knobs.dimensions))):
        continue
    return task


def _build_task(points: list[Point]) -> Task[Data] | None:
    """A task where one pair is closer than all others."""
    (square, one, other), second, *_ = sorted(
        (_squared_distance(points[i], points[j]), i, j) for i, j in combinations(range(len(points)), 2)
    )
    if square == second[0]:
        return None
    prompt = (
        f"Some points: {scatters.describe(points)}.\n\nThe square of the distance of two points is the sum of the squares of the differences of their "
        "coordinates. One pair of points is closer together than any other pair. Name these two points, and then give the square of their distance."
    )
    return Task(prompt, Data(points=tuple(points), pair=(NAMES[one], NAMES[other]), square=square))


def _squared_distance(first: Point, second: Point) -> int:
    return sum((a - b) ** 2 for a, b in zip(first, second))


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Along x, with the best so far as the limit."""
    ordered = sorted(zip(task.data.points, NAMES))
    best, pair = -1, ("", "")
    for k, (point, name) in enumerate(ordered):
        for other, second in ordered[k + 1 :]:
            if best >= 0 and (other[0] - point[0]) ** 2 >= best:
                break
            if best < 0 or _squared_distance(point, other) < best:
                best, pair = _squared_distance(point, other), (name, second)
    return (*sorted(pair, key=NAMES.index), str(best))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) != 3:
        return Score.wrong("expected two names and a number")
    return Score.exact(
        {*answer[:2]} == {*task.data.pair} and answer[2] == str(task.data.square), "another pair is closer, or the number is another"
    )


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    points = task.data.points
    ranked = sorted((_squared_distance(points[i], points[j]), i, j) for i, j in combinations(range(len(points)), 2))
    taxi = min((sum(abs(a - b) for a, b in zip(points[i], points[j])), i, j) for i, j in combinations(range(len(points)), 2))
    second, (_, first, other) = ranked[1], taxi
    return [
        (NAMES[second[1]], NAMES[second[2]], str(second[0])),
        (NAMES[first], NAMES[other], str(taxi[0])) if taxi[0] != ranked[0][0] else (right[0], right[0], right[2]),
        (*right[:2], str(int(right[2]) + 1)),
        (right[0], right[0], right[2]),
        right[:2],
    ]


def cost(task: Task[Data]) -> float:
    points = task.data.points
    return float(len(points) ** 2 * len(points[0]) * len(str(max(map(max, points)))))


def derive(task: Task[Data]) -> Derivation:
    spots = dict(zip(NAMES, task.data.points))
    names, best = sorted(spots, key=lambda name: spots[name]), -1
    yield SORTED(names=" ".join(names))
    for k, name in enumerate(names):
        for other in names[k + 1 :]:
            gap = spots[other][0] - spots[name][0]
            if 0 <= best <= gap * gap:
                yield PASSED(name=name, other=other, gap=gap, square=gap * gap, best=best)
                break
            formula = " + ".join(f"({operand(a)} - {operand(b)})^2" for a, b in zip(spots[name], spots[other]))
            yield filled(calculation_line(_pair_name(name, other), formula), LINE)
            square = _squared_distance(spots[name], spots[other])
            best = square if best < 0 else min(best, square)
    yield END(answer=environment.answer.render((*task.data.pair, str(task.data.square))))


def checks(task: Task[Data]) -> Checks:
    spots = dict(zip(NAMES, task.data.points))
    pairs = {_pair_name(a, b): _squared_distance(spots[a], spots[b]) for a in spots for b in spots if a != b}
    checker = CalculationChecker(task.prompt, {name: (Fraction(square), "") for name, square in pairs.items()})
    order, squares = list[str](), list[int]()

    def sorts(names: str) -> bool:
        order.extend(names.split())
        return set(order) == set(spots) and order == sorted(order, key=lambda name: spots[name])

    def passes(name: str, other: str, gap: int, square: int, best: int) -> bool:
        right = gap == spots[other][0] - spots[name][0] and square == gap * gap >= best == min(squares)
        return right and order.index(name) < order.index(other)

    def calculates(name: str, formula: str, value: str) -> bool:
        squares.append(pairs[name])
        return checker.follows(LINE.write(name=name, formula=formula, value=value))

    return {SORTED: sorts, PASSED: passes, END: lambda answer: min(squares) == task.data.square, LINE: calculates}


def picture(task: Task[Data]) -> str:
    """Seen along all axes but the first two."""
    return pictures.plane({name: (point[0], point[1]) for name, point in zip(NAMES, task.data.points)})


def _pair_name(first: str, second: str) -> str:
    return f"Square of the distance of {first} and {second}"


environment = Environment(
    Knobs, Words("the names of the two points and the number, separated by spaces", max_items=10), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many",
    solutions=lambda task: [(*task.data.pair, str(task.data.square)), (*task.data.pair[::-1], str(task.data.square))],
    concept="Go through the points in order of x; once x alone differs too much, all later points are too far.",
)  # fmt: skip
