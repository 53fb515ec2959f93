"""Work out the area that two curves enclose, exactly.

The curves are polynomials that cross at rational points; the area is the sum of that of all pieces, whichever curve is above. In the
shifted family the curves give x in terms of y, and a region between two given bounds is meant.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.answers.trees import write
from rlgym.generators import chances, worked
from rlgym.generators.algebra import symbolic
from rlgym.generators.stories import told

HIGH = "first minus second curve, integrated from 0 to {at}"
COEFFICIENT = "coefficient of power {k} in the integrated difference"
PIECE = "area from {low} to {high}"
WHOLE = "area"
ASKS = (
    "Find the total area of all the regions that the curves {one} and {two} enclose.",
    "The curves {one} and {two} cross and enclose one or more bounded regions. What is their area altogether?",
    "Work out the exact area enclosed by {one} and {two}, all bounded regions between them together.",
    "How large is the area bounded by the graphs of {one} and {two}, summed over all bounded regions?",
)
BOUNDED = (
    "Find the area between the curves {one} and {two} from y = {low} to y = {high}, pieces where they change sides counted as positive.",
    "What is the total area of the regions between {one} and {two} for {low} <= y <= {high}?",
    "The curves {one} and {two} and the lines y = {low} and y = {high} bound one or more regions. How large are they together?",
    "Work out the exact area that lies between {one} and {two} where y goes from {low} to {high} (never negative, also where they cross).",
)


class Knobs(Config):
    crossings: int = knob(3, easy=2, hard=5, doc="how often the curves cross")
    largest: int = knob(4, easy=2, hard=7, doc="largest coordinate of a crossing")
    fractions: int = knob(20, easy=0, hard=70, doc="percent of crossings that are not at an integer")


class Data(TaskData):
    one: tuple[str, ...]
    two: tuple[str, ...]
    bounds: tuple[str, ...]  # given bounds; empty where the crossings bound
    cuts: tuple[str, ...]
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    roots = _roots(rng, knobs, knobs.crossings)
    one, two = _curves(rng, knobs, roots)
    data = Data(one=one, two=two, bounds=(), cuts=tuple(map(str, roots)), value=str(_area(one, two, roots)))
    return Task(told(rng, ASKS, one=f"y = {_said(one, 'x')}", two=f"y = {_said(two, 'x')}"), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    cuts = _roots(rng, knobs, knobs.crossings + 1)
    one, two = _curves(rng, knobs, cuts[1:-1])
    data = Data(one=one, two=two, bounds=(str(cuts[0]), str(cuts[-1])), cuts=tuple(map(str, cuts)), value=str(_area(one, two, cuts)))
    return Task(told(rng, BOUNDED, one=f"x = {_said(one, 'y')}", two=f"x = {_said(two, 'y')}", low=cuts[0], high=cuts[-1]), data)


def solve(task: Task[Data]) -> Fraction:
    # Crossings from the rational candidates, pieces by shifting each to its lower end; `generate` knows the crossings.
    data = task.data
    gap = [a - b for a, b in _padded(data.one, data.two)]
    crossings = _rational_roots(gap)
    cuts = sorted({*crossings, *map(Fraction, data.bounds)})
    if data.bounds:
        cuts = [cut for cut in cuts if Fraction(data.bounds[0]) <= cut <= Fraction(data.bounds[1])]
    total = Fraction(0)
    for low, high in pairwise(cuts):
        moved, width = _moved(gap, low), high - low
        total += abs(sum((a * width ** (k + 1) / (k + 1) for k, a in enumerate(moved)), Fraction(0)))
    return total


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "that is another area")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    gap = symbolic.antiderivative([a - b for a, b in _padded(data.one, data.two)])
    signed = symbolic.at(gap, Fraction(data.cuts[-1])) - symbolic.at(gap, Fraction(data.cuts[0]))
    return [signed, -signed, -right, right / 2, right + 1]


def cost(task: Task[Data]) -> float:
    return len(task.data.cuts) ** 2 * 4 + sum(len(part) for part in (*task.data.one, *task.data.two, *task.data.cuts))


def explain(task: Task[Data]) -> list[str]:
    data, working = task.data, chances.Working()
    whole = symbolic.antiderivative([a - b for a, b in _padded(data.one, data.two)])
    for k, (a, b) in enumerate(_padded(data.one, data.two), 1):
        working.let(COEFFICIENT.format(k=k), f"({worked.inside(a)} - {worked.inside(b)})/{k}")
    cuts = list(map(Fraction, data.cuts))
    heights = []
    for cut in cuts:
        terms = [f"{worked.inside(a)}*{worked.inside(cut)}^{k}" for k, a in enumerate(whole) if a]
        heights.append(working.let(HIGH.format(at=cut), " + ".join(terms)))
    pieces = []
    for (low, high), (one, two) in zip(pairwise(cuts), pairwise(heights), strict=True):
        more, less = (worked.inside(height) for height in sorted((one, two), reverse=True))
        pieces.append(working.let(PIECE.format(low=low, high=high), f"{more} - {less}"))
    return working.last(WHOLE, worked.added(pieces))


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    gap = [a - b for a, b in _padded(data.one, data.two)]
    cuts = list(map(Fraction, data.cuts))

    def height(at: str) -> Fraction:
        if Fraction(at) not in cuts:
            raise ValueError("the curves do not cross there")
        return sum((a * Fraction(at) ** (k + 1) / (k + 1) for k, a in enumerate(gap)), Fraction(0))

    def piece(low: str, high: str) -> Fraction:
        if (Fraction(low), Fraction(high)) not in pairwise(cuts):
            raise ValueError("that is no piece")
        return abs(height(high) - height(low))

    kinds: chances.Kinds = {
        COEFFICIENT: lambda k: gap[int(k) - 1] / int(k),
        HIGH: height,
        PIECE: piece,
        WHOLE: lambda: Fraction(data.value),
    }
    return chances.replayed(task, steps, kinds, _ANSWER, verify)


def _roots(rng: Rng, knobs: Knobs, count: int) -> list[Fraction]:
    found: set[Fraction] = set()
    widest = max(knobs.largest, count // 2 + 1)
    while len(found) < count:
        root = Fraction(rng.integer(-widest, widest))
        found.add(root + Fraction(1, 2) if rng.integer(1, 100) <= knobs.fractions else root)
    return sorted(found)


def _curves(rng: Rng, knobs: Knobs, roots: list[Fraction]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    gap = [Fraction(symbolic.coefficient(rng, 3))]
    for root in roots:
        gap = symbolic.product(gap, [-root.numerator, root.denominator])
    two = [Fraction(rng.integer(-6, 6)) for _ in range(rng.integer(2, len(gap)))]
    one = [a + b for a, b in _padded(tuple(map(str, gap)), tuple(map(str, two)))]
    return tuple(map(str, one)), tuple(map(str, two))


def _said(curve: tuple[str, ...], name: str) -> str:
    return write(symbolic.polynomial(list(map(Fraction, curve)), name))


def _padded(one: tuple[str, ...], two: tuple[str, ...]) -> list[tuple[Fraction, Fraction]]:
    size = max(len(one), len(two))
    return [(Fraction(one[k] if k < len(one) else 0), Fraction(two[k] if k < len(two) else 0)) for k in range(size)]


def _area(one: tuple[str, ...], two: tuple[str, ...], cuts: list[Fraction]) -> Fraction:
    whole = symbolic.antiderivative([a - b for a, b in _padded(one, two)])
    return sum((abs(symbolic.at(whole, high) - symbolic.at(whole, low)) for low, high in pairwise(cuts)), Fraction(0))


def _rational_roots(gap: list[Fraction]) -> list[Fraction]:
    """All halves of integers where the difference is 0: no crossing lies elsewhere."""
    return [Fraction(k, 2) for k in range(-30, 31) if not symbolic.at(gap, Fraction(k, 2))]


def _moved(gap: list[Fraction], by: Fraction) -> list[Fraction]:
    """The polynomial with x + by in place of x."""
    out: list[Fraction] = []
    for a in reversed(gap):
        out = symbolic.product(out, [by, 1]) if out else [Fraction(0)]
        out[0] += a
    return out


_ANSWER = Rational("the exact area, as an integer or a fraction a/b")

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Between neighbouring crossings the difference keeps its sign: integrate it piece by piece and add up the sizes.",
)
