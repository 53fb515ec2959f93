"""Solve an equation with square roots: squaring introduces extraneous solutions.

The shifted family has three square roots.
"""

from fractions import Fraction
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals
from rlgym.generators.algebra import polynomial_fields, polynomials, roots
from rlgym.generators.algebra.polynomials import Polynomial
from rlgym.solutions import Checks, Derivation, Solution, Step

Roots = tuple[Fraction, ...]
ANSWER = Rationals("all solutions as exact numbers, separated by commas")
ISOLATED = Step("Squared once: twice the product of the two roots on the left, with the sign between them, is {rest}.")
SQUARED = Step("Squared and brought to one side: {polynomial} = 0.")
TRIED = Step("At x = {x:fraction} there stands {under:fractions} under the roots, and the equation {verdict}.")
VERDICTS = {True: "holds", False: "fails"}
CLOSING = "The solutions are {answer}"
CONCEPT = "Leave one root alone on its side and square, until no root is left; then test every number that is found."


class Knobs(Config):
    roots: str = knob("two", easy="one", hard="two", order=("one", "two"), doc="square roots in the equation")
    largest: int = knob(9, easy=5, hard=15, doc="largest coefficient of x under a root")
    place: int = knob(20, easy=9, hard=60, doc="largest solution")
    denominator: int = knob(1, easy=1, hard=4, doc="largest denominator of a solution")


class Data(TaskData):
    radicands: tuple[Polynomial, ...]  # sqrt(first) + sign*sqrt(second) = sqrt(third), or = line
    sign: int
    line: Polynomial  # the right side where there is no third root
    solutions: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 1 if knobs.roots == "one" else 2)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Three square roots."""
    return _sample_task(rng, knobs, 3)


def solve(task: Task[Data]) -> Roots:
    return tuple(sorted(x for x in _candidates(task.data) if _holds(task.data, x)))


def verify(task: Task[Data], answer: Roots) -> Score:
    return Score.exact(answer == tuple(map(Fraction, task.data.solutions)), "these are not the solutions")


def mistakes(task: Task[Data], right: Roots) -> list[Roots]:
    every = tuple(sorted(_candidates(task.data)))
    more = tuple(x + 1 for x in right)
    others = tuple(x for x in every if x not in right)
    return [every, more, tuple(-x - 1 for x in right), *([others] if others else []), (*right, right[-1])]


def cost(task: Task[Data]) -> float:
    return sum(len(str(a)) for a in _square(task.data)) * (1 + len(task.data.radicands)) ** 2


def derive(task: Task[Data]) -> Derivation:
    data, polynomial = task.data, _square(task.data)
    if len(data.radicands) > 1:
        yield ISOLATED(rest=polynomials.text(_rest(data)))
    yield SQUARED(polynomial=polynomials.text(polynomial))
    yield from roots.factoring_steps("left side", polynomial)
    for x in _candidates(data):
        yield TRIED(x=x, under=[polynomials.value(radicand, x) for radicand in data.radicands], verdict=VERDICTS[_holds(data, x)])


def checks(task: Task[Data]) -> Checks:
    data, whole = task.data, _square(task.data)

    def tried(x: Fraction, under: tuple[Fraction, ...], verdict: str) -> bool:
        values = tuple(polynomials.value(radicand, x) for radicand in data.radicands)
        return x in _candidates(data) and under == values and verdict == VERDICTS[_holds(data, x)]

    return {
        ISOLATED: lambda rest: polynomial_fields.read(rest) == polynomial_fields.normalize(_rest(data), 0),
        SQUARED: lambda polynomial: polynomial_fields.read(polynomial) == whole,
        TRIED: tried,
        **roots.checks({"left side": whole}),
    }


def _sample_task(rng: Rng, knobs: Knobs, count: int) -> Task[Data]:
    while True:
        sign = rng.choice((1, 1, -1)) if count > 1 else 0
        below = rng.integer(1, knobs.denominator)
        x = Fraction(rng.integer(-knobs.place * below, knobs.place * below), below)
        sizes = [rng.integer(1, 12) for _ in range(2)]
        sizes.append(sizes[0] + sign * sizes[1])
        slopes = [below * rng.integer(1, max(1, knobs.largest // below)) * rng.choice((-1, 1, 1)) for _ in range(3)]
        radicands = tuple((int(size * size - slope * x), slope) for size, slope in zip(sizes, slopes))[:count]
        rise = rng.choice((-2, -1, 1, 2)) * below if count == 1 else 0
        line = (int(sizes[0] - rise * x), rise) if count == 1 else (sizes[2],)
        data = Data(radicands=radicands, sign=sign, line=line if count < 3 else (0,), solutions=())
        polynomial = _square(data) if sizes[2] >= 0 else ()
        if len(polynomial) < 2 or len(set(radicands)) < count or not len(_candidates(data)) > 0:
            continue
        solutions = sorted(root for root in _candidates(data) if _holds(data, root))
        if solutions:
            break
    shown = [f"sqrt({polynomials.text(radicand)})" for radicand in radicands]
    left = shown[0] if count == 1 else f"{shown[0]} {'+' if sign > 0 else '-'} {shown[1]}"
    right = shown[2] if count == 3 else polynomials.text(line)
    prompt = f"Find all real numbers x for which every root is of a non-negative number and this holds:\n{left} = {right}"
    return Task(prompt, Data(radicands=radicands, sign=sign, line=data.line, solutions=tuple(map(str, solutions))))


def _rest(data: Data) -> Polynomial:
    """The value of twice the product of the first two roots, with their sign, after squaring once."""
    right = data.radicands[2] if len(data.radicands) == 3 else polynomials.times(data.line, data.line)
    for radicand in data.radicands[:2]:
        right = polynomials.plus(right, tuple(-a for a in radicand))
    return right


def _square(data: Data) -> polynomial_fields.Coefficients:
    """The polynomial after all roots are eliminated; every solution is a root of it."""
    radicand, *others = data.radicands
    if not others:
        polynomial = polynomials.plus(polynomials.times(data.line, data.line), tuple(-a for a in radicand))
    else:
        rest = _rest(data)
        polynomial = polynomials.plus(polynomials.times(rest, rest), tuple(-4 * a for a in polynomials.times(radicand, others[0])))
    return polynomial_fields.normalize(polynomial, 0)


def _candidates(data: Data) -> list[Fraction]:
    """The roots of the polynomial after all roots are eliminated, which are rational by construction."""
    polynomial = _square(data)
    if len(polynomial) == 2:
        return [-polynomial[0] / polynomial[1]]
    c, b, a = polynomial
    inside = b * b - 4 * a * c
    root = Fraction(isqrt(inside.numerator))
    return list(dict.fromkeys(((-b - root) / (2 * a), (-b + root) / (2 * a)))) if inside >= 0 and root * root == inside else []


def _holds(data: Data, x: Fraction) -> bool:
    under = [polynomials.value(radicand, x) for radicand in data.radicands]
    if any(value < 0 for value in under):
        return False
    if len(under) == 1:
        right = polynomials.value(data.line, x)
        return right >= 0 and right * right == under[0]
    # sqrt(a) + s*sqrt(b) = sqrt(c) where the left side is not below 0 and a + b - c = -2*s*sqrt(a*b)
    c = under[2] if len(under) == 3 else data.line[0] ** 2
    rest = c - under[0] - under[1]
    return (data.sign > 0 or under[0] >= under[1]) and rest * data.sign >= 0 and rest * rest == 4 * under[0] * under[1]


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING, checks), shift=shift, concept=CONCEPT,
    version=2,
)  # fmt: skip
