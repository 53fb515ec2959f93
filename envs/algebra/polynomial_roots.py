"""Find all rational roots of a polynomial, each with its multiplicity.

The polynomial is given multiplied out. Some factors may have no rational root at all, and those roots are not asked for.
"""

from fractions import Fraction
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals
from rlgym.generators.algebra import polynomials
from rlgym.generators.algebra.polynomials import Polynomial
from rlgym.solutions import Derivation, OneOf, Solution, Step

ANSWER = Rationals("the roots, separated by commas, each an integer or a fraction a/b")
CONCEPT = (
    "A rational root a/b has a dividing the constant term and b dividing the leading coefficient; divide each root out before the next."
)
ENDS = Step(
    "A rational root in lowest terms has a numerator that divides {constant:int} and a denominator that divides {leading:int}, the ends of p"
)
ZERO = Step("p(0) = 0, so the lowest coefficient is 0 and x divides p")
DIVIDE = Step("x = {root:fraction} is such a fraction and a root: dividing by {divisor} leaves the quotient {quotient} and no remainder")
LEFT = Step("No such fraction is a root of the quotient, {rest}")
END = "So the rational roots are {answer}"


class Knobs(Config):
    roots: int = knob(3, easy=2, hard=9, doc="rational roots, counted with multiplicity")
    largest: int = knob(12, easy=12, hard=40, doc="largest numerator of a root")
    denominator: int = knob(1, easy=1, hard=15, doc="largest denominator of a root")
    rootless: int = knob(0, easy=0, hard=2, doc="factors of degree 2 or 3 that have no rational root")


class Data(TaskData):
    coefficients: Polynomial
    roots: tuple[tuple[int, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    roots = [_sample_root(rng, knobs)]
    while len(roots) < knobs.roots:
        roots.append(rng.choice(roots) if rng.chance(0.2) else _sample_root(rng, knobs))
    factors: list[Polynomial] = [(-root.numerator, root.denominator) for root in roots]
    factors += [
        polynomials.sample_irreducible(rng, rng.integer(2, 3), knobs.largest, 1 + knobs.denominator // 3) for _ in range(knobs.rootless)
    ]
    polynomial = polynomials.product(factors)
    prompt = f"Let p(x) = {polynomials.text(polynomial)}.\n\nFind every rational root of p, and list each according to its multiplicity."
    if knobs.rootless:
        prompt += " Irrational roots are not asked for."
    return Task(prompt, Data(coefficients=polynomial, roots=tuple((root.numerator, root.denominator) for root in sorted(roots))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The polynomial in Horner's form, with nested brackets."""
    task = generate(rng, knobs)
    shown = polynomials.text(task.data.coefficients)
    return Task(task.prompt.replace(shown, polynomials.horner_text(task.data.coefficients)), task.data)


def solve(task: Task[Data]) -> tuple[Fraction, ...]:
    import sympy

    x = sympy.Symbol("x")
    roots: list[Fraction] = []
    for factor, multiplicity in sympy.Poly(list(task.data.coefficients[::-1]), x).factor_list()[1]:
        if factor.degree() == 1:
            leading, constant = map(int, factor.all_coeffs())
            roots += [Fraction(-constant, leading)] * multiplicity
    return tuple(sorted(roots))


def verify(task: Task[Data], answer: tuple[Fraction, ...]) -> Score:
    if tuple((root.numerator, root.denominator) for root in answer) == task.data.roots:
        return Score.exact(True)
    for root in answer:
        if max(abs(root.numerator), root.denominator).bit_length() > 64 or polynomials.value(task.data.coefficients, root):
            return Score.wrong("one of the numbers is not a root")
    return Score.wrong("every number is a root, but a root is missing or has another multiplicity")


def mistakes(task: Task[Data], right: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    distinct = tuple(sorted(set(right)))
    negated = tuple(sorted(-root for root in right))
    inverted = tuple(sorted(1 / root if root else root for root in right))
    return [distinct, negated, inverted, right[:-1], (*right, right[-1]), tuple(sorted((right[0] + 1, *right[1:])))]


def cost(task: Task[Data]) -> float:
    # Each root found takes a division of the whole polynomial, in numbers as long as the coefficients.
    return (len(task.data.roots) + 1) * sum(len(str(abs(c))) for c in task.data.coefficients)


def derive(task: Task[Data]) -> Derivation:
    """The roots may be divided out in any order."""
    rest, left = task.data.coefficients, list(task.data.roots)
    if rest[0]:
        yield ENDS(constant=rest[0], leading=rest[-1])
    else:
        yield ZERO()
    while left:
        steps = []
        for top, below in dict.fromkeys(left):
            after = polynomials.divide_exactly(rest, (-top, below))
            assert after is not None
            steps.append(DIVIDE(root=Fraction(top, below), divisor=polynomials.text((-top, below)), quotient=polynomials.text(after)))
        taken = yield OneOf(tuple(steps))
        root = taken.due.fields["root"]
        assert isinstance(root, Fraction)
        left.remove((root.numerator, root.denominator))
        rest = polynomials.divide_exactly(rest, (-root.numerator, root.denominator)) or rest
    yield LEFT(rest=polynomials.text(rest))


def _sample_root(rng: Rng, knobs: Knobs) -> Fraction:
    below = rng.integer(1, knobs.denominator)
    top = rng.integer(-knobs.largest, knobs.largest)
    while gcd(top, below) > 1:
        top = rng.integer(-knobs.largest, knobs.largest)
    return Fraction(top, below)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift, concept=CONCEPT, version=2
)
