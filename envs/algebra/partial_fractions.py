"""Break a quotient of polynomials into a sum of simple fractions.

The denominator may have repeated and irreducible quadratic factors. On the upper levels it is multiplied out and has no rational zero at all: it is a
product of irreducible polynomials of degrees 2 to 4, which must be found from their values at integers. In the shifted family the numerator is short and
factors are raised to high powers, so that the coefficients are not small integers.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.maths import ratio
from rlgym.answers.trees import Tree, Undefined, build
from rlgym.generators.algebra import polynomial_fields, polynomials, rational_functions
from rlgym.generators.algebra.polynomial_fields import Coefficients
from rlgym.generators.draws import draw_short
from rlgym.solutions import Checks, Derivation, Solution, Step

MAX_DEGREE = 20
DEGREES = {4: ((2, 2),), 5: ((2, 3),), 6: ((3, 3), (2, 4)), 7: ((3, 4),)}
ANSWER = Expression(instructions="the sum of fractions as one expression in x, written like the quotient above", max_characters=4000)
VALUES = Step("At {points:ints} the denominator is {values:ints}, and its factor {factor} is {divisors:ints}.")
FACTORED = Step("The denominator is {product}.")
ROOT = Step("At x = {root:fraction} the denominator is 0, which makes {factor} a factor of it, of multiplicity {count:int}.")
COVERED = Step(
    "At x = {root:fraction} the numerator is {top:fraction} and the denominator without ({factor})^{power:int} is {others:fraction}, so the fraction "
    "over ({factor})^{power:int} has the numerator {piece:fraction}."
)
REDUCED = Step(
    "Modulo {factor} the numerator is {top} and the denominator without ({factor})^{power:int} is {others}; the quotient is {piece}, since "
    "({piece})*({others}) leaves {top} modulo {factor}."
)
TAKEN = Step("Taking ({piece})/({factor})^{power:int} away leaves {rest}.")
CLOSING = "All in all: {answer}"


class Term(NamedTuple):
    """A fraction top / factor^power, and the quotient rest / below that is left after it is subtracted."""

    top: Coefficients
    factor: Coefficients
    power: int
    below: Coefficients
    rest: Coefficients
    before: Coefficients
    """The numerator that the fraction was found from."""
    others: Coefficients
    """The denominator before, without the power of the factor."""


class Knobs(Config):
    linear: int = knob(4, easy=2, hard=6, doc="different linear factors of the denominator")
    quadratic: int = knob(1, easy=0, hard=2, doc="irreducible quadratic factors of the denominator")
    power: int = knob(2, easy=1, hard=4, doc="highest power of a linear factor")
    leading: int = knob(2, easy=1, hard=3, doc="largest coefficient of x in a linear factor")
    layout: str = knob(
        "expanded", easy="factored", hard="irreducible", order=("factored", "expanded", "irreducible"),
        doc="factors shown, multiplied out, or multiplied out without a rational zero, of a degree 3 above the highest power",
    )  # fmt: skip


class Data(TaskData):
    factors: tuple[tuple[tuple[int, ...], int], ...]  # irreducible polynomials and how often each stands below
    top: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    factors = _sample_factors(rng, knobs, 6)
    pieces = [(tuple(rng.integer(-9, 9) or 1 for _ in factor[1:]), factor, k + 1) for factor, power in factors for k in range(power)]
    below = polynomials.product([factor for factor, power in factors for _ in range(power)])
    top: tuple[int, ...] = polynomials.times(below, (rng.integer(1, 3),)) if rng.chance(0.3) else (0,)
    for piece, factor, power in pieces:
        rest = polynomials.divide_exactly(below, polynomials.product([factor] * power))
        top = polynomials.plus(top, polynomials.times(rest or (0,), piece))
    return _render_task(knobs, factors, top)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A short numerator over high powers."""
    return draw_short(lambda: _sample_high_powers(rng, knobs), solve)


def _sample_high_powers(rng: Rng, knobs: Knobs) -> Task[Data]:
    fewer = knobs.model_copy(update={"linear": min(4, knobs.linear)})
    factors = [(factor, min(4, power + 1) if len(factor) == 2 else power) for factor, power in _sample_factors(rng, fewer, 4)]
    top = (0,) * rng.integer(0, 1) + (rng.integer(1, 9),) if rng.chance(0.5) else (rng.integer(-9, 9), rng.integer(1, 4))
    while any(not polynomial_fields.divide(tuple(map(Fraction, top)), tuple(map(Fraction, factor)), 0)[1] for factor, _ in factors):
        top = (top[0] + 1, *top[1:])
    return _render_task(knobs, factors, top)


def solve(task: Task[Data]) -> Tree:
    top = tuple(map(Fraction, task.data.top))
    terms = []
    for term in _terms(task):
        terms.append(_fraction_tree(term.top, term.factor, term.power))
        top = term.rest
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
            above, below = (polynomial_fields.normalize(side, 0) for side in ratio(term, "x", MAX_DEGREE))
        except Undefined:
            return Score.wrong("every term must be a quotient of polynomials")
        divisor = polynomial_fields.monic(below, 0)
        if len(below) > 1 and (divisor not in allowed or len(above) >= len(allowed[divisor]) or divisor in seen):
            return Score.wrong("a term is not a partial fraction, or two terms have the same denominator")
        seen.append(divisor)
    return Score.exact(trees.same(_quotient(task.data), answer), "the sum is another function")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    terms = list(polynomial_fields.summands(right))
    return [
        _quotient(task.data),
        build.total(terms[1:]),
        build.add(right, trees.number(1)),
        build.minus(right),
        build.total([*terms, terms[-1]]),
    ]


def cost(task: Task[Data]) -> float:
    work = sum(len(term.factor) * len(str(term.top)) + len(str(term.rest)) for term in _terms(task))
    return work * (4 * sum(len(factor) - 1 for factor, _ in task.data.factors) if _is_rootless(task.data) else 1)


def derive(task: Task[Data]) -> Derivation:
    below = tuple(map(int, polynomial_fields.read(_denominator(task.data))))
    for factor, _ in task.data.factors if _is_rootless(task.data) else ():
        points = (-2, -1, 0, 1, 2)
        values, divisors = (tuple(int(polynomials.value(part, Fraction(x))) for x in points) for part in (below, factor))
        yield VALUES(points=points, values=values, factor=polynomials.text(factor), divisors=divisors)
    product = rational_functions.format_product(list(task.data.factors))
    for factor, count in task.data.factors if product not in task.prompt else ():
        if len(factor) == 2:
            yield ROOT(root=Fraction(-factor[0], factor[1]), factor=polynomials.text(factor), count=count)
    yield FACTORED(product=product)
    for term in _terms(task):
        yield from _found(term)
        rest = "nothing" if not term.rest else f"({polynomials.text(term.rest)})/({polynomials.text(term.below)})"
        yield TAKEN(piece=polynomials.text(term.top), factor=polynomials.text(term.factor), power=term.power, rest=rest)


def _found(term: Term) -> Derivation:
    """How the numerator of a fraction is found, where another factor is left beside its own."""
    factor = polynomials.text(term.factor)
    if len(term.others) == 1:
        return
    if len(term.factor) == 2:
        root = -term.factor[0] / term.factor[1]
        shown = {"top": _value(term.before, root), "others": _value(term.others, root)}
        yield COVERED(root=root, factor=factor, power=term.power, piece=term.top[0], **shown)
        return
    top, others = (
        polynomials.text(polynomial_fields.divide(side, term.factor, 0)[1] or (Fraction(0),)) for side in (term.before, term.others)
    )
    yield REDUCED(factor=factor, top=top, power=term.power, others=others, piece=polynomials.text(term.top))


def checks(task: Task[Data]) -> Checks:
    rests = [_quotient(task.data)]
    denominator = polynomial_fields.read(_denominator(task.data))

    def valued(points: Sequence[int], values: Sequence[int], factor: str, divisors: Sequence[int]) -> bool:
        part = polynomial_fields.read(factor)
        pairs = ((denominator, values), (part, divisors))
        listed = all([_value(polynomial, x) for x in points] == list(right) for polynomial, right in pairs)
        return listed and len(part) > 1 and not polynomial_fields.divide(denominator, part, 0)[1]

    def factored(product: str) -> bool:
        return polynomial_fields.read(product) == denominator and len(product.split("*(")) == len(task.data.factors)

    def taken(piece: str, factor: str, power: int, rest: str) -> bool:
        divisor = polynomial_fields.read(factor)
        known = any(divisor == tuple(part) and power <= multiplicity for part, multiplicity in task.data.factors)
        fraction = trees.read(f"({piece})/({factor})^{power}", ANSWER.grammar)
        after = trees.read(rest.replace("nothing", "0"), ANSWER.grammar)
        follows = known and len(polynomial_fields.read(piece)) < len(divisor) and trees.same(build.subtract(rests[-1], fraction), after)
        rests.append(after)
        return follows

    def rooted(root: Fraction, factor: str, count: int) -> bool:
        part = polynomial_fields.read(factor)
        return len(part) == 2 and _value(part, root) == 0 and (tuple(map(int, part)), count) in task.data.factors

    def parted(factor: str, power: int) -> tuple[Coefficients, Coefficients] | None:
        """The numerator that is left, and the denominator that is left without this power."""
        above, below = (polynomial_fields.normalize(side, 0) for side in ratio(rests[-1], "x", MAX_DEGREE))
        for _ in range(power):
            below, over = polynomial_fields.divide(below, polynomial_fields.read(factor), 0)
            if over:
                return None
        return above, below

    def covered(root: Fraction, top: Fraction, factor: str, power: int, others: Fraction, piece: Fraction) -> bool:
        sides = parted(factor, power)
        if sides is None or _value(polynomial_fields.read(factor), root) != 0 or not others:
            return False
        above, below = (_value(side, root) for side in sides)
        return bool(below) and top / others == above / below == piece

    def reduced(factor: str, top: str, power: int, others: str, piece: str) -> bool:
        sides, part = parted(factor, power), polynomial_fields.read(factor)
        if sides is None:
            return False
        left = polynomial_fields.times(polynomial_fields.read(piece), polynomial_fields.read(others), 0)
        over = polynomial_fields.divide(polynomial_fields.plus(left, polynomial_fields.read(top), 0, -1), part, 0)[1]
        above, below = sides
        crossed = polynomial_fields.times(polynomial_fields.read(top), below, 0)
        crossed = polynomial_fields.plus(crossed, polynomial_fields.times(polynomial_fields.read(others), above, 0), 0, -1)
        return not over and not polynomial_fields.divide(crossed, part, 0)[1]

    return {VALUES: valued, ROOT: rooted, FACTORED: factored, COVERED: covered, REDUCED: reduced, TAKEN: taken}


def _value(polynomial: Coefficients, x: Fraction | int) -> Fraction:
    return sum((a * x**k for k, a in enumerate(polynomial)), Fraction(0))


def _is_rootless(data: Data) -> bool:
    return all(len(factor) > 2 for factor, _ in data.factors)


def _sample_factors(rng: Rng, knobs: Knobs, largest: int) -> list[tuple[tuple[int, ...], int]]:
    if knobs.layout == "irreducible":
        degrees = rng.choice(DEGREES[knobs.power + 3])
        parts: list[tuple[int, ...]] = []
        while len(parts) < len(degrees):
            part = polynomials.sample_irreducible(rng, degrees[len(parts)], 3, min(2, knobs.leading) if not parts else 1)
            parts += [part] if part not in parts else []
        return [(part, 1) for part in parts]
    lines = rational_functions.sample_linear(rng, knobs.linear, largest, knobs.leading)
    powers = [knobs.power, *(rng.integer(1, (knobs.power + 1) // 2) for _ in lines[1:])]
    quadratics: list[tuple[int, ...]] = []
    while len(quadratics) < knobs.quadratic:
        quadratic = rational_functions.sample_quadratic(rng, 2, False)
        quadratics += [quadratic] if quadratic not in quadratics else []
    return [*zip(lines, powers), *((quadratic, 1) for quadratic in quadratics)]


def _render_task(knobs: Knobs, factors: Sequence[tuple[tuple[int, ...], int]], top: Sequence[int]) -> Task[Data]:
    data = Data(factors=tuple(factors), top=tuple(top))
    below = _denominator(data) if knobs.layout != "factored" else rational_functions.format_product(list(factors))
    prompt = (
        f"Write as a sum of partial fractions over the rational numbers:\n({polynomials.text(data.top)})/({below})\n\n"
        "Each term is a polynomial, or a fraction p/q^k in which q is an irreducible polynomial and p a polynomial of lower degree than q. No two "
        "denominators are the same up to a constant factor."
    )
    return Task(prompt, data)


def _denominator(data: Data) -> str:
    return polynomials.text(polynomials.product([factor for factor, power in data.factors for _ in range(power)]))


def _quotient(data: Data) -> Tree:
    return build.over(build.of_coefficients(data.top), build.of_coefficients(polynomial_fields.read(_denominator(data))))


def _terms(task: Task[Data]) -> Iterator[Term]:
    top, below = tuple(map(Fraction, task.data.top)), polynomial_fields.read(_denominator(task.data))
    for factor, multiplicity in task.data.factors:
        part = tuple(map(Fraction, factor))
        for power in range(multiplicity, 0, -1):
            others = below
            for _ in range(power):
                others = polynomial_fields.divide(others, part, 0)[0]
            before, piece = top, polynomial_fields.divide_modulo(top, others, part, 0)
            top = polynomial_fields.divide(polynomial_fields.plus(top, polynomial_fields.times(piece, others, 0), 0, -1), part, 0)[0]
            below = polynomial_fields.divide(below, part, 0)[0]
            if piece:
                yield Term(piece, part, power, below, top, before, others)


def _fraction_tree(piece: Coefficients, factor: Coefficients, power: int) -> Tree:
    shared = polynomial_fields.primitive(piece, 0)
    scale = piece[-1] / shared[-1]
    below = build.power(build.of_coefficients(factor), power)
    below = build.times(trees.number(scale.denominator), below)
    return build.over(build.of_coefficients([a * scale.numerator for a in shared]), below)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many",
    solutions=lambda task: [solve(task), build.ordered(list(polynomial_fields.summands(solve(task)))[::-1])],
    shared_helpers="The helper writes a polynomial as text.",
    concept="Factor the denominator; take the fraction with the highest power of a factor away so that this factor cancels once, and go on.", version=4
)  # fmt: skip
