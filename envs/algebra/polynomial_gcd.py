"""Find the greatest common divisor of two polynomials, over the rational numbers or modulo a prime.

On the upper levels one polynomial has three terms with very large exponents, and the other one repeated factors.
The shifted family gives one polynomial, and asks for the greatest common divisor with its derivative.
"""

from collections.abc import Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import polynomial_fields, polynomials, sparse_polynomials
from rlgym.generators.algebra.polynomial_fields import PRIMES, Coefficients
from rlgym.generators.draws import draw_rare
from rlgym.solutions import Checks, Derivation, Solution, SolutionByTask, Step

ANSWER = Expression(instructions="the greatest common divisor as a polynomial in x")
DERIVATIVE = Step("The derivative is {derivative}.")
LEAVES = Step("{whole} divided by {part} leaves a multiple of {rest}.")
NOTHING = Step("{whole} divided by {part} leaves nothing.")
CLOSING = "The last remainder, with leading coefficient 1, is {answer}"
FACTORED = Step("Modulo {prime:int}, s is the product of {factors}.")
LEFT = Step("p leaves {rest} when divided by {divisor}.")
CLOSING_SPARSE = "What all of these have in common gives {answer}"
CONCEPT = "Divide with remainder, then the divisor by the remainder, and so on: the last remainder that is not 0 divides both."


class Knobs(Config):
    field: str = knob(
        "modulo", easy="rational", hard="modulo", order=("rational", "modulo"), doc="over the rational numbers, or modulo a prime"
    )
    exponents: str = knob(
        "small", easy="small", hard="huge", order=("small", "huge"), doc="whether one polynomial has few terms with very large exponents"
    )
    common: int = knob(2, easy=1, hard=5, doc="degree of the common divisor")
    more: int = knob(2, easy=1, hard=5, doc="degree by which each polynomial is larger")
    largest: int = knob(6, easy=5, hard=9, doc="largest coefficient of a factor")


class Data(TaskData):
    prime: int
    one: tuple[int, ...]
    other: tuple[int, ...]
    derived: bool  # the second is the derivative of the first, which alone is shown
    terms: tuple[tuple[int, int], ...] = ()  # exponents and coefficients of the first polynomial, where it has huge exponents
    factors: tuple[tuple[int, ...], ...] = ()  # powers of irreducible polynomials whose product is the second, then


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.exponents == "huge":
        return _sample_sparse(rng, knobs)
    prime = rng.choice(PRIMES) if knobs.field == "modulo" else 0
    shared = _sample_rare_factor(rng, knobs, knobs.common, prime)
    left, right = (polynomial_fields.times(shared, _sample_factor(rng, knobs, knobs.more, prime), prime) for _ in range(2))
    return _render_task(prime, left, right, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A polynomial with repeated factors, and its derivative."""
    prime = rng.choice(PRIMES) if knobs.field == "modulo" else 0
    degree = (knobs.common + 1) // 2
    wide = knobs.model_copy(update={"largest": 2 * knobs.largest}) if degree == 1 else knobs  # a root alone has few different values
    root = _sample_rare_factor(rng, wide, degree, prime)
    common = polynomial_fields.times(root, root, prime)
    if knobs.common > 1:
        common = polynomial_fields.times(common, root if knobs.common % 2 == 0 else (Fraction(rng.integer(1, 9)), Fraction(1)), prime)
    common = polynomial_fields.times(common, _sample_factor(rng, knobs, (knobs.more + 1) // 2, prime), prime)
    return _render_task(prime, common, polynomial_fields.derivative(common, prime), True)


def solve(task: Task[Data]) -> Tree:
    last = polynomial_fields.normalize(task.data.other, task.data.prime)
    if task.data.terms:
        rest = sparse_polynomials.remainder(task.data.terms, last, task.data.prime)
        return build.of_coefficients(polynomial_fields.monic_gcd(last, rest, task.data.prime))
    for _, part, rest in _euclidean_algorithm(task):
        last = rest or part
    return build.of_coefficients(polynomial_fields.monic(last, task.data.prime))


def verify(task: Task[Data], answer: Tree) -> Score:
    data, p = task.data, task.data.prime
    try:
        given = polynomial_fields.of_tree(answer, p)
    except ArithmeticError:
        return Score.wrong("the answer must be a polynomial")
    if not given or given[-1] != 1:
        return Score.wrong("the leading coefficient must be 1")
    sides = [polynomial_fields.normalize(side, p) for side in (data.one, data.other)]
    if data.terms:
        if len(given) > len(sides[1]):
            return Score.wrong("that does not divide both polynomials")
        sides[0] = sparse_polynomials.remainder(data.terms, sides[1], p)
    if any(polynomial_fields.divide(side, given, p)[1] for side in sides):
        return Score.wrong("that does not divide both polynomials")
    return Score.exact(given == polynomial_fields.monic_gcd(sides[0], sides[1], p), "there is a common divisor of a higher degree")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    x = trees.Name("x")
    factors = [build.of_coefficients(tuple(map(Fraction, factor))) for factor in task.data.factors]
    polynomial = build.of_coefficients(
        polynomial_fields.monic(
            polynomial_fields.normalize(task.data.other if task.data.terms else task.data.one, task.data.prime), task.data.prime
        )
    )
    return [
        trees.number(1),
        build.times(trees.number(2), right),
        build.add(right, trees.number(1)),
        build.times(right, x),
        polynomial,
        *(factor for factor in factors if factor != right),
    ]


def cost(task: Task[Data]) -> float:
    if task.data.terms:
        return 2 * len(task.data.other) ** 2 * task.data.terms[0][0].bit_length()
    return sum(len(dividend) * len(part) for dividend, part, _ in _euclidean_algorithm(task))


def derive(task: Task[Data]) -> Derivation:
    if task.data.derived:
        yield DERIVATIVE(derivative=polynomials.text(task.data.other))
    for dividend, part, rest in _euclidean_algorithm(task):
        sides = {"whole": polynomials.text(dividend), "part": polynomials.text(part)}
        yield LEAVES(**sides, rest=polynomials.text(rest)) if rest else NOTHING(**sides)


def derive_sparse(task: Task[Data]) -> Derivation:
    data, p = task.data, task.data.prime
    yield FACTORED(prime=p, factors=" and ".join(f"({polynomials.text(factor)})" for factor in data.factors))
    for factor in data.factors:
        divisor = polynomial_fields.normalize(factor, p)
        yield LEFT(rest=polynomials.text(sparse_polynomials.remainder(data.terms, divisor, p)) or "0", divisor=polynomials.text(factor))


def checks(task: Task[Data]) -> Checks:
    p = task.data.prime
    rests = sorted((polynomial_fields.normalize(side, p) for side in (task.data.one, task.data.other)), key=len, reverse=True)

    def leaves(whole: str, part: str, rest: str = "0") -> bool:
        dividend, divisor, remainder = (polynomial_fields.read(side, p) for side in (whole, part, rest))
        expected = polynomial_fields.primitive(polynomial_fields.divide(dividend, divisor, p)[1], p)
        follows = [dividend, divisor] == rests[-2:] and remainder == expected
        rests.append(remainder)
        return follows

    derivative = {DERIVATIVE: lambda derivative: polynomial_fields.read(derivative, p) == tuple(task.data.other)}
    return {**derivative, LEAVES: leaves, NOTHING: leaves}


def _sample_sparse(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The square of an irreducible quadratic, another one and a linear factor; the first quadratic divides the sparse polynomial."""
    prime, power = rng.choice((5, 7)), 2 if knobs.common > 4 else 1
    while True:
        first, second = (sparse_polynomials.sample_irreducible(rng, 2, prime) for _ in range(2))
        linear = sparse_polynomials.sample_irreducible(rng, 1, prime)
        powers = [polynomial_fields.times(first, first, prime) if power == 2 else first, second, linear]
        terms = sparse_polynomials.sample_multiple(rng, first, prime, 10 ** (3 if power == 1 else 4))
        if terms is None or first == second or linear[0] == 0:
            continue
        product: Coefficients = (Fraction(1),)
        for factor in powers:
            product = polynomial_fields.times(product, factor, prime)
        common = polynomial_fields.monic_gcd(product, sparse_polynomials.remainder(terms, product, prime), prime)
        if 3 <= len(common) < len(product) and (common != first or rng.chance(0.2)):
            break
    text = " + ".join(f"{c}*x^{e}" if e and c > 1 else f"x^{e}" if e else str(c) for e, c in terms)
    prompt = (
        f"Consider polynomials modulo {prime}, with all coefficients from 0 to {prime - 1}:\np = {text}\ns = {polynomials.text(product)}\n\n"
        "Find the greatest common divisor of p and s: the common divisor of the highest degree, with leading coefficient 1."
    )
    factors = tuple(tuple(map(int, factor)) for factor in powers)
    return Task(prompt, Data(prime=prime, one=(), other=tuple(map(int, product)), derived=False, terms=terms, factors=factors))


def _sample_rare_factor(rng: Rng, knobs: Knobs, degree: int, prime: int) -> Coefficients:
    """Of several factors one that is rare when its leading coefficient is 1, as the answer has it."""
    return draw_rare(lambda: _sample_factor(rng, knobs, degree, prime), lambda factor: polynomial_fields.monic(factor, prime), 16)


def _sample_factor(rng: Rng, knobs: Knobs, degree: int, prime: int) -> Coefficients:
    return tuple(map(Fraction, polynomial_fields.sample_polynomial(rng, degree, knobs.largest, 3, prime)))


def _render_task(prime: int, first: Coefficients, other: Coefficients, derived: bool) -> Task[Data]:
    where = f"modulo {prime}, with all coefficients from 0 to {prime - 1}" if prime else "with rational coefficients"
    what = "of p and its derivative p'" if derived else "of p and s"
    second = "" if derived else f"\ns = {polynomials.text(other)}"
    prompt = (
        f"Consider polynomials {where}:\np = {polynomials.text(first)}{second}\n\n"
        f"Find the greatest common divisor {what}: the common divisor of the highest degree, with leading coefficient 1."
    )
    return Task(prompt, Data(prime=prime, one=tuple(map(int, first)), other=tuple(map(int, other)), derived=derived))


def _euclidean_algorithm(task: Task[Data]) -> Iterator[tuple[Coefficients, Coefficients, Coefficients]]:
    """The divisions of the Euclidean algorithm: dividend, divisor, and a multiple of the remainder."""
    p = task.data.prime
    dividend, part = sorted((polynomial_fields.normalize(side, p) for side in (task.data.one, task.data.other)), key=len, reverse=True)
    while part:
        rest = polynomial_fields.primitive(polynomial_fields.divide(dividend, part, p)[1], p)
        yield dividend, part, rest
        dividend, part = part, rest


EUCLID, SPARSE = Solution(derive, CLOSING, checks), Solution(derive_sparse, CLOSING_SPARSE)

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: SPARSE if task.data.terms else EUCLID),
    shift=shift,
    shared_helpers="The helper divides polynomials with remainder, as it is taught.",
    concept=CONCEPT,
    version=4,
)
