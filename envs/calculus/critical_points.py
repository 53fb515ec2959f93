"""Find all the places where a function has a horizontal tangent, a minimum, a maximum, or a turning point of its slope.

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
from rlgym.answers.trees import Apply, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.stories import told

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
        "At which x does f'' change its sign?",
        "Determine the inflection points of f (the values of x).",
        "Where does the graph of f go over from bending one way to bending the other? Give all such x.",
    ),
}


class Knobs(Config):
    roots: int = knob(3, easy=2, hard=5, doc="how many real zeros the derivative in question has, counted as often as they occur")
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
    factor, zeros = _zeros(rng, knobs)
    scale = rng.choice((1, 2, -1, -2)) * (60 if knobs.kind == "inflection" else 12)
    curve = [Fraction(scale) * a for a in factor]
    for _ in range(2 if knobs.kind == "inflection" else 1):
        curve = symbolic.antiderivative(curve)
        curve[0] = Fraction(rng.integer(-9, 9))
    return _told(rng, knobs, symbolic.polynomial(curve), zeros, scale > 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    # f = p e^(kx) has the derivative (p' + k p) e^(kx): p is found from the zeros, coefficient by coefficient.
    factor, zeros = _zeros(rng, knobs)
    rate, scale = rng.choice((1, -1, 2, -2)), rng.choice((1, -1))
    curve = [Fraction(scale * abs(rate) ** (2 * len(factor)) * a) for a in factor]
    for _ in range(2 if knobs.kind == "inflection" else 1):
        for k in range(len(curve) - 1, -1, -1):
            curve[k] = (curve[k] - ((k + 1) * curve[k + 1] if k + 1 < len(curve) else 0)) / rate
    power = build.call("exp", build.times(trees.number(rate), symbolic.X))
    return _told(rng, knobs, build.times(power, symbolic.polynomial(curve)), zeros, scale > 0)


def solve(task: Task[Data]) -> tuple[Tree, ...]:
    # Differentiates and looks for the zeros; `generate` began with them.
    data = task.data
    left = trees.polynomial(_factor(data), "x", 20)
    rises = left[-1] > 0
    found: list[tuple[Tree, int]] = []
    for root in range(-WIDEST, WIDEST + 1):
        times = 0
        while len(left) > 1 and not symbolic.at(left, root):
            left, times = _divided(left, [Fraction(-root), Fraction(1)]), times + 1
        found += [(trees.number(root), times)] * bool(times)
    for middle in range(-WIDEST, WIDEST + 1):
        for square in SQUARES:
            pair = [Fraction(middle * middle - square), Fraction(-2 * middle), Fraction(1)]
            if len(left) > 2 and symbolic.product(_divided(left, pair), pair) == left:
                left = _divided(left, pair)
                found += [(root, 1) for root in _surds(middle, square)]
    found.sort(key=lambda one: value_of(one[0]))
    return _kept(found, rises, data.asks)


def verify(task: Task[Data], answer: tuple[Tree, ...]) -> Score:
    return Score.exact(same_members(_right(task.data), answer), "those are not exactly the places that are asked for")


def mistakes(task: Task[Data], right: tuple[Tree, ...]) -> list[tuple[Tree, ...]]:
    every = tuple(symbolic.read(text) for text, _ in task.data.zeros)
    others = tuple(root for root in every if root not in right)
    return [every, others, right[1:], (*right, trees.number(97)), tuple(build.minus(root) for root in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return trees.size(_read(data.function)) * (1 + ("minimum", "stationary", "maximum", "inflection").index(data.asks) // 2) + 8 * len(
        data.zeros
    )


def explain(task: Task[Data]) -> list[str]:
    data, factor = task.data, _factor(task.data)
    marks = _marks(data)
    parts = [build.subtract(symbolic.X, symbolic.read(text)) for text, times in data.zeros for _ in range(times)]
    lead = trees.polynomial(factor, "x", 20)[-1]
    steps = [symbolic.line(SLOPE.format(marks=marks[:k]), _derived(data.function, k)) for k in range(1, len(marks) + 1)]
    steps.append(
        symbolic.line(
            FACTOR.format(marks=marks),
            symbolic.polynomial(trees.polynomial(factor, "x", 20)),
            build.times(trees.number(lead), build.product(parts)),
        )
    )
    if data.asks != "stationary":
        steps += [symbolic.line(SIGN.format(at=at), symbolic.at(trees.polynomial(factor, "x", 20), at)) for at in _between(data)]
    return [*steps, symbolic.LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data

    def slope(marks: str) -> Tree:
        if set(marks) != {"'"} or len(marks) > 2:
            raise ValueError("another derivative")
        return _derived(data.function, len(marks))

    def sign(at: str) -> Fraction:
        if Fraction(at) not in _between(data):
            raise ValueError("not between the zeros")
        return trees.exact(_factor(data), {"x": Fraction(at)})

    def factor(marks: str) -> Tree:
        if marks != _marks(data):
            raise ValueError("another derivative")
        return _factor(data)

    return symbolic.replayed(task, steps, {FACTOR: factor, SLOPE: slope, SIGN: sign}, _ANSWER, verify)


def _zeros(rng: Rng, knobs: Knobs) -> tuple[list[Fraction], list[tuple[Tree, int]]]:
    """A monic polynomial, and its zeros from left to right, which do not lie evenly around 0."""
    while True:
        factor, zeros = _drawn(rng, knobs)
        if all(not _even(_kept(zeros, rises, kind)) for kind in ASKS for rises in (True, False)):
            return factor, zeros


def _even(roots: Sequence[Tree]) -> bool:
    return bool(roots) and same_members(roots, [build.minus(root) for root in roots])


def _drawn(rng: Rng, knobs: Knobs) -> tuple[list[Fraction], list[tuple[Tree, int]]]:
    found: dict[int, int] = {}
    factor = [Fraction(1)]
    surds: list[tuple[Tree, int]] = []
    if knobs.roots > 2 and rng.integer(1, 100) <= knobs.surds:
        middle, square = rng.integer(-2, 2), rng.choice(SQUARES)
        factor = [Fraction(middle * middle - square), Fraction(-2 * middle), Fraction(1)]
        surds = [(root, 1) for root in _surds(middle, square)]
    while sum(found.values()) + len(surds) < knobs.roots:
        root = rng.integer(-knobs.largest, knobs.largest)
        found[root] = found.get(root, 0) + 1
    if all(times % 2 == 0 for times in found.values()) and not surds:
        found[knobs.largest + 1] = 1
    for root, times in found.items():
        for _ in range(times):
            factor = symbolic.product(factor, [-root, 1])
    return factor, sorted([*surds, *((trees.number(root), times) for root, times in found.items())], key=lambda one: value_of(one[0]))


def _told(rng: Rng, knobs: Knobs, function: Tree, zeros: list[tuple[Tree, int]], rises: bool) -> Task[Data]:
    asks = knobs.kind
    if asks == "extreme":
        asks = rng.choice([one for one in ("minimum", "maximum") if _kept(zeros, rises, one)])
    text = trees.write(function)
    data = Data(function=text, asks=asks, zeros=tuple((trees.write(root), times) for root, times in zeros), rises=rises)
    return Task(f"Let f(x) = {text}. {told(rng, ASKS[asks])}", data)


def _kept(zeros: Sequence[tuple[Tree, int]], rises: bool, asks: str) -> tuple[Tree, ...]:
    """The zeros that are asked for, by how the sign changes there; it is known far to the right."""
    kept: list[Tree] = []
    positive = rises
    for root, times in reversed(zeros):
        before = positive != bool(times % 2)
        if asks == "stationary" or (before != positive and (asks == "inflection" or positive == (asks == "minimum"))):
            kept.append(root)
        positive = before
    return tuple(reversed(kept))


def _surds(middle: int, square: int) -> tuple[Tree, Tree]:
    """The zeros of (x - middle)^2 - square."""
    root = build.call("sqrt", trees.number(square))
    return (build.subtract(trees.number(middle), root), build.add(trees.number(middle), root)) if middle else (build.minus(root), root)


def _between(data: Data) -> list[Fraction]:
    """A rational number left of all zeros, between any two neighbours, and right of all."""
    places = [Fraction(str(value_of(symbolic.read(text)).quantize(Decimal("0.01")))) for text, _ in data.zeros]
    return [Fraction(floor(places[0]) - 1), *(_simple(low, high) for low, high in pairwise(places)), Fraction(floor(places[-1]) + 2)]


def _simple(low: Fraction, high: Fraction) -> Fraction:
    """A fraction of a small denominator well between two others."""
    return next(
        Fraction(k, below)
        for below in range(1, 99)
        for k in range(floor(low * below), floor(high * below) + 1)
        if low + Fraction(1, 50) < Fraction(k, below) < high - Fraction(1, 50)
    )


def _divided(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    """The quotient of polynomials, without the rest."""
    left, out = list(one), [Fraction(0)] * (len(one) - len(other) + 1)
    for k in range(len(out) - 1, -1, -1):
        out[k] = left[k + len(other) - 1] / other[-1]
        for j, b in enumerate(other):
            left[k + j] -= out[k] * b
    return out


def _marks(data: Data) -> str:
    return "''" if data.asks == "inflection" else "'"


@lru_cache(maxsize=512)
def _derived(function: str, order: int) -> Tree:
    return trees.derivative(_derived(function, order - 1), "x") if order else _read(function)


def _factor(data: Data) -> Tree:
    """The derivative that counts, with 1 in place of the power of e."""
    return _without(_derived(data.function, len(_marks(data))))


def _without(tree: Tree) -> Tree:
    if isinstance(tree, Apply):
        return build.ONE if tree.head == "exp" else Apply(tree.head, tuple(map(_without, tree.parts)))
    return tree


def _right(data: Data) -> tuple[Tree, ...]:
    return _kept([(symbolic.read(text), times) for text, times in data.zeros], data.rises, data.asks)


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    return symbolic.read(text)


_ANSWER = Solutions("all the values of x as exact numbers, separated by commas, in any order, or none", most=12)

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
    concept="Take the derivative apart into factors; what counts is where it changes its sign, and in which direction.",
)
