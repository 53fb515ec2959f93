"""Divide one polynomial by another: give the quotient and the remainder, over the rational numbers or modulo a prime.

The shifted family divides in ascending powers: the quotient has a given degree, and the remainder starts with a given power of x.
"""

from collections.abc import Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expressions, trees
from rlgym.answers.expressions import Named
from rlgym.answers.trees import build
from rlgym.generators.algebra import polynomial_fields, polynomials
from rlgym.generators.algebra.polynomial_fields import PRIMES, Coefficients
from rlgym.solutions import Checks, Derivation, Solution, Step

FIELDS = ("monic", "modulo", "rational")
ANSWER = Expressions(("q", "r"), instructions="q = ..., r = ..., where both polynomials are multiplied out")
DIVIDED = Step("The next term of q is {term}; taking that times d away leaves {rest}.")
CLOSING = "So {answer}"
CONCEPT = "Take the divisor away as often as the leading terms say, again and again, until nothing is left to divide."


class Knobs(Config):
    field: str = knob(
        "modulo", easy="monic", hard="rational", order=FIELDS, doc="leading coefficient 1, modulo a prime, or fractions in the quotient"
    )
    degree: int = knob(6, easy=2, hard=11, doc="degree of the dividend")
    divisor: int = knob(2, easy=1, hard=4, doc="degree of the divisor")
    largest: int = knob(9, easy=9, hard=20, doc="largest coefficient")


class Data(TaskData):
    prime: int  # 0: over the rational numbers
    whole: tuple[int, ...]
    part: tuple[int, ...]
    rising: int  # the power of x that what is left begins with; 0: division by falling powers


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Division in ascending powers, from the constant terms up."""
    return _sample_task(rng, knobs, max(1, knobs.degree - knobs.divisor + 1))


def solve(task: Task[Data]) -> Named:
    quotient: Coefficients = ()
    rest = polynomial_fields.normalize(task.data.whole, task.data.prime)
    for term, remainder in _long_division(task):
        rest = remainder
        quotient = polynomial_fields.plus(quotient, term, task.data.prime)
    return (("q", build.of_coefficients(quotient)), ("r", build.of_coefficients(rest[task.data.rising :])))


def verify(task: Task[Data], answer: Named) -> Score:
    data = task.data
    if len(answer) != 2:
        return Score.wrong("give both q and r")
    try:
        quotient, rest = (polynomial_fields.write_out(tree, data.prime) for _, tree in answer)
    except ArithmeticError:
        return Score.wrong("q and r must be polynomials that are multiplied out")
    if len(quotient) > data.rising if data.rising else len(rest) >= len(data.part):
        return Score.wrong("the degree is too high")
    product = polynomial_fields.times(quotient, tuple(map(Fraction, data.part)), data.prime)
    combination = polynomial_fields.plus(product, (*[Fraction(0)] * data.rising, *rest), data.prime)
    return Score.exact(combination == data.whole, "q and r do not give p")


def mistakes(task: Task[Data], right: Named) -> list[Named]:
    (_, q), (_, r) = right
    mirrored = [trees.at(tree, "x", build.minus(trees.Name("x"))) for tree in (q, r)]
    pairs = [
        (r, q),
        mirrored,
        (q, build.minus(r)),
        (q, trees.number(0)),
        (build.add(q, trees.Name("x")), r),
        (q, build.add(r, trees.number(1))),
    ]
    return [(("q", quotient), ("r", rest)) for quotient, rest in pairs]


def cost(task: Task[Data]) -> float:
    return sum(len(task.data.part) * len(str(term)) + len(str(rest)) for term, rest in _long_division(task))


def derive(task: Task[Data]) -> Derivation:
    for term, rest in _long_division(task):
        yield DIVIDED(term=polynomials.text(term), rest=polynomials.text(rest))


def checks(task: Task[Data]) -> Checks:
    p, divisor = task.data.prime, tuple(map(Fraction, task.data.part))
    rests = [polynomial_fields.normalize(task.data.whole, p)]

    def divided(term: str, rest: str) -> bool:
        before, after = rests[-1], polynomial_fields.read(rest, p)
        rests.append(after)
        smaller = _lowest_power(before) < _lowest_power(after) if task.data.rising else len(after) < len(before)
        product = polynomial_fields.times(polynomial_fields.read(term, p), divisor, p)
        return smaller and polynomial_fields.plus(before, product, p, -1) == after

    return {DIVIDED: divided}


def _sample_task(rng: Rng, knobs: Knobs, rising: int) -> Task[Data]:
    prime = rng.choice(PRIMES) if knobs.field == "modulo" else 0
    dividend = polynomial_fields.sample_polynomial(rng, knobs.degree, knobs.largest, 4, prime)
    part = polynomial_fields.sample_polynomial(rng, knobs.divisor, knobs.largest, 1 if knobs.field == "monic" else 4, prime)
    if rising and knobs.field == "monic":
        part = (1, *part[1:])
    where = f"modulo {prime}, with all coefficients from 0 to {prime - 1}" if prime else "over the rational numbers"
    condition = "p = q*d + r, where r is 0 or has a smaller degree than d"
    if rising:
        condition = f"p = q*d + x^{rising}*r, where the degree of q is less than {rising}"
    prompt = (
        f"Consider these polynomials {where}:\np = {polynomials.text(dividend)}\nd = {polynomials.text(part)}\n\n"
        f"Find the polynomials q and r with {condition}."
    )
    return Task(prompt, Data(prime=prime, whole=dividend, part=part, rising=rising))


def _long_division(task: Task[Data]) -> Iterator[tuple[Coefficients, Coefficients]]:
    """Each term of the quotient, with the rest after it."""
    data, p = task.data, task.data.prime
    rest, part = polynomial_fields.normalize(data.whole, p), tuple(map(Fraction, data.part))
    places = range(data.rising) if data.rising else range(len(rest) - len(part), -1, -1)
    for place in places:
        at = place if data.rising else place + len(part) - 1
        if at < len(rest) and rest[at]:
            term = polynomial_fields.normalize([*[0] * place, rest[at] / part[0 if data.rising else -1]], p)
            rest = polynomial_fields.plus(rest, polynomial_fields.times(term, part, p), p, -1)
            yield term, rest


def _lowest_power(coefficients: Coefficients) -> int:
    return next((i for i, a in enumerate(coefficients) if a), polynomial_fields.MOST_DEGREE)


solution = Solution(derive, CLOSING, checks)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=2
)
