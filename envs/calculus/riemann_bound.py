"""Cut an interval so that the upper and the lower sum of a function differ by less than a given bound.

Any partition with few enough points is accepted: the sums are worked out exactly. In the shifted family the function also falls, and has
its turning points at rational places.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals, trees
from rlgym.generators.algebra import symbolic
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.stories import told

CUT = Line("From {low} to {high}: f lies between {least} and {most}, so the sums differ by {gap} there")
TOTAL = Line("Together they differ by {gap}, which is less than {bound}")
LAST = "The points are "
ASKS = (
    (
        "Give points {low} = p_0 < p_1 < ... < p_m = {high}, at most {most} pieces, for which the upper and the lower sum of f(x) = "
        "{f} differ by less than {bound}."
    ),
    (
        "Let f(x) = {f}. Cut the interval from {low} to {high} into at most {most} pieces so that the upper sum of f is less than the "
        "lower sum plus {bound}."
    ),
    (
        "Find a partition of [{low}, {high}] with at most {most} pieces whose upper and lower (Darboux) sums for f(x) = {f} are less "
        "than {bound} apart."
    ),
    (
        "The lower and the upper sum of f(x) = {f} over a partition of [{low}, {high}] shall differ by less than {bound}. Give such a "
        "partition with at most {most} pieces."
    ),
)


GRID = 30


class Knobs(Config):
    degree: int = knob(2, easy=1, hard=5, doc="degree of the polynomial")
    pieces: int = knob(6, easy=2, hard=12, doc="how many pieces there may be")
    slack: int = knob(20, easy=80, hard=4, doc="by how many percent the bound is above what a good partition reaches")


class Data(TaskData):
    function: tuple[str, ...]
    turns: tuple[str, ...]  # where it may turn, strictly inside
    ends: tuple[int, int]
    bound: str
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    low, sign = rng.integer(0, 9), rng.choice((1, -1))
    inside = [Fraction(sign * rng.integer(0, 4)) for _ in range(knobs.degree - 1)]
    function = [Fraction(rng.integer(-9, 9)), *inside, Fraction(sign * rng.integer(1, 5))]
    return _told(rng, knobs, function, [], (low, low + rng.integer(1, 4)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    low = rng.integer(-9, 6)
    high = low + rng.integer(3, 5)
    turns = rng.sample(range(low + 1, high), min(2, max(1, knobs.degree // 2)))
    slope = [Fraction(6 * symbolic.coefficient(rng, 2))]
    for turn in turns:
        slope = symbolic.product(slope, [-turn, 1])
    function = symbolic.antiderivative(slope)
    function[0] = Fraction(rng.integer(-9, 9))
    return _told(rng, knobs, function, turns, (low, high))


def solve(task: Task[Data]) -> tuple[Fraction, ...]:
    # The best partition on a grid, one piece more after the other; `generate` cuts pieces greedily until they are few enough.
    data = task.data
    grid, gaps = _grid(data), _gaps(data)
    size = len(grid)
    best: list[tuple[Fraction, tuple[int, ...]]] = [(gaps[0][k], (0, k + 1)) for k in range(size - 1)]
    for pieces in range(2, data.most + 1):
        # With one piece more, every point is reached from the best way to an earlier one.
        best = [
            min([best[k], *((best[j][0] + gaps[j + 1][k - j - 1], (*best[j][1], k + 1)) for j in range(pieces - 2, k))])
            for k in range(size - 1)
        ]
    return tuple(grid[k] for k in best[-1][1])


def verify(task: Task[Data], answer: tuple[Fraction, ...]) -> Score:
    data = task.data
    if len(answer) > data.most + 1:
        return Score.wrong("there are too many pieces")
    if len(answer) < 2 or answer[0] != data.ends[0] or answer[-1] != data.ends[1] or any(a >= b for a, b in pairwise(answer)):
        return Score.wrong("the points must rise from one end of the interval to the other")
    total = sum((_gap(data, a, b) for a, b in pairwise(answer)), Fraction(0))
    return Score.exact(total < Fraction(data.bound), "the sums differ by too much")


def mistakes(task: Task[Data], right: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    data = task.data
    low, high = map(Fraction, data.ends)
    fine = tuple(low + (high - low) * k / 50 for k in range(51))
    return [(low, high), right[:-1], right[1:], fine, (low, *(low + (high - low) * k / 1000 for k in range(1, data.most)), high)]


def cost(task: Task[Data]) -> float:
    return task.data.most**2 * (len(task.data.function) + len(task.data.turns))


def explain(task: Task[Data]) -> list[str]:
    data, points = task.data, solve(task)
    steps, total = [], Fraction(0)
    for low, high in pairwise(points):
        least, most = _range(data, low, high)
        gap = (most - least) * (high - low)
        total += gap
        steps.append(CUT.write(low=low, high=high, least=least, most=most, gap=gap))
    return [*steps, TOTAL.write(gap=total, bound=data.bound), LAST + _ANSWER.render(points)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    points = [Fraction(data.ends[0])]
    end = ended(LAST, task, _ANSWER, verify)

    def follows(step: str) -> bool:
        if total := TOTAL.read(step):
            gap = sum((_gap(data, a, b) for a, b in pairwise(points)), Fraction(0))
            return points[-1] == data.ends[1] and Fraction(total["gap"]) == gap < Fraction(total["bound"]) == Fraction(data.bound)
        if not (found := CUT.read(step)):
            return False
        low, high = Fraction(found["low"]), Fraction(found["high"])
        if low != points[-1] or not low < high <= data.ends[1] or len(points) > data.most:
            return False
        points.append(high)
        told = Fraction(found["least"]), Fraction(found["most"])
        return step == CUT.write(**found) and told == _range(data, low, high) and Fraction(found["gap"]) == _gap(data, low, high)

    return first_wrong(steps, follows, lambda step: end(step) and _ANSWER.parse(step.removeprefix(LAST)) == tuple(points))


def _told(rng: Rng, knobs: Knobs, function: Sequence[Fraction], turns: Sequence[int], ends: tuple[int, int]) -> Task[Data]:
    blank = Data(function=tuple(map(str, function)), turns=tuple(map(str, turns)), ends=ends, bound="0", most=knobs.pieces)
    points = _greedy(blank)
    total = sum((_gap(blank, a, b) for a, b in pairwise(points)), Fraction(0))
    bound = Fraction(total * (100 + knobs.slack) // 10 + 1, 10)
    written = trees.write(symbolic.polynomial(list(function)))
    text = told(rng, ASKS, f=written, low=ends[0], high=ends[1], most=knobs.pieces, bound=bound)
    note = " (On each piece, the upper sum takes the largest and the lower sum the smallest value of f, times the length of the piece.)"
    return Task(text + note, blank.model_copy(update={"bound": str(bound)}))


def _greedy(data: Data) -> list[Fraction]:
    """Points of a grid with pieces whose gaps are at most a threshold, raised until the pieces are few enough."""
    grid, gaps = _grid(data), _gaps(data)
    threshold = gaps[0][-1] / data.most**2 / 2
    while True:
        cuts = [0]
        while cuts[-1] < len(grid) - 1:
            row = gaps[cuts[-1]]
            cuts.append(cuts[-1] + max(1, sum(gap <= threshold for gap in row)))
        if len(cuts) <= data.most + 1:
            return [grid[k] for k in cuts]
        threshold = threshold * 9 / 8


@lru_cache(maxsize=64)
def _gaps(data: Data) -> list[list[Fraction]]:
    """From each point of the grid to each later one, by how much the sums differ there."""
    grid, function = _grid(data), list(map(Fraction, data.function))
    values = [symbolic.at(function, place) for place in grid]
    turns = [(Fraction(turn), symbolic.at(function, Fraction(turn))) for turn in data.turns]
    out = []
    for j, low in enumerate(grid[:-1]):
        row, least, most = [], values[j], values[j]
        for k in range(j + 1, len(grid)):
            inside = [value for turn, value in turns if grid[k - 1] < turn < grid[k]]
            least, most = min(least, values[k], *inside), max(most, values[k], *inside)
            row.append((most - least) * (grid[k] - low))
        out.append(row)
    return out


def _grid(data: Data) -> list[Fraction]:
    low, high = data.ends
    return [low + Fraction((high - low) * k, GRID) for k in range(GRID + 1)]


def _range(data: Data, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """The smallest and the largest value on a piece."""
    function = list(map(Fraction, data.function))
    inside = [turn for turn in map(Fraction, data.turns) if low < turn < high]
    values = [symbolic.at(function, place) for place in (low, *inside, high)]
    return min(values), max(values)


def _gap(data: Data, low: Fraction, high: Fraction) -> Fraction:
    least, most = _range(data, low, high)
    return (most - least) * (high - low)


def _others(task: Task[Data]) -> Iterator[tuple[Fraction, ...]]:
    """The greedy partition, and that with one point moved a little."""
    data = task.data
    points = _greedy(data)
    yield tuple(points)
    for k in range(1, len(points) - 1):
        for part in (100, 1000, 10000):
            moved = (*points[:k], points[k] + (points[k + 1] - points[k]) / part, *points[k + 1 :])
            if sum((_gap(data, a, b) for a, b in pairwise(moved)), Fraction(0)) < Fraction(data.bound):
                yield moved
                break


_ANSWER = Rationals("all the points of the partition as exact numbers, both ends included, separated by commas")

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    answers="many",
    solutions=_others,
    replay=replay,
    shift=shift,
    concept="On each piece the sums differ by the range of the function times the length: cut finely where the function is steep.",
)
