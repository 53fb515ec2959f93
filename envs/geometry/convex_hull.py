"""Name the corners of the smallest convex polygon around some points, counterclockwise."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import pictures, planes, scatters
from rlgym.generators.planes import NAMES, Point
from rlgym.generators.steps import Line, ended, first_wrong

SPREADS = ("scattered", "rows", "ring")
FIRST = Line("The first corner is {name}: its x = {x} is the least, and its y = {y} is the least for that x")
NEXT = Line(
    "From {a} to {b}: the cross products of this way with the way to each other point are {crosses}, none negative, so a side runs there"
)
END = "The corners: "


class Knobs(Config):
    points: int = knob(12, easy=5, hard=32, doc="how many points")
    size: int = knob(20, easy=6, hard=300, scale="log", doc="largest coordinate")
    spread: str = knob(
        "rows", easy="scattered", hard="ring", order=SPREADS, doc="how the points lie: in rows many are no corners, on a ring few"
    )


class Data(TaskData):
    points: tuple[Point, ...]
    corners: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    draw = {"scattered": scatters.scattered, "rows": scatters.in_rows, "ring": scatters.around_ring}[knobs.spread]
    return _made(lambda: draw(rng, knobs.points, knobs.size))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Clusters far apart."""
    return _made(lambda: scatters.in_clusters(rng, knobs.points, knobs.size))


def _made(draw: Callable[[], list[scatters.Point]]) -> Task[Data]:
    while len(around := planes.hull(points := [(x, y) for x, y in draw()])) < 3:
        continue
    names = dict(zip(points, NAMES))
    prompt = (
        f"Some points of the plane: {scatters.told(points)}.\n\nTake the smallest convex polygon that holds all of them. Name its corners in "
        "counterclockwise order (x grows to the right, y upwards), each once, beginning with the corner that has the least x, and of several such "
        "corners the one with the least y. A point on a side between two corners is no corner."
    )
    return Task(prompt, Data(points=tuple(points), corners=tuple(names[point] for point in around)))


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Wrapping: from each corner to the point that has no other to the right, the farthest of several."""
    points = task.data.points
    way = [min(points)]
    while len(way) == 1 or way[-1] != way[0]:
        here = way[-1]
        best = next(point for point in points if point != here)
        for point in points:
            side = planes.cross(here, best, point)
            farther = abs(point[0] - here[0]) + abs(point[1] - here[1]) > abs(best[0] - here[0]) + abs(best[1] - here[1])
            if side < 0 or (not side and farther):
                best = point
        way.append(best)
    return tuple(NAMES[points.index(point)] for point in way[:-1])


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.corners, "some corner is missing, is no corner, or stands in another place")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    others = [name for name, _ in zip(NAMES, task.data.points) if name not in right]
    return [right[1:] + right[:1], right[:1] + right[:0:-1], right[:-1], (*right, *others[:1]), tuple(sorted(right))]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.points) * len(task.data.corners) * len(str(max(map(max, task.data.points)))))


def explain(task: Task[Data]) -> list[str]:
    spots = dict(zip(NAMES, task.data.points))
    corners = task.data.corners
    steps = [FIRST.write(name=corners[0], x=spots[corners[0]][0], y=spots[corners[0]][1])]
    for a, b in pairwise((*corners, corners[0])):
        crosses = ", ".join(f"{name} {planes.cross(spots[a], spots[b], spot)}" for name, spot in spots.items() if name not in (a, b))
        steps.append(NEXT.write(a=a, b=b, crosses=crosses))
    return [*steps, END + environment.answer.render(corners)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    spots = dict(zip(NAMES, task.data.points))
    way: list[str] = []

    def follows(step: str) -> bool:
        if said := FIRST.read(step):
            way.append(said["name"])
            return spots[said["name"]] == min(spots.values()) == (int(said["x"]), int(said["y"]))
        said = NEXT.read(step) or {}
        a, b = spots[said["a"]], spots[said["b"]]
        told = {name: int(value) for name, value in (pair.split() for pair in said["crosses"].split(", "))}
        if way[-1] != said["a"] or any(planes.cross(a, b, spots[name]) != value or value < 0 for name, value in told.items()):
            return False
        way.append(said["b"])
        return set(told) == set(spots) - {said["a"], said["b"]} and all(told[name] or planes.on_segment(spots[name], a, b) for name in told)

    judged = ended(END, task, environment.answer, verify)
    return first_wrong(steps, follows, lambda step: judged(step) and way[-1] == way[0])


def picture(task: Task[Data]) -> str:
    return pictures.plane(dict(zip(NAMES, task.data.points)))


environment = Environment(
    Knobs,
    Words("the names of the corners in that order, separated by spaces", most=100),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    concept="Two neighbouring corners are two points that have no point to the right of the way from one to the other.",
)
