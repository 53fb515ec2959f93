"""Break a quotient of polynomials into a sum of simple fractions.

The denominator may have repeated and irreducible quadratic factors. In the shifted family the numerator is short and factors are raised to
high powers, so that the coefficients are no small integers.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.maths import ratio
from rlgym.answers.trees import Tree, Undefined, build
from rlgym.generators.algebra import polynomial_fields, polynomials, rational_functions
from rlgym.generators.algebra.polynomial_fields import Coefficients
from rlgym.generators.claims import refuted
from rlgym.generators.steps import Line, ended

MOST_DEGREE = 20


class Knobs(Config):
    linear: int = knob(2, easy=2, hard=4, doc="different linear factors below")
    quadratic: int = knob(0, easy=0, hard=2, doc="irreducible quadratic factors below")
    power: int = knob(2, easy=1, hard=3, doc="highest power of a linear factor")
    leading: int = knob(1, easy=1, hard=3, doc="largest coefficient of x in a linear factor")
    layout: str = knob("expanded", easy="factored", hard="expanded", order=("factored", "expanded"), doc="factors shown or multiplied out")


class Data(TaskData):
    factors: tuple[tuple[tuple[int, ...], int], ...]  # irreducible polynomials and how often each stands below
    top: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    factors = _factors(rng, knobs, 6)
    pieces = [(tuple(rng.integer(-9, 9) or 1 for _ in factor[1:]), factor, k + 1) for factor, power in factors for k in range(power)]
    below = polynomials.product([factor for factor, power in factors for _ in range(power)])
    top: tuple[int, ...] = polynomials.times(below, (rng.integer(1, 3),)) if rng.chance(0.3) else (0,)
    for piece, factor, power in pieces:
        rest = polynomials.divided(below, polynomials.product([factor] * power))
        top = polynomials.plus(top, polynomials.times(rest or (0,), piece))
    return _task(knobs, factors, top)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A short numerator over high powers."""
    factors = [(factor, min(4, power + 1) if len(factor) == 2 else power) for factor, power in _factors(rng, knobs, 4)]
    top = (0,) * rng.integer(0, 1) + (rng.integer(1, 9),) if rng.chance(0.5) else (rng.integer(-9, 9), rng.integer(1, 4))
    while any(not polynomial_fields.divided(tuple(map(Fraction, top)), tuple(map(Fraction, factor)), 0)[1] for factor, _ in factors):
        top = (top[0] + 1, *top[1:])
    return _task(knobs, factors, top)


def solve(task: Task[Data]) -> Tree:
    top = tuple(map(Fraction, task.data.top))
    terms = []
    for piece, factor, power, _, left in _taken(task):
        terms.append(_fraction(piece, factor, power))
        top = left
    return build.ordered([build.of_coefficients(top), *terms])


def verify(task: Task[Data], answer: Tree) -> Score:
    allowed = {
        polynomial_fields.monic(tuple(map(Fraction, polynomials.product([factor] * k))), 0): factor
        for factor, power in task.data.factors
        for k in range(1, power + 1)
    }
    seen: list[Coefficients] = [(Fraction(1),)]
    for term in polynomial_fields.summands(answer):
        try:
            above, below = (polynomial_fields.reduced(side, 0) for side in ratio(term, "x", MOST_DEGREE))
        except Undefined:
            return Score.wrong("every term must be a quotient of polynomials")
        divisor = polynomial_fields.monic(below, 0)
        if len(below) > 1 and (divisor not in allowed or len(above) >= len(allowed[divisor]) or divisor in seen):
            return Score.wrong("a term is no simple fraction, or two terms have the same denominator")
        seen.append(divisor)
    return Score.exact(trees.same(_whole(task.data), answer), "the sum is another function")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    terms = list(polynomial_fields.summands(right))
    return [
        _whole(task.data),
        build.total(terms[1:]),
        build.add(right, trees.number(1)),
        build.minus(right),
        build.total([*terms, terms[-1]]),
    ]


def cost(task: Task[Data]) -> float:
    return sum(len(factor) * len(str(piece)) + len(str(left)) for piece, factor, _, _, left in _taken(task))


def explain(task: Task[Data]) -> list[str]:
    product = rational_functions.multiplied(list(task.data.factors))
    steps = [_FACTORED.write(product=product)]
    for piece, factor, power, below, left in _taken(task):
        rest = "nothing" if not left else f"({polynomials.text(left)})/({polynomials.text(below)})"
        steps.append(_TAKEN.write(piece=polynomials.text(piece), factor=polynomials.text(factor), power=power, rest=rest))
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    left = [_whole(task.data)]
    below = polynomial_fields.read(_below(task.data))

    def factored(product: str) -> bool:
        parts = sorted(product.split("*("))
        return polynomial_fields.read(product) == below and len(parts) == len(task.data.factors)

    def taken(piece: str, factor: str, power: str, rest: str) -> bool:
        divisor = polynomial_fields.read(factor)
        known = any(divisor == tuple(one) and int(power) <= often for one, often in task.data.factors)
        fraction = trees.read(f"({piece})/({factor})^{int(power)}", _ANSWER.grammar)
        after = trees.read(rest.replace("nothing", "0"), _ANSWER.grammar)
        follows = known and len(polynomial_fields.read(piece)) < len(divisor) and trees.same(build.subtract(left[-1], fraction), after)
        left.append(after)
        return follows

    return refuted(steps, [(_FACTORED, factored), (_TAKEN, taken)], ended(_LAST, task, _ANSWER, verify))


def _factors(rng: Rng, knobs: Knobs, largest: int) -> list[tuple[tuple[int, ...], int]]:
    lines = rational_functions.linear(rng, knobs.linear, largest, knobs.leading)
    powers = [knobs.power, *(rng.integer(1, (knobs.power + 1) // 2) for _ in lines[1:])]
    bows: list[tuple[int, ...]] = []
    while len(bows) < knobs.quadratic:
        drawn = rational_functions.quadratic(rng, 2, False)
        bows += [drawn] if drawn not in bows else []
    return [*zip(lines, powers), *((bow, 1) for bow in bows)]


def _task(knobs: Knobs, factors: Sequence[tuple[tuple[int, ...], int]], top: Sequence[int]) -> Task[Data]:
    data = Data(factors=tuple(factors), top=tuple(top))
    below = _below(data) if knobs.layout == "expanded" else rational_functions.multiplied(list(factors))
    prompt = (
        f"Write as a sum of partial fractions over the rational numbers:\n({polynomials.text(data.top)})/({below})\n\n"
        "Each term is a polynomial, or a polynomial over a power of an irreducible polynomial of higher degree; no two denominators are alike."
    )
    return Task(prompt, data)


def _below(data: Data) -> str:
    return polynomials.text(polynomials.product([factor for factor, power in data.factors for _ in range(power)]))


def _whole(data: Data) -> Tree:
    return build.over(build.of_coefficients(data.top), build.of_coefficients(polynomial_fields.read(_below(data))))


def _taken(task: Task[Data]) -> Iterator[tuple[Coefficients, Coefficients, int, Coefficients, Coefficients]]:
    """Numerator, factor and power of each fraction, and denominator and numerator of what is left after it."""
    top, below = tuple(map(Fraction, task.data.top)), polynomial_fields.read(_below(task.data))
    for factor, often in task.data.factors:
        part = tuple(map(Fraction, factor))
        for power in range(often, 0, -1):
            others = below
            for _ in range(power):
                others = polynomial_fields.divided(others, part, 0)[0]
            piece = polynomial_fields.quotient_modulo(top, others, part, 0)
            top = polynomial_fields.divided(polynomial_fields.plus(top, polynomial_fields.times(piece, others, 0), 0, -1), part, 0)[0]
            below = polynomial_fields.divided(below, part, 0)[0]
            if piece:
                yield piece, part, power, below, top


def _fraction(piece: Coefficients, factor: Coefficients, power: int) -> Tree:
    shared = polynomial_fields.primitive(piece, 0)
    scale = piece[-1] / shared[-1]
    below = build.power(build.of_coefficients(factor), power)
    below = build.times(trees.number(scale.denominator), below)
    return build.over(build.of_coefficients([a * scale.numerator for a in shared]), below)


_ANSWER = Expression(asks="the sum of fractions as one expression in x", most_characters=4000)
_FACTORED = Line("The denominator is {product}.")
_TAKEN = Line("Taking ({piece})/({factor})^{power} away leaves {rest}.")
_LAST = "All in all: "

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: [solve(task), build.ordered(list(polynomial_fields.summands(solve(task)))[::-1])],
    concept="Factor the denominator; take the fraction with the highest power of a factor away so that this factor cancels once, and go on.",
)
