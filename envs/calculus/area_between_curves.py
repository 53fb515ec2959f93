"""Work out the area that two curves enclose, exactly.

The curves are polynomials that cross at rational points; the areas of all pieces are added, whichever curve is above. In the
shifted family the curves give x in terms of y, and the region lies between two given bounds.
"""

from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.answers.trees import write
from rlgym.generators import calculations
from rlgym.generators.algebra import symbolic
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase

HIGH = "first minus second curve, integrated from 0 to {at}"
COEFFICIENT = "coefficient of power {k} in the integrated difference"
PIECE = "area from {low} to {high}"
WHOLE = "area"
ASKS = (
    "Find the total area of all the regions that the curves {one} and {two} enclose.",
    "The curves {one} and {two} cross and enclose one or more bounded regions. What is their total area?",
    "Work out the exact total area of all bounded regions between {one} and {two}.",
    "How large is the area bounded by the graphs of {one} and {two}, summed over all bounded regions?",
)
BOUNDED = (
    "Find the area between the curves {one} and {two} from y = {low} to y = {high}, pieces where they change sides counted as positive.",
    "What is the total area of the regions between {one} and {two} for {low} <= y <= {high}?",
    "The curves {one} and {two} and the lines y = {low} and y = {high} bound one or more regions. How large are they together?",
    "Work out the exact area that lies between {one} and {two} where y goes from {low} to {high} (never negative, also where they cross).",
)
ANSWER = Rational("the exact area, as an integer or a fraction a/b")
CONCEPT = "Between neighbouring crossings the difference keeps its sign: integrate it piece by piece and add up the sizes."


class Knobs(Config):
    crossings: int = knob(3, easy=2, hard=5, doc="how often the curves cross")
    largest: int = knob(6, easy=4, hard=8, doc="largest coordinate of a crossing")
    fractions: int = knob(20, easy=0, hard=70, doc="percent of crossings that are not at an integer")


class Data(TaskData):
    one: tuple[str, ...]
    two: tuple[str, ...]
    bounds: tuple[str, ...]  # given bounds; empty where the crossings bound
    cuts: tuple[str, ...]
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    roots = _sample_crossings(rng, knobs, knobs.crossings)
    first, two = _sample_curves(rng, knobs, roots, largest=5)
    data = Data(one=first, two=two, bounds=(), cuts=tuple(map(str, roots)), value=str(_area(first, two, roots)))
    return Task(phrase(rng, ASKS, one=f"y = {_curve_text(first, 'x')}", two=f"y = {_curve_text(two, 'x')}"), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    cuts = _sample_crossings(rng, knobs, knobs.crossings + 1)
    first, two = _sample_curves(rng, knobs, cuts[1:-1], largest=6)
    data = Data(one=first, two=two, bounds=(str(cuts[0]), str(cuts[-1])), cuts=tuple(map(str, cuts)), value=str(_area(first, two, cuts)))
    return Task(
        phrase(rng, BOUNDED, one=f"x = {_curve_text(first, 'y')}", two=f"x = {_curve_text(two, 'y')}", low=cuts[0], high=cuts[-1]), data
    )


def solve(task: Task[Data]) -> Fraction:
    # Crossings from the rational candidates, pieces by shifting each to its lower end; `generate` knows the crossings.
    data = task.data
    gap = [a - b for a, b in _coefficient_pairs(data.one, data.two)]
    crossings = _rational_roots(gap)
    cuts = sorted({*crossings, *map(Fraction, data.bounds)})
    if data.bounds:
        cuts = [cut for cut in cuts if Fraction(data.bounds[0]) <= cut <= Fraction(data.bounds[1])]
    total = Fraction(0)
    for low, high in pairwise(cuts):
        moved, width = _shift_polynomial(gap, low), high - low
        total += abs(sum((a * width ** (k + 1) / (k + 1) for k, a in enumerate(moved)), Fraction(0)))
    return total


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "that is another area")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    gap = symbolic.antiderivative([a - b for a, b in _coefficient_pairs(data.one, data.two)])
    signed = symbolic.evaluate(gap, Fraction(data.cuts[-1])) - symbolic.evaluate(gap, Fraction(data.cuts[0]))
    return [signed, -signed, -right, right / 2, right + 1]


def cost(task: Task[Data]) -> float:
    return len(task.data.cuts) ** 2 * 4 + sum(len(part) for part in (*task.data.one, *task.data.two, *task.data.cuts))


def _lines(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    antiderivative = symbolic.antiderivative([a - b for a, b in _coefficient_pairs(data.one, data.two)])
    for k, (a, b) in enumerate(_coefficient_pairs(data.one, data.two), 1):
        working.let(COEFFICIENT.format(k=k), f"({calculations.operand(a)} - {calculations.operand(b)})/{k}")
    cuts = list(map(Fraction, data.cuts))
    heights = []
    for cut in cuts:
        terms = [f"{calculations.operand(a)}*{calculations.operand(cut)}^{k}" for k, a in enumerate(antiderivative) if a]
        heights.append(working.let(HIGH.format(at=cut), " + ".join(terms)))
    pieces = []
    for (low, high), (first_height, two) in zip(pairwise(cuts), pairwise(heights), strict=True):
        more, less = (calculations.operand(height) for height in sorted((first_height, two), reverse=True))
        pieces.append(working.let(PIECE.format(low=low, high=high), f"{more} - {less}"))
    return working.last(WHOLE, calculations.sum_formula(pieces))


def _quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    gap = [a - b for a, b in _coefficient_pairs(data.one, data.two)]
    cuts = list(map(Fraction, data.cuts))

    def height(at: str) -> Fraction:
        if Fraction(at) not in cuts:
            raise ValueError("the curves do not cross there")
        return sum((a * Fraction(at) ** (k + 1) / (k + 1) for k, a in enumerate(gap)), Fraction(0))

    def piece(low: str, high: str) -> Fraction:
        if (Fraction(low), Fraction(high)) not in pairwise(cuts):
            raise ValueError("that is no piece")
        return abs(height(high) - height(low))

    return {COEFFICIENT: lambda k: gap[int(k) - 1] / int(k), HIGH: height, PIECE: piece, WHOLE: lambda: Fraction(data.value)}


def _sample_crossings(rng: Rng, knobs: Knobs, count: int) -> list[Fraction]:
    roots: set[Fraction] = set()
    widest = max(knobs.largest, count // 2 + 1)
    while len(roots) < count:
        root = Fraction(rng.integer(-widest, widest))
        roots.add(root + Fraction(1, 2) if rng.integer(1, 100) <= knobs.fractions else root)
    return sorted(roots)


def _sample_curves(rng: Rng, knobs: Knobs, roots: list[Fraction], largest: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    gap = [Fraction(symbolic.sample_coefficient(rng, largest))]
    for root in roots:
        gap = symbolic.multiply(gap, [-root.numerator, root.denominator])
    two = [Fraction(rng.integer(-6, 6)) for _ in range(rng.integer(2, len(gap)))]
    first = [a + b for a, b in _coefficient_pairs(tuple(map(str, gap)), tuple(map(str, two)))]
    return tuple(map(str, first)), tuple(map(str, two))


def _curve_text(curve: tuple[str, ...], name: str) -> str:
    return write(symbolic.polynomial(list(map(Fraction, curve)), name))


def _coefficient_pairs(first: tuple[str, ...], two: tuple[str, ...]) -> list[tuple[Fraction, Fraction]]:
    size = max(len(first), len(two))
    return [(Fraction(first[k] if k < len(first) else 0), Fraction(two[k] if k < len(two) else 0)) for k in range(size)]


def _area(first: tuple[str, ...], two: tuple[str, ...], cuts: list[Fraction]) -> Fraction:
    antiderivative = symbolic.antiderivative([a - b for a, b in _coefficient_pairs(first, two)])
    return sum(
        (abs(symbolic.evaluate(antiderivative, high) - symbolic.evaluate(antiderivative, low)) for low, high in pairwise(cuts)), Fraction(0)
    )


def _rational_roots(gap: list[Fraction]) -> list[Fraction]:
    """All halves of integers where the difference is 0: no crossing lies elsewhere."""
    return [Fraction(k, 2) for k in range(-30, 31) if not symbolic.evaluate(gap, Fraction(k, 2))]


def _shift_polynomial(gap: list[Fraction], by: Fraction) -> list[Fraction]:
    """The polynomial with x replaced by x + by."""
    out: list[Fraction] = []
    for a in reversed(gap):
        out = symbolic.multiply(out, [by, 1]) if out else [Fraction(0)]
        out[0] += a
    return out


solution = probabilities.solution(_lines, _quantities)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=5
)
