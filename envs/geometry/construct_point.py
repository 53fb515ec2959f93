"""Find a point with integer coordinates that has all of some asked properties."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import planes
from rlgym.generators.geometry.planes import NAMES, Point, cross, write
from rlgym.solutions import Derivation, Due, Solution, Step

HOLDS = Step("Property {number} of {point}: {shown}, as asked")
END = Step("The point: {answer}")


def _squared_distance(p: Point, q: Point) -> int:
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def _dot(p: Point, a: Point, b: Point) -> int:
    return (a[0] - p[0]) * (b[0] - p[0]) + (a[1] - p[1]) * (b[1] - p[1])


class Property(TaskData):
    kind: str
    names: tuple[str, ...]
    number: int


# What a property says, the number that decides it at a point, and whether it holds with that number.
Shape = tuple[str, Callable[[Point, Sequence[Point]], int], Callable[[int, int], bool], int]
SHAPES: dict[str, Shape] = {
    "line": ("P lies on the line through {0} and {1}", lambda p, q: int(cross(q[0], q[1], p)), lambda value, _: value == 0, 2),
    "equal": (
        "P is equally distant from {0} and {1}",
        lambda p, q: _squared_distance(p, q[0]) - _squared_distance(p, q[1]),
        lambda value, _: value == 0,
        2,
    ),
    "area": (
        "the triangle P {0} {1} has area {half}",
        lambda p, q: abs(int(cross(q[0], q[1], p))),
        lambda value, target: value == target,
        2,
    ),
    "distance": (
        "the square of the distance of P from {0} is {number}",
        lambda p, q: _squared_distance(p, q[0]),
        lambda value, target: value == target,
        1,
    ),
    "right": ("the angle {0} P {1} is a right angle", lambda p, q: _dot(p, *q), lambda value, _: value == 0, 2),
    "sum": (
        "the squares of the distances of P from {0} and {1} add up to {number}",
        lambda p, q: _squared_distance(p, q[0]) + _squared_distance(p, q[1]),
        lambda v, n: v == n,
        2,
    ),
    "nearer": (
        "P is nearer to {0} than to {1}",
        lambda p, q: _squared_distance(p, q[0]) - _squared_distance(p, q[1]),
        lambda value, _: value < 0,
        2,
    ),
    "left": (
        "P lies to the left of the directed line from {0} to {1}",
        lambda p, q: int(cross(q[0], q[1], p)),
        lambda value, _: value > 0,
        2,
    ),
    "blunt": ("the angle {0} P {1} is obtuse", lambda p, q: _dot(p, *q), lambda value, _: value < 0, 2),
    "within": (
        "the square of the distance of P from {0} is at most {number}",
        lambda p, q: _squared_distance(p, q[0]),
        lambda value, most: value <= most,
        1,
    ),
}
SHOWN = {
    "line": "the cross product of the ways from {0} to {1} and to P is {value}",
    "equal": "the squares of the distances from {0} and {1} differ by {value}",
    "area": "twice the area is {value}",
    "sum": "both squares add up to {value}",
    "nearer": "the square of the distance from {0} less that from {1} is {value}",
    "left": "the cross product of the ways from {0} to {1} and to P is {value}",
    "right": "the product of the ways from P to {0} and to {1} is {value}",
    "blunt": "the product of the ways from P to {0} and to {1} is {value}",
    "distance": "the square of the distance from {0} is {value}",
    "within": "the square of the distance from {0} is {value}",
}
STRAIGHT, ROUND, LOOSE = ("line", "equal", "area"), ("distance", "right", "sum"), ("nearer", "left", "blunt", "within")


class Knobs(Config):
    sharp: int = knob(2, easy=1, hard=2, doc="equations among the properties")
    loose: int = knob(2, easy=1, hard=5, doc="inequalities among the properties")
    size: int = knob(12, easy=6, hard=60, scale="log", doc="largest coordinate, with either sign")


class Data(TaskData):
    points: tuple[Point, ...]
    size: int
    properties: tuple[Property, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Equations of straight lines."""
    return _sample_task(rng, knobs, STRAIGHT)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Equations of circles."""
    return _sample_task(rng, knobs, ROUND)


def _sample_task(rng: Rng, knobs: Knobs, sharp: Sequence[str]) -> Task[Data]:
    size = knobs.size
    while True:
        hidden = (rng.integer(-size, size), rng.integer(-size, size))
        points: list[Point] = []
        properties = []
        kinds = rng.sample(sharp, knobs.sharp) + [rng.choice(LOOSE) for _ in range(knobs.loose)]
        for kind in kinds:
            shape = SHAPES[kind]
            spots = _sample_points(rng, kind, hidden, size)
            names = tuple(NAMES[len(points) + k] for k in range(len(spots)))
            value = shape[1](hidden, spots)
            number = value + rng.integer(0, size * 2) if kind == "within" else value
            if not shape[2](value, number) or (kind == "area" and not value) or (kind == "distance" and not value):
                break
            points += spots
            properties.append(Property(kind=kind, names=names, number=number))
        if len(properties) < len(kinds) or len(set(points)) < len(points) or hidden in points:
            continue
        data = Data(points=tuple(points), size=size, properties=tuple(properties))
        common = sum(1 for k in range(40) if _has_all_properties(data, (k % 7 - 3, k // 7 - 3)))
        middles = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in pairwise(points)]
        if common < 3 and not any(_has_all_properties(data, middle) for middle in middles):
            break
    listing = "\n".join(f"{k}. {_describe_property(each)}." for k, each in enumerate(properties, 1))
    coordinates = ", ".join(f"{name} = {write(point)}" for name, point in zip(NAMES, points))
    prompt = (
        f"In the plane, with x to the right and y upwards, there are the points {coordinates}.\n\nFind any point P with integer coordinates from "
        f"{-size} to {size} that is none of these points and meets all of these conditions:\n{listing}"
    )
    return Task(prompt, data)


def _sample_points(rng: Rng, kind: str, hidden: Point, size: int) -> list[Point]:
    """Points for a property, so that equations hold at the hidden point."""
    x, y = hidden
    u, v, k = rng.integer(-size, size) or 1, rng.integer(-size, size), rng.choice((-2, -1, 2, 3))
    short = (u // 2, v // 2)
    ways = {
        "line": [(x + short[0], y + short[1]), (x + k * short[0], y + k * short[1])],
        "equal": [(x + u, y + v), rng.choice([(x - v, y + u), (x + v, y - u), (x - u, y + v), (x + u, y - v), (x + v, y + u)])],
        "right": [(x + u, y + v), (x - k * v, y + k * u)],
    }
    drawn = [(rng.integer(-size, size), rng.integer(-size, size)) for _ in range(SHAPES[kind][3])]
    return ways.get(kind, drawn)


def _describe_property(each: Property) -> str:
    half = f"{each.number // 2}" if each.number % 2 == 0 else f"{each.number}/2"
    sentence = SHAPES[each.kind][0].format(*each.names, number=each.number, half=half)
    return sentence[0].upper() + sentence[1:]


def _value(data: Data, each: Property, point: Point) -> int:
    return SHAPES[each.kind][1](point, [data.points[NAMES.index(name)] for name in each.names])


def _has_all_properties(data: Data, point: Point) -> bool:
    return point not in data.points and all(SHAPES[each.kind][2](_value(data, each, point), each.number) for each in data.properties)


def _search(data: Data, order: int) -> Iterator[Point]:
    """By trying all points of the square."""
    span = range(-data.size, data.size + 1)[::order]
    spots = [(each, SHAPES[each.kind], [data.points[NAMES.index(name)] for name in each.names]) for each in data.properties]
    for x in span:
        for y in span:
            if (x, y) not in data.points and all(holds(value((x, y), points), each.number) for each, (_, value, holds, _), points in spots):
                yield x, y


def solve(task: Task[Data]) -> Point:
    return next(_search(task.data, 1))


def solutions(task: Task[Data]) -> list[Point]:
    """The first ones from the other end."""
    return [point for point, _ in zip(_search(task.data, -1), range(3))]


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 2 or max(map(abs, answer)) > task.data.size:
        return Score.wrong(f"expected two coordinates from {-task.data.size} to {task.data.size}")
    point = (answer[0], answer[1])
    for number, each in enumerate(task.data.properties, 1):
        if not SHAPES[each.kind][2](_value(task.data, each, point), each.number):
            return Score.wrong(f"property {number} does not hold")
    return Score.exact(point not in task.data.points, "P is one of the given points")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    x, y = right
    return [(y, x), (-x, -y), (x + 1, y), (x, y - 1), (x + task.data.size * 2 + 1, y), task.data.points[0], (x, y, 0)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(
        len(data.properties) * (1 + len(str(data.size))) + data.size + 8 * sum(each.kind in STRAIGHT + ROUND for each in data.properties)
    )


def derive(task: Task[Data]) -> Derivation:
    data, point = task.data, solve(task)
    for k in range(1, len(data.properties) + 1):
        due = _property_step(data, k, point)
        taken = yield due if k > 1 else due.accepting(partial(_is_first_step, data))
        (point,) = planes.lattice_points_in(taken["point"])
    yield END(answer=write(point).strip("()"))


def _property_step(data: Data, k: int, point: Point) -> Due:
    each = data.properties[k - 1]
    return HOLDS(number=k, point=write(point), shown=SHOWN[each.kind].format(*each.names, value=_value(data, each, point)))


def _is_first_step(data: Data, **values: str) -> bool:
    """Whether a step says truly that some point has the first property."""
    (point,), each = planes.lattice_points_in(values["point"]), data.properties[0]
    holds = SHAPES[each.kind][2](_value(data, each, point), each.number)
    return holds and HOLDS.write(**values) == _property_step(data, 1, point).text


def picture(task: Task[Data]) -> str:
    return pictures.plane(dict(zip(NAMES, task.data.points)))


environment = Environment(
    Knobs, Numbers("the two coordinates of P, separated by a comma", max_items=2), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Turn the equations into equations in x and y, solve them together, and keep what the inequalities allow.",
    version=4,
)  # fmt: skip
