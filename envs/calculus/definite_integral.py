"""Work out a definite integral exactly.

The function is a polynomial, the absolute value of one, or given piece by piece; the answer is a rational number.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, floor

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, Rational, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomials
from rlgym.generators.algebra.polynomials import Polynomial
from rlgym.generators.draws import draw_short
from rlgym.solutions import Derivation, Solution, Step

KINDS = ("sum", "product", "absolute", "piecewise")
MOST_DEGREE = 7
ANSWER = Rational("the exact value, written as an integer or as a fraction a/b")
CONCEPT = "Take an antiderivative at the upper bound minus at the lower one, piece by piece; an absolute value is cut at its zeros."
PIECE = Step("From {low:fraction} to {high:fraction} the function is {function}; multiplied out, the polynomial in it is {polynomial}")
PRIMITIVE = Step("An antiderivative of {polynomial} is F(x) = {primitive}")
ZEROS = Step("The absolute value needs the sign, which changes only at zeros between {low:fraction} and {high:fraction}: {zeros}")
PART = Step("From {a:fraction} to {b:fraction}, F({b}) - F({a}) = {above:fraction} - ({below:fraction}) = {part:fraction}{size}")
SUM = Step("The parts add up: {parts} = {total:fraction}")
END = "The integral is {answer}"


class Knobs(Config):
    degree: int = knob(3, easy=1, hard=MOST_DEGREE, doc="degree of the polynomials")
    largest: int = knob(6, easy=5, hard=12, doc="largest coefficient of a factor or a term")
    width: int = knob(4, easy=3, hard=12, doc="largest distance of the bounds")
    fractions: int = knob(20, easy=0, hard=80, doc="percent of bounds that are not integers")
    kind: str = knob("product", easy="sum", hard="piecewise", order=KINDS, doc="a sum of powers, a product, an absolute value, or pieces")


class Data(TaskData):
    pieces: tuple[str, ...]
    cuts: tuple[str, ...]  # the lower bound, where one piece follows another, and the upper bound
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_task(rng, knobs), lambda task: task.data.value)


def _sample_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    low = Fraction(rng.integer(-knobs.width, knobs.width))
    high = low + rng.integer(2 if knobs.kind == "piecewise" else 1, knobs.width)
    if rng.integer(1, 100) <= knobs.fractions:
        high += Fraction(rng.integer(1, 3), 4)
    if rng.integer(1, 100) <= knobs.fractions:
        low -= Fraction(rng.integer(1, 2), 3)
    cuts = [low, high]
    if knobs.kind == "piecewise":
        inside = range(floor(low) + 1, ceil(high))
        cuts += map(Fraction, rng.sample(inside, min(len(inside), rng.integer(1, 2))))
        cuts.sort()
    drawn = [_sample_piece(rng, knobs, a, b) for a, b in pairwise(cuts)]
    pieces = tuple(text for text, _ in drawn)
    data = Data(pieces=pieces, cuts=tuple(map(str, cuts)), value=str(sum((value for _, value in drawn), Fraction(0))))
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> Fraction:
    # From values at equally spaced points alone, by the rule of Newton and Cotes.
    total = Fraction(0)
    for text, low, high in _pieces(task):
        tree = _read(text.removeprefix("abs"))
        for a, b in pairwise(_breaks(text, low, high)):
            step = (b - a) / MOST_DEGREE
            part = step * sum(weight * trees.exact(tree, {"x": a + i * step}) for i, weight in enumerate(_weights()))
            total += abs(part) if text.startswith("abs") else part
    return total


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the integral has another value")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    pieces = [(_primitive(text), low, high) for text, low, high in _pieces(task)]
    signed = sum((_evaluate(primitive, b) - _evaluate(primitive, a) for primitive, a, b in pieces), Fraction(0))
    (first, low, _), (_, _, high) = pieces[0], pieces[-1]
    no_inverses = sum((_value(text, b) - _value(text, a) for text, a, b in _pieces(task)), Fraction(0))
    return [
        signed,
        abs(signed),
        _evaluate(first, high) - _evaluate(first, low),
        no_inverses,
        _evaluate(pieces[-1][0], high),
        -right,
        right + 1,
    ]


def cost(task: Task[Data]) -> float:
    work = 0
    for text, low, high in _pieces(task):
        parts = len(_breaks(text, low, high)) - 1 if text.startswith("abs") else 1
        work += len(_primitive(text)) * len(text) + parts * len(_primitive(text)) * len(f"{low}{high}")
    return work


def derive(task: Task[Data]) -> Derivation:
    values = list[Fraction]()
    for text, low, high in _pieces(task):
        primitive, absolute = _primitive(text), text.startswith("abs")
        polynomial = _polynomial_text([coefficient * i for i, coefficient in enumerate(primitive)][1:])
        yield PIECE(low=low, high=high, function=text, polynomial=polynomial)
        yield PRIMITIVE(polynomial=polynomial, primitive=_polynomial_text(primitive))
        zeros = [point for point in _breaks(text, low, high)[1:-1] if not _value(text, point)] if absolute else []
        if absolute:
            yield ZEROS(low=low, high=high, zeros=", ".join(map(str, zeros)) or "none")
        for a, b in pairwise([low, *zeros, high]):
            below, above = _evaluate(primitive, a), _evaluate(primitive, b)
            part = above - below
            values.append(abs(part) if absolute else part)
            size = f", whose absolute value is {-part}" if absolute and part < 0 else ""
            yield PART(a=a, b=b, above=above, below=below, part=part, size=size or ".")
    yield SUM(parts=" + ".join(map(str, values)).replace("+ -", "- "), total=sum(values, Fraction(0)))


def _render_prompt(data: Data) -> str:
    low, *cuts, high = data.cuts
    absolute = " abs is the absolute value." if any(text.startswith("abs") for text in data.pieces) else ""
    if not cuts:
        return f"Compute the definite integral of {data.pieces[0]} over x from {low} to {high} exactly.{absolute}"
    where = [f"x < {cuts[0]}", *(f"{a} <= x < {b}" for a, b in pairwise(cuts)), f"x >= {cuts[-1]}"]
    lines = "\n".join(f"f(x) = {text} for {when}" for text, when in zip(data.pieces, where, strict=True))
    return f"The function f is given by\n{lines}\nCompute the definite integral of f(x) over x from {low} to {high} exactly.{absolute}"


def _sample_piece(rng: Rng, knobs: Knobs, low: Fraction, high: Fraction) -> tuple[str, Fraction]:
    """A function as text, and its integral."""
    if knobs.kind == "sum":
        polynomial = (*(rng.integer(-knobs.largest, knobs.largest) for _ in range(knobs.degree)), rng.integer(1, knobs.largest))
        return polynomials.text(polynomial), _antiderivative(polynomial, high) - _antiderivative(polynomial, low)
    absolute = knobs.kind == "absolute" or (knobs.kind == "piecewise" and rng.chance(0.6))
    factors, zeros = _sample_factors(rng, knobs, floor(low) - 1, ceil(high) + 1, absolute)
    polynomial = polynomials.product(factors)
    text = "*".join(f"({polynomials.text(factor)})" for factor in factors)
    if not absolute:
        return text, _antiderivative(polynomial, high) - _antiderivative(polynomial, low)
    breaks = [low, *sorted({Fraction(zero) for zero in zeros if low < zero < high}), high]
    return f"abs({text})", sum(
        (abs(_antiderivative(polynomial, b) - _antiderivative(polynomial, a)) for a, b in pairwise(breaks)), Fraction(0)
    )


def _sample_factors(rng: Rng, knobs: Knobs, least: int, most: int, whole_zeros: bool) -> tuple[list[Polynomial], list[int]]:
    """Factors, and where the linear ones are zero if that is to be at integers."""
    factors, zeros = list[Polynomial](), list[int]()
    degree_left = knobs.degree
    while degree_left > 0:
        # Never zero: x^2 + c.
        if degree_left > 1 and rng.chance(0.3):
            factors.append((rng.integer(1, knobs.largest), 0, 1))
            degree_left -= 2
            continue
        scale = rng.integer(1, 3)
        zero = rng.integer(least, most)
        zeros.append(zero)
        factors.append((-zero * scale if whole_zeros else rng.integer(-knobs.largest, knobs.largest), scale))
        degree_left -= 1
    return factors, zeros


def _antiderivative(polynomial: Polynomial, x: Fraction) -> Fraction:
    total = Fraction(0)
    for i in range(len(polynomial) - 1, -1, -1):
        total = (total + Fraction(polynomial[i], i + 1)) * x
    return total


def _pieces(task: Task[Data]) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Each piece with its bounds."""
    for text, (low, high) in zip(task.data.pieces, pairwise(task.data.cuts), strict=True):
        yield text, Fraction(low), Fraction(high)


def _breaks(text: str, low: Fraction, high: Fraction) -> list[Fraction]:
    """The bounds, and all integers between them if there is an absolute value: its factors are zero at integers only."""
    inside = range(floor(low) + 1, ceil(high)) if text.startswith("abs") else ()
    return [low, *map(Fraction, inside), high]


@cache
def _weights() -> list[Fraction]:
    """What the values at 0, 1, ..., MOST_DEGREE count for in the integral of a polynomial up to that degree."""
    weights = []
    for i in range(MOST_DEGREE + 1):
        basis = [Fraction(1)]
        for j in range(MOST_DEGREE + 1):
            if j != i:
                basis = [(a - j * b) / (i - j) for a, b in zip([Fraction(0), *basis], [*basis, Fraction(0)], strict=True)]
        weights.append(sum((a * Fraction(MOST_DEGREE) ** (k + 1) / (k + 1) for k, a in enumerate(basis)), Fraction(0)))
    return weights


@lru_cache(maxsize=512)
def _primitive(text: str) -> list[Fraction]:
    """The coefficients of an antiderivative of the polynomial, from the constant term up."""
    polynomial = trees.polynomial(_read(text.removeprefix("abs")), "x", MOST_DEGREE)
    return [Fraction(0), *(coefficient / (i + 1) for i, coefficient in enumerate(polynomial))]


def _value(text: str, x: Fraction) -> Fraction:
    value = trees.exact(_read(text.removeprefix("abs")), {"x": x})
    return abs(value) if text.startswith("abs") else value


def _evaluate(coefficients: list[Fraction], x: Fraction) -> Fraction:
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


def _polynomial_text(coefficients: list[Fraction]) -> str:
    return trees.write(trees.build.of_coefficients(coefficients))


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    return trees.read(text, Expression(("x",)).grammar)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, END), concept=CONCEPT, version=3
)
