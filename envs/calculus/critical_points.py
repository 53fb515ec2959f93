"""Find all the places where a function has a horizontal tangent, a minimum, a maximum, or an inflection point.

The function is a polynomial; in the shifted family it is a polynomial times a power of e.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import floor

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Solutions, trees
from rlgym.answers.maths import same_members, value_of
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.stories import phrase

KINDS = ("stationary", "extreme", "inflection")
SLOPE = "f{marks}(x)"
FACTOR = "f{marks}(x) without what is never 0"
SIGN = "that at {at}"
WIDEST = 10
SQUARES = (2, 3, 5, 6, 7, 10, 11)
ASKS = {
    "stationary": (
        "Find all real x at which the derivative of f is 0.",
        "Where does the graph of f have a horizontal tangent? Give all such x.",
        "Determine all stationary points of f (the values of x).",
        "For which real x is f'(x) = 0?",
    ),
    "minimum": (
        "Find all x at which f has a local minimum.",
        "At which x does f have its local minima? Give all of them.",
        "Determine every x where f is locally smallest (a local minimum).",
        "Where are the local minima of f? Give the values of x.",
    ),
    "maximum": (
        "Find all x at which f has a local maximum.",
        "At which x does f have its local maxima? Give all of them.",
        "Determine every x where f is locally largest (a local maximum).",
        "Where are the local maxima of f? Give the values of x.",
    ),
    "inflection": (
        "Find all x at which the graph of f changes its curvature (inflection points).",
        "At which x does f'' change sign?",
        "Determine the inflection points of f (the values of x).",
        "Where does the graph of f change from bending one way to bending the other? Give all such x.",
    ),
}
ANSWER = Solutions("all the values of x as exact numbers, separated by commas, in any order, or none", max_items=12)
CONCEPT = "Take the derivative apart into factors; what counts is where it changes its sign, and in which direction."


class Knobs(Config):
    roots: int = knob(3, easy=2, hard=5, doc="real zeros of the derivative in question, counted with multiplicity")
    largest: int = knob(6, easy=4, hard=9, doc="largest zero")
    surds: int = knob(30, easy=0, hard=70, doc="percent of pairs of zeros that are surds")
    kind: str = knob(
        "extreme", easy="stationary", hard="inflection", order=KINDS, doc="stationary points, minima or maxima, or inflections"
    )


class Data(TaskData):
    function: str
    asks: str
    zeros: tuple[tuple[str, int], ...]  # of the derivative that counts, from left to right, and how often each occurs
    rises: bool  # whether that derivative is positive far to the right


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    factor, zeros = _sample_zeros(rng, knobs)
    scale = rng.choice((1, 2, -1, -2)) * (60 if knobs.kind == "inflection" else 12)
    curve = [Fraction(scale) * a for a in factor]
    for _ in range(2 if knobs.kind == "inflection" else 1):
        curve = symbolic.antiderivative(curve)
        curve[0] = Fraction(rng.integer(-9, 9))
    return _render_task(rng, knobs, symbolic.polynomial(curve), zeros, scale > 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    # f = p e^(kx) has the derivative (p' + k p) e^(kx): p is found from the zeros, coefficient by coefficient.
    factor, zeros = _sample_zeros(rng, knobs)
    rate, scale = rng.choice((1, -1, 2, -2)), rng.choice((1, -1))
    curve = [Fraction(scale * abs(rate) ** (2 * len(factor)) * a) for a in factor]
    for _ in range(2 if knobs.kind == "inflection" else 1):
        for k in range(len(curve) - 1, -1, -1):
            curve[k] = (curve[k] - ((k + 1) * curve[k + 1] if k + 1 < len(curve) else 0)) / rate
    power = build.call("exp", build.times(trees.number(rate), symbolic.X))
    return _render_task(rng, knobs, build.times(power, symbolic.polynomial(curve)), zeros, scale > 0)


def solve(task: Task[Data]) -> tuple[Tree, ...]:
    # Differentiates and searches for the zeros; `generate` starts from them.
    data = task.data
    quotient = trees.polynomial(_factor(data), "x", 20)
    rises = quotient[-1] > 0
    zeros: list[tuple[Tree, int]] = []
    for root in range(-WIDEST, WIDEST + 1):
        times = 0
        while len(quotient) > 1 and not symbolic.evaluate(quotient, root):
            quotient, times = _divide(quotient, [Fraction(-root), Fraction(1)]), times + 1
        zeros += [(trees.number(root), times)] * bool(times)
    for middle in range(-WIDEST, WIDEST + 1):
        for square in SQUARES:
            pair = [Fraction(middle * middle - square), Fraction(-2 * middle), Fraction(1)]
            if len(quotient) > 2 and symbolic.multiply(_divide(quotient, pair), pair) == quotient:
                quotient = _divide(quotient, pair)
                zeros += [(root, 1) for root in _surds(middle, square)]
    zeros.sort(key=lambda zero: value_of(zero[0]))
    return _matching_zeros(zeros, rises, data.asks)


def verify(task: Task[Data], answer: tuple[Tree, ...]) -> Score:
    return Score.exact(same_members(_right_answer(task.data), answer), "those are not exactly the x that are asked for")


def mistakes(task: Task[Data], right: tuple[Tree, ...]) -> list[tuple[Tree, ...]]:
    every = tuple(read(text) for text, _ in task.data.zeros)
    others = tuple(root for root in every if root not in right)
    return [every, others, right[1:], (*right, trees.number(97)), tuple(build.minus(root) for root in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return trees.size(read(data.function)) * (1 + ("minimum", "stationary", "maximum", "inflection").index(data.asks) // 2) + 8 * len(
        data.zeros
    )


def _lines(task: Task[Data]) -> list[str]:
    data, factor = task.data, _factor(task.data)
    marks = _marks(data)
    parts = [build.subtract(symbolic.X, read(text)) for text, times in data.zeros for _ in range(times)]
    lead = trees.polynomial(factor, "x", 20)[-1]
    steps = [symbolic.equation_line(SLOPE.format(marks=marks[:k]), _derivative(data.function, k)) for k in range(1, len(marks) + 1)]
    steps.append(
        symbolic.equation_line(
            FACTOR.format(marks=marks),
            symbolic.polynomial(trees.polynomial(factor, "x", 20)),
            build.times(trees.number(lead), build.product(parts)),
        )
    )
    if data.asks != "stationary":
        steps += [
            symbolic.equation_line(SIGN.format(at=at), symbolic.evaluate(trees.polynomial(factor, "x", 20), at))
            for at in _sample_points(data)
        ]
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data

    def slope(marks: str) -> Tree:
        if set(marks) != {"'"} or len(marks) > 2:
            raise ValueError("another derivative")
        return _derivative(data.function, len(marks))

    def sign(at: str) -> Fraction:
        if Fraction(at) not in _sample_points(data):
            raise ValueError("not between the zeros")
        return trees.exact(_factor(data), {"x": Fraction(at)})

    def factor(marks: str) -> Tree:
        if marks != _marks(data):
            raise ValueError("another derivative")
        return _factor(data)

    return {FACTOR: factor, SLOPE: slope, SIGN: sign}


def _sample_zeros(rng: Rng, knobs: Knobs) -> tuple[list[Fraction], list[tuple[Tree, int]]]:
    """A monic polynomial and its zeros from left to right, which are not symmetric about 0."""
    while True:
        factor, zeros = _sample_polynomial(rng, knobs)
        if all(not _is_symmetric(_matching_zeros(zeros, rises, kind)) for kind in ASKS for rises in (True, False)):
            return factor, zeros


def _is_symmetric(roots: Sequence[Tree]) -> bool:
    return bool(roots) and same_members(roots, [build.minus(root) for root in roots])


def _sample_polynomial(rng: Rng, knobs: Knobs) -> tuple[list[Fraction], list[tuple[Tree, int]]]:
    multiplicities: dict[int, int] = {}
    factor = [Fraction(1)]
    surds: list[tuple[Tree, int]] = []
    if knobs.roots > 2 and rng.integer(1, 100) <= knobs.surds:
        middle, square = rng.integer(-2, 2), rng.choice(SQUARES)
        factor = [Fraction(middle * middle - square), Fraction(-2 * middle), Fraction(1)]
        surds = [(root, 1) for root in _surds(middle, square)]
    while sum(multiplicities.values()) + len(surds) < knobs.roots:
        root = rng.integer(-knobs.largest, knobs.largest)
        multiplicities[root] = multiplicities.get(root, 0) + 1
    if all(times % 2 == 0 for times in multiplicities.values()) and not surds:
        multiplicities[knobs.largest + 1] = 1
    for root, times in multiplicities.items():
        for _ in range(times):
            factor = symbolic.multiply(factor, [-root, 1])
    return factor, sorted(
        [*surds, *((trees.number(root), times) for root, times in multiplicities.items())], key=lambda zero: value_of(zero[0])
    )


def _render_task(rng: Rng, knobs: Knobs, function: Tree, zeros: list[tuple[Tree, int]], rises: bool) -> Task[Data]:
    asks = knobs.kind
    if asks == "extreme":
        asks = rng.choice([kind for kind in ("minimum", "maximum") if _matching_zeros(zeros, rises, kind)])
    text = trees.write(function)
    data = Data(function=text, asks=asks, zeros=tuple((trees.write(root), times) for root, times in zeros), rises=rises)
    return Task(f"Let f(x) = {text}. {phrase(rng, ASKS[asks])}", data)


def _matching_zeros(zeros: Sequence[tuple[Tree, int]], rises: bool, asks: str) -> tuple[Tree, ...]:
    """The zeros that are asked for, selected by the sign changes; the sign far to the right is known."""
    matching: list[Tree] = []
    positive = rises
    for root, times in reversed(zeros):
        before = positive != bool(times % 2)
        if asks == "stationary" or (before != positive and (asks == "inflection" or positive == (asks == "minimum"))):
            matching.append(root)
        positive = before
    return tuple(reversed(matching))


def _surds(middle: int, square: int) -> tuple[Tree, Tree]:
    """The zeros of (x - middle)^2 - square."""
    root = build.call("sqrt", trees.number(square))
    return (build.subtract(trees.number(middle), root), build.add(trees.number(middle), root)) if middle else (build.minus(root), root)


def _sample_points(data: Data) -> list[Fraction]:
    """A rational number left of all zeros, between any two neighbours, and right of all."""
    places = [Fraction(str(value_of(read(text)).quantize(Decimal("0.01")))) for text, _ in data.zeros]
    return [
        Fraction(floor(places[0]) - 1),
        *(_simple_fraction(low, high) for low, high in pairwise(places)),
        Fraction(floor(places[-1]) + 2),
    ]


def _simple_fraction(low: Fraction, high: Fraction) -> Fraction:
    """A fraction with a small denominator between two others, not too close to either."""
    return next(
        Fraction(k, below)
        for below in range(1, 99)
        for k in range(floor(low * below), floor(high * below) + 1)
        if low + Fraction(1, 50) < Fraction(k, below) < high - Fraction(1, 50)
    )


def _divide(dividend: list[Fraction], divisor: list[Fraction]) -> list[Fraction]:
    """The quotient of polynomials, without the rest."""
    rest, out = list(dividend), [Fraction(0)] * (len(dividend) - len(divisor) + 1)
    for k in range(len(out) - 1, -1, -1):
        out[k] = rest[k + len(divisor) - 1] / divisor[-1]
        for j, b in enumerate(divisor):
            rest[k + j] -= out[k] * b
    return out


def _marks(data: Data) -> str:
    return "''" if data.asks == "inflection" else "'"


@lru_cache(maxsize=512)
def _derivative(function: str, order: int) -> Tree:
    return trees.derivative(_derivative(function, order - 1), "x") if order else read(function)


def _factor(data: Data) -> Tree:
    """The derivative in question, with its exponential factor replaced by 1."""
    return symbolic.without_exponentials(_derivative(data.function, len(_marks(data))))


def _right_answer(data: Data) -> tuple[Tree, ...]:
    return _matching_zeros([(read(text), times) for text, times in data.zeros], data.rises, data.asks)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=symbolic.solution(_lines, _quantities),
    shift=shift,
    shared_helpers="The helper compares two sets of zeros.",
    concept=CONCEPT,
    version=2,
)
