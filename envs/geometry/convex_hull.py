"""Name the corners of the smallest convex polygon around some points, counterclockwise."""

from collections.abc import Callable
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import planes, scatters
from rlgym.generators.geometry.planes import NAMES, Point
from rlgym.solutions import Derivation, Solution, Step

SPREADS = ("scattered", "rows", "ring")
FIRST = Step("The first corner is {name}: its x = {x} is the least, and its y = {y} is the least for that x")
NEXT = Step(
    "From {a} to {b}: the cross products of this way with the way to each other point are {crosses:words}, none negative, so a side runs there"
)
END = "The corners: {answer}"


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
    draw = {"scattered": scatters.scatter, "rows": scatters.in_rows, "ring": scatters.around_ring}[knobs.spread]
    return _sample_task(lambda: draw(rng, knobs.points, knobs.size))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Clusters far apart."""
    return _sample_task(lambda: scatters.in_clusters(rng, knobs.points, knobs.size))


def _sample_task(draw: Callable[[], list[scatters.Point]]) -> Task[Data]:
    while len(around := planes.hull(points := [(x, y) for x, y in draw()])) < 3:
        continue
    names = dict(zip(points, NAMES))
    prompt = (
        f"Some points of the plane: {scatters.describe(points)}.\n\nTake the smallest convex polygon that holds all of them. Name its corners in "
        "counterclockwise order (x grows to the right, y upwards), each once, beginning with the corner that has the least x, and of several such "
        "corners the one with the least y. A point on a side between two corners is not a corner."
    )
    return Task(prompt, Data(points=tuple(points), corners=tuple(names[point] for point in around)))


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Wrapping: from each corner to the point that has no other to the right, the farthest of several."""
    points = task.data.points
    hull = [min(points)]
    while len(hull) == 1 or hull[-1] != hull[0]:
        last = hull[-1]
        best = next(point for point in points if point != last)
        for point in points:
            side = planes.cross(last, best, point)
            farther = abs(point[0] - last[0]) + abs(point[1] - last[1]) > abs(best[0] - last[0]) + abs(best[1] - last[1])
            if side < 0 or (not side and farther):
                best = point
        hull.append(best)
    return tuple(NAMES[points.index(point)] for point in hull[:-1])


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.corners, "some corner is missing, is no corner, or stands in another place")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    others = [name for name, _ in zip(NAMES, task.data.points) if name not in right]
    return [right[1:] + right[:1], right[:1] + right[:0:-1], right[:-1], (*right, *others[:1]), tuple(sorted(right))]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.points) * len(task.data.corners) * len(str(max(map(max, task.data.points)))))


def derive(task: Task[Data]) -> Derivation:
    spots = dict(zip(NAMES, task.data.points))
    first = corner = min(spots, key=lambda name: spots[name])
    yield FIRST(name=first, x=spots[first][0], y=spots[first][1])
    while True:
        after, crosses = _side_from(spots, corner)
        yield NEXT(a=corner, b=after, crosses=[f"{name} {cross}" for name, cross in crosses.items()])
        corner = after
        if corner == first:
            return


def _side_from(spots: dict[str, tuple[int, int]], a: str) -> tuple[str, dict[str, int | Fraction]]:
    """The next corner, with the cross products that show it (gift wrapping)."""
    for b in spots:
        crosses = {name: planes.cross(spots[a], spots[b], spot) for name, spot in spots.items() if name not in (a, b)}
        if b != a and all(
            cross > 0 or (not cross and planes.on_segment(spots[name], spots[a], spots[b])) for name, cross in crosses.items()
        ):
            return b, crosses
    raise AssertionError("every corner begins a side")


def picture(task: Task[Data]) -> str:
    return pictures.plane(dict(zip(NAMES, task.data.points)))


environment = Environment(
    Knobs, Words("the names of the corners in that order, separated by spaces", max_items=100), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, whole=True), shift=shift, picture=picture,
    concept="Two neighbouring corners are two points that have no point to the right of the way from one to the other.",
    version=2,
)  # fmt: skip
