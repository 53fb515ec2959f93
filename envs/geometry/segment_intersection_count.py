"""Count for each segment how many of the others it meets, touching included."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import planes
from rlgym.generators.geometry.planes import Point, write
from rlgym.solutions import Checks, Derivation, Solution, Step

Segment = tuple[Point, Point]
APART = Step("S{i:int} and S{k:int} do not meet: in {axis} one ends at {high:int} and the other begins at {low:int}")
SIDES = Step(
    "S{i:int} and S{k:int} {verdict}: seen along the first, the ends of the second have the cross products {p:int} and {q:int}; "
    "the other way round {r:int} and {s:int}"
)
COUNT = Step("S{i:int} meets {others}: {count:int}")
END = "The numbers: {answer}"


class Knobs(Config):
    segments: int = knob(8, easy=4, hard=20, doc="how many segments")
    size: int = knob(20, easy=6, hard=300, scale="log", doc="largest coordinate")
    touching: int = knob(25, easy=0, hard=50, doc="percent of segments that are made to end on another one, or to lie along it")


class Data(TaskData):
    segments: tuple[Segment, ...]
    counts: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    segments: list[Segment] = []
    while len(segments) < knobs.segments:
        ends = [(rng.integer(0, knobs.size), rng.integer(0, knobs.size)) for _ in range(2)]
        if segments and rng.integer(1, 100) <= knobs.touching:
            ends = _sample_touching_ends(rng, rng.choice(segments), ends)
        if ends[0] != ends[1]:
            segments.append((ends[0], ends[1]))
    return _build_task(segments)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The pieces of one line that runs to and fro, so that neighbours have an end in common."""
    stops: list[Point] = []
    # Four pieces have only eight possible answers, so the smallest tasks have five.
    while len(stops) <= max(5, knobs.segments):
        low, high = ((0, knobs.size // 3), (knobs.size * 2 // 3, knobs.size))[len(stops) % 2]
        stop = (rng.integer(low, high), rng.integer(0, knobs.size))
        if stop not in stops[-1:]:
            stops.append(stop)
    return _build_task(list(pairwise(stops)))


def _build_task(segments: list[Segment]) -> Task[Data]:
    counts = tuple(sum(planes.meet(*segment, *other) for other in segments) - 1 for segment in segments)
    listing = "\n".join(f"S{k}: from {write(a)} to {write(b)}" for k, (a, b) in enumerate(segments, 1))
    prompt = (
        f"Straight segments in the plane, their ends included:\n{listing}\n\nTwo segments meet if they have at least one point in common; a common "
        f"end, an end of one on the other, and overlap count too. For each of S1 to S{len(segments)}, in this order, how many of the other segments "
        "does it meet?"
    )
    return Task(prompt, Data(segments=tuple(segments), counts=counts))


def _sample_touching_ends(rng: Rng, other: Segment, ends: list[Point]) -> list[Point]:
    """Ends of which one lies on another segment; sometimes both lie on its line."""
    (ax, ay), (bx, by) = other
    parts = gcd(bx - ax, by - ay)
    step = ((bx - ax) // parts, (by - ay) // parts)
    k = rng.integer(0, parts)
    on = (ax + step[0] * k, ay + step[1] * k)
    if rng.chance(0.7):
        return [on, ends[1]]
    beyond = k + rng.integer(1, parts + 1) * rng.choice((-1, 1))
    return [on, (ax + step[0] * beyond, ay + step[1] * beyond)]


def solve(task: Task[Data]) -> tuple[int, ...]:
    """By where the lines cross, as shares of the way along each segment."""
    segments = task.data.segments
    return tuple(sum(index != k and _cross(segments[index], other) for k, other in enumerate(segments)) for index in range(len(segments)))


def _cross(first: Segment, second: Segment) -> bool:
    ((ax, ay), (bx, by)), ((cx, cy), (dx, dy)) = first, second
    ux, uy, vx, vy, wx, wy = bx - ax, by - ay, dx - cx, dy - cy, cx - ax, cy - ay
    turn = ux * vy - uy * vx
    if turn:
        return 0 <= Fraction(wx * vy - wy * vx, turn) <= 1 and 0 <= Fraction(wx * uy - wy * ux, turn) <= 1
    if ux * wy != uy * wx:
        return False
    along = sorted(Fraction(ux * (x - ax) + uy * (y - ay), ux * ux + uy * uy) for x, y in second)
    return along[0] <= 1 and along[1] >= 0


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.counts):
        return Score.wrong(f"expected {len(task.data.counts)} numbers")
    return Score.exact(answer == task.data.counts, "some number is another one")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    def proper(first: Segment, second: Segment) -> bool:
        (a, b), (c, d) = first, second
        return planes.cross(a, b, c) * planes.cross(a, b, d) < 0 and planes.cross(c, d, a) * planes.cross(c, d, b) < 0

    segments = task.data.segments
    inner = tuple(sum(proper(segment, other) for other in segments) for segment in segments)
    return [inner, tuple(count + 1 for count in right), right[::-1], right[:-1], (right[0] + 1, *right[1:])]


def cost(task: Task[Data]) -> float:
    segments = task.data.segments
    return float(len(segments) ** 2 * len(str(max(map(max, (end for segment in segments for end in segment))))) + sum(task.data.counts))


def derive(task: Task[Data]) -> Derivation:
    segments = task.data.segments
    meets: list[list[int]] = [[] for _ in segments]
    for i, k in combinations(range(len(segments)), 2):
        gaps = [(axis, high, low) for axis, high, low in _gaps(segments[i], segments[k]) if high < low]
        if gaps:
            axis, high, low = gaps[0]
            yield APART(i=i + 1, k=k + 1, axis=axis, high=high, low=low)
            continue
        p, q, r, s = _cross_products(segments[i], segments[k])
        meeting = p * q <= 0 and r * s <= 0
        yield SIDES(i=i + 1, k=k + 1, verdict="meet" if meeting else "do not meet", p=p, q=q, r=r, s=s)
        if meeting:
            meets[i].append(k)
            meets[k].append(i)
    for i, others in enumerate(meets, 1):
        yield COUNT(i=i, others=" ".join(f"S{k + 1}" for k in sorted(others)) or "none", count=len(others))


def checks(task: Task[Data]) -> Checks:
    segments = dict(enumerate(task.data.segments, 1))

    def apart(i: int, k: int, axis: str, high: int, low: int) -> bool:
        return i != k and high < low and (axis, high, low) in _gaps(segments[i], segments[k])

    def sides(i: int, k: int, verdict: str, p: int, q: int, r: int, s: int) -> bool:
        right = "meet" if planes.meet(*segments[i], *segments[k]) else "do not meet"
        return i != k and verdict == right and (p, q, r, s) == _cross_products(segments[i], segments[k])

    def counted(i: int, others: str, count: int) -> bool:
        met = [f"S{k}" for k, other in segments.items() if k != i and planes.meet(*segments[i], *other)]
        return others == (" ".join(met) or "none") and count == len(met)

    return {APART: apart, SIDES: sides, COUNT: counted}


def _cross_products(first: Segment, second: Segment) -> tuple[int | Fraction, ...]:
    (a, b), (c, d) = first, second
    return planes.cross(a, b, c), planes.cross(a, b, d), planes.cross(c, d, a), planes.cross(c, d, b)


def _gaps(first: Segment, second: Segment) -> list[tuple[str, int, int]]:
    """Along each axis and in both orders: where the first ends and where the second begins."""
    gaps = []
    for axis, name in enumerate("xy"):
        for low, high in ((first, second), (second, first)):
            gaps.append((name, max(end[axis] for end in low), min(end[axis] for end in high)))
    return gaps


def picture(task: Task[Data]) -> str:
    names = {f"S{k}": a for k, (a, _) in enumerate(task.data.segments, 1)}
    return pictures.plane(names, segments=task.data.segments)


environment = Environment(
    Knobs, Numbers("the numbers in that order, separated by commas", max_items=100), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture,
    concept="Two segments meet if the ends of each lie on different sides of the other, or on it, and their ranges overlap.",
    version=2,
)  # fmt: skip
