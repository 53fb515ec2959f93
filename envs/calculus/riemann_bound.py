"""Partition an interval so that the upper and the lower sum of a function differ by less than a given bound.

Any partition with few enough points is accepted: the sums are computed exactly. In the shifted family the function is not
monotonic and has its turning points at rational places.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals, trees
from rlgym.generators.algebra import symbolic
from rlgym.generators.stories import phrase
from rlgym.solutions import Checks, Derivation, Solution, Step

CUT = Step("From {low} to {high}: f lies between {least} and {most}, so the sums differ by {gap} there")
TOTAL = Step("Together they differ by {gap:fraction}, which is less than {bound:fraction}")
CLOSING = Step("The points are {answer}")
ASKS = (
    (
        "Give points {low} = p_0 < p_1 < ... < p_m = {high}, at most {most} pieces, for which the upper and the lower sum of f(x) = "
        "{f} differ by less than {bound}."
    ),
    (
        "Let f(x) = {f}. Cut the interval from {low} to {high} into at most {most} pieces so that the upper sum of f is less than the lower sum plus {bound}."
    ),
    (
        "Find a partition of [{low}, {high}] with at most {most} pieces whose upper and lower (Darboux) sums for f(x) = {f} are less than {bound} apart."
    ),
    (
        "The lower and the upper sum of f(x) = {f} over a partition of [{low}, {high}] must differ by less than {bound}. Give such a "
        "partition with at most {most} pieces."
    ),
)
GRID = 30
BENT = Fraction(93, 100)
"""The gap of the best many pieces, as a share of that of equal ones, lies below this."""
ANSWER = Rationals("all the points of the partition as exact numbers, both ends included, separated by commas")


class Knobs(Config):
    degree: int = knob(3, easy=2, hard=5, doc="degree of the polynomial")
    pieces: int = knob(6, easy=4, hard=12, doc="how many pieces there may be")
    slack: int = knob(16, easy=50, hard=4, doc="percent by which the bound exceeds the gap of a good partition")


class Data(TaskData):
    function: tuple[str, ...]
    turns: tuple[str, ...]  # where it may turn, strictly inside
    ends: tuple[int, int]
    bound: str
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _make_task(rng, knobs, _monotonic)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The function rises and falls."""
    return _make_task(rng, knobs, _sample_turning_function)


def _monotonic(rng: Rng, knobs: Knobs) -> Data:
    # The function is steepest at the end that is farther from the origin, which is the high or the low one.
    low, sign, origin, side = rng.integer(0, 2), rng.choice((1, -1)), rng.integer(-6, 6), rng.choice((1, -1))
    inside = [Fraction(sign * rng.integer(0, 4)) for _ in range(knobs.degree - 1)]
    function = [Fraction(rng.integer(-9, 9)), *inside, Fraction(sign * rng.integer(1, 5))]
    moved: list[Fraction] = []
    for coefficient in reversed(function):
        moved = symbolic.multiply(moved, [-side * origin, side]) if moved else [Fraction(0)]
        moved[0] += coefficient
    near = origin + side * low
    ends = sorted((near, near + side * rng.integer(1, 5)))
    return _blank(knobs, moved, [], (ends[0], ends[1]))


def _sample_turning_function(rng: Rng, knobs: Knobs) -> Data:
    low = rng.integer(-9, 6)
    high = low + rng.integer(3, 5)
    turns = rng.sample(range(low + 1, high), min(2, max(1, knobs.degree // 2)))
    slope = [Fraction(6 * symbolic.sample_coefficient(rng, 2))]
    for turn in turns:
        slope = symbolic.multiply(slope, [-turn, 1])
    function = symbolic.antiderivative(slope)
    function[0] = Fraction(rng.integer(-9, 9))
    return _blank(knobs, function, turns, (low, high))


def _blank(knobs: Knobs, function: Sequence[Fraction], turns: Sequence[int], ends: tuple[int, int]) -> Data:
    return Data(function=tuple(map(str, function)), turns=tuple(map(str, turns)), ends=ends, bound="0", most=knobs.pieces)


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
        return Score.wrong("the points must increase from one end of the interval to the other")
    total = _total_gap(data, answer)
    return Score.exact(total < Fraction(data.bound), "the sums differ by too much")


def mistakes(task: Task[Data], right: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    data = task.data
    low, high = map(Fraction, data.ends)
    fine = tuple(low + (high - low) * k / 50 for k in range(51))
    return [(low, high), right[:-1], right[1:], fine, (low, *(low + (high - low) * k / 1000 for k in range(1, data.most)), high)]


def cost(task: Task[Data]) -> float:
    return task.data.most**2 * (len(task.data.function) + len(task.data.turns))


def derive(task: Task[Data]) -> Derivation:
    data, points = task.data, solve(task)
    for low, high in pairwise(points):
        least, most = _range(data, low, high)
        yield CUT(low=low, high=high, least=least, most=most, gap=_gap(data, low, high))
    yield TOTAL(gap=_total_gap(data, points), bound=data.bound)
    yield CLOSING(answer=ANSWER.render(points))


def checks(task: Task[Data]) -> Checks:
    data, points = task.data, [Fraction(task.data.ends[0])]

    def cut(**gaps: str) -> bool:
        low, high, least, most, gap = (Fraction(gaps[name]) for name in ("low", "high", "least", "most", "gap"))
        if low != points[-1] or not low < high <= data.ends[1] or len(points) > data.most:
            return False
        points.append(high)
        return (least, most) == _range(data, low, high) and gap == _gap(data, low, high)

    def total(gap: Fraction, bound: Fraction) -> bool:
        return points[-1] == data.ends[1] and gap == _total_gap(data, points) < bound == Fraction(data.bound)

    return {TOTAL: total, CUT: cut, CLOSING: lambda answer: ANSWER.parse(answer) == tuple(points)}


def _total_gap(data: Data, points: Sequence[Fraction]) -> Fraction:
    return sum((_gap(data, low, high) for low, high in pairwise(points)), Fraction(0))


def _make_task(rng: Rng, knobs: Knobs, draw: Callable[[Rng, Knobs], Data]) -> Task[Data]:
    while True:
        blank = draw(rng, knobs)
        equal = _total_gap(blank, _equal_pieces(blank))
        if not _is_bent(blank, equal):
            continue
        total = _total_gap(blank, _greedy(blank))
        # Equal pieces must not do, so the bound lies at most at their gap.
        bound = min(Fraction(total * (100 + knobs.slack) // 10 + 1, 10), Fraction(equal * 10 // 1, 10))
        if total < bound:
            break
    function, ends = list(map(Fraction, blank.function)), blank.ends
    written = trees.write(symbolic.polynomial(function))
    text = phrase(rng, ASKS, f=written, low=ends[0], high=ends[1], most=knobs.pieces, bound=bound)
    note = " (On each piece, the upper sum takes the largest and the lower sum the smallest value of f, times the length of the piece.)"
    return Task(text + note, blank.model_copy(update={"bound": str(bound)}))


def _equal_pieces(data: Data) -> list[Fraction]:
    low, high = data.ends
    return [low + Fraction((high - low) * k, data.most) for k in range(data.most + 1)]


def _is_bent(data: Data, equal: Fraction) -> bool:
    """Whether the slope changes so much that other pieces are far better than equal ones, by the estimate for many pieces."""
    low, high = data.ends
    function = list(map(Fraction, data.function))
    values = [symbolic.evaluate(function, low + Fraction((high - low) * k, 16)) for k in range(17)]
    roots = sum(isqrt(int(abs(b - a) * 10**8)) for a, b in pairwise(values))
    return Fraction(roots * roots, 16 * 10**8) < BENT * sum(abs(b - a) for a, b in pairwise(values)) and equal > 0


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
    values = [symbolic.evaluate(function, place) for place in grid]
    turns = [(Fraction(turn), symbolic.evaluate(function, Fraction(turn))) for turn in data.turns]
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
    values = [symbolic.evaluate(function, place) for place in (low, *inside, high)]
    return min(values), max(values)


def _gap(data: Data, low: Fraction, high: Fraction) -> Fraction:
    least, most = _range(data, low, high)
    return (most - least) * (high - low)


def _other_solutions(task: Task[Data]) -> Iterator[tuple[Fraction, ...]]:
    """The greedy partition, and that with one point moved a little."""
    data = task.data
    points = _greedy(data)
    yield tuple(points)
    for k in range(1, len(points) - 1):
        for part in (100, 1000, 10000):
            moved = (*points[:k], points[k] + (points[k + 1] - points[k]) / part, *points[k + 1 :])
            if _total_gap(data, moved) < Fraction(data.bound):
                yield moved
                break


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many", solutions=_other_solutions,
    concept="On each piece the sums differ by the range of the function times the length: cut finely where the function is steep.",
    version=4, guessable="Points that crowd towards the steeper of the two ends are often fine enough, whatever the function is.",
)  # fmt: skip
