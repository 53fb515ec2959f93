"""Factor a polynomial completely over the integers.

Factors may come in any order and with signs and numbers moved between them, as long as no factor can be split further.
"""

from collections.abc import Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import polynomials
from rlgym.generators.algebra.polynomials import Polynomial
from rlgym.solutions import Derivation, Solution, Step

GRAMMAR = Expression(("x",), max_characters=20_000).grammar
ANSWER = Expression(("x",), instructions="the product of the factors, written with * and ^ and brackets")
CONCEPT = "Split off linear factors at rational roots first; then look for factors of higher degree whose ends multiply to the ends of the polynomial."
ROOT = Step(
    "{constant:int} and {leading:int} are the ends of {whole}, so a root in lowest terms has a numerator that divides the one and a denominator that "
    "divides the other; x = {root:fraction} is one, and dividing by {factor} leaves {quotient}"
)
VALUES = Step(
    "At x = {points:ints}, {whole} has the values {values:ints}. Any factor takes divisors of these: with {divisors:ints} it is {factor}, and the "
    "division leaves {quotient}"
)
LAST = Step("{factor} has no factor of lower degree, so it is the last one")
END = "The complete factorization: {answer}"


class Knobs(Config):
    factors: int = knob(3, easy=2, hard=6, doc="factors, counted with multiplicity")
    degree: int = knob(2, easy=1, hard=5, doc="highest degree of a factor")
    coefficient: int = knob(9, easy=9, hard=30, doc="largest coefficient of a factor")
    leading: int = knob(3, easy=1, hard=8, doc="largest leading coefficient of a factor")


class Data(TaskData):
    coefficients: Polynomial
    factors: tuple[Polynomial, ...]  # irreducible, primitive, leading coefficients positive, sorted


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    # One factor always has the highest degree, so that the knob has an effect.
    drawn = [polynomials.sample_irreducible(rng, knobs.degree, knobs.coefficient, knobs.leading)]
    while len(drawn) < knobs.factors:
        degree = rng.integer(1, knobs.degree)
        drawn.append(
            rng.choice(drawn) if rng.chance(0.12) else polynomials.sample_irreducible(rng, degree, knobs.coefficient, knobs.leading)
        )
    product = polynomials.product(drawn)
    prompt = (
        f"Factor this polynomial completely over the integers:\n{polynomials.text(product)}\n\n"
        "Write it as a product of polynomials with integer coefficients, none of which can be written as a product of two polynomials with integer "
        "coefficients other than 1 and -1. Repeated factors may be written as powers."
    )
    return Task(prompt, Data(coefficients=product, factors=tuple(sorted(drawn))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The polynomial in Horner's form, with nested brackets."""
    task = generate(rng, knobs)
    shown = polynomials.text(task.data.coefficients)
    return Task(task.prompt.replace(shown, polynomials.horner_text(task.data.coefficients)), task.data)


def solve(task: Task[Data]) -> Tree:
    import sympy

    shown = trees.polynomial(trees.read(task.prompt.split("\n")[1], GRAMMAR), "x", 200)
    unit, factors = sympy.Poly([int(a) for a in reversed(shown)], sympy.Symbol("x")).factor_list()
    powers = [_power(tuple(map(int, factor.all_coeffs()[::-1])), multiplicity) for factor, multiplicity in factors]
    return build.product([trees.number(int(unit)), *powers])


def verify(task: Task[Data], answer: Tree) -> Score:
    sign, factors = 1, []
    for part, multiplicity in trees.factors(answer):
        if not 0 < multiplicity < len(task.data.coefficients):
            return Score.wrong("a factor is divided by, or raised to an invalid power")
        try:
            factor = trees.polynomial(part, "x", len(task.data.coefficients) - 1)
        except trees.Undefined:
            return Score.wrong("a factor is not a polynomial of a possible degree")
        if any(a.denominator != 1 for a in factor):
            return Score.wrong("a factor has a coefficient that is not an integer")
        primitive = tuple(map(int, factor))
        if len(primitive) == 1 and abs(primitive[0]) != 1:
            return Score.wrong("a number other than 1 and -1 is split off")
        if primitive[-1] < 0:
            primitive, sign = tuple(-a for a in primitive), sign * (-1) ** multiplicity
        factors += [primitive] * multiplicity * (len(primitive) > 1)
        if len(factors) > len(task.data.factors):
            return Score.wrong("the product is another polynomial")
    if sign == 1 and tuple(sorted(factors)) == task.data.factors:
        return Score.exact(True)
    same = len(factors) > 0 and tuple(sign * a for a in polynomials.product(factors)) == task.data.coefficients
    return Score.wrong("the product is right, but a factor can be split further" if same else "the product is another polynomial")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    factors = list(task.data.factors)
    merged = [_power(factor, 1) for factor in [polynomials.times(factors[0], factors[1]), *factors[2:]]]
    flipped = [tuple(-a if i % 2 else a for i, a in enumerate(factor)) for factor in factors]
    return [
        build.product(merged),
        build.product([_power(factor, 1) for factor in flipped]),
        build.minus(right),
        _power(task.data.coefficients, 1),
        build.product([_power(factor, 1) for factor in factors[1:]]),
    ]


def cost(task: Task[Data]) -> float:
    # Candidates to try grow with the degrees of the factors; each trial divides the whole polynomial.
    digits = sum(len(str(abs(a))) for a in task.data.coefficients)
    return digits * sum(len(factor) ** 2 for factor in task.data.factors)


def derive(task: Task[Data]) -> Derivation:
    """Linear factors by the rational root theorem, others by Kronecker's method, from the values at a few points."""
    rest, factors = task.data.coefficients, sorted(task.data.factors, key=len)
    for factor in factors[:-1]:
        whole, after = polynomials.text(rest), polynomials.divide_exactly(rest, factor)
        assert after is not None
        quotient, shown = polynomials.text(after), polynomials.text(factor)
        if len(factor) == 2:
            root = Fraction(-factor[0], factor[1])
            yield ROOT(constant=rest[0], leading=rest[-1], whole=whole, root=root, factor=shown, quotient=quotient)
        else:
            points = [(i + 1) // 2 * (-1) ** (i + 1) for i in range(len(factor))]
            values, divisors = ([int(polynomials.value(part, Fraction(x))) for x in points] for part in (rest, factor))
            yield VALUES(points=points, whole=whole, values=values, divisors=divisors, factor=shown, quotient=quotient)
        rest = after
    yield LAST(factor=polynomials.text(rest))


def solutions(task: Task[Data]) -> Iterator[Tree]:
    """The factors in another order and with pairs of signs changed."""
    first, second, *rest = task.data.factors[::-1]
    others = [_power(factor, 1) for factor in rest]
    yield build.product([_power(first, 1), _power(second, 1), *others])
    negated = [_power(tuple(-a for a in factor), 1) for factor in (first, second)]
    yield build.product([*others, *negated])
    yield build.minus(build.product([negated[0], _power(second, 1), *others]))


def _power(factor: Polynomial, multiplicity: int) -> Tree:
    return build.power(trees.read(polynomials.text(factor), GRAMMAR), multiplicity)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
)
