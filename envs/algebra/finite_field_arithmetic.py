"""Compute an expression in a finite field that is given by an irreducible polynomial.

The shifted family asks for the solution of an equation.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomial_fields, polynomials, rings
from rlgym.generators.algebra.rings import Ring

ANSWER = Expression(
    ("a",),
    instructions="the element as a polynomial in a, multiplied out, of smaller degree than the given one, with coefficients reduced modulo the prime",
)
CLOSING = "The element is {answer}"
CONCEPT = "Replace the highest power of a by what the given polynomial makes it, after each product; find inverses with Euclid's algorithm."


class Knobs(Config):
    operations: int = knob(4, easy=1, hard=8, doc="sums, products and powers")
    degree: int = knob(3, easy=2, hard=6, doc="degree of the irreducible polynomial")
    prime: int = knob(7, easy=5, hard=13, doc="largest prime")
    power: int = knob(6, easy=2, hard=40, doc="largest exponent")
    inverses: str = knob("some", easy="none", hard="some", order=("none", "some"), doc="whether there are inverses")


class Data(TaskData):
    prime: int
    modulus: tuple[int, ...]
    formula: str
    shown: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    prime, modulus = _sample_field(rng, knobs)
    ring = rings.field(modulus, prime)
    powers = [rng.integer(2, knobs.power) for _ in range(2)] + ([-1] if knobs.inverses == "some" else [])
    while True:
        formula = rings.sample_formula(rng, knobs.operations, lambda: ring.tree(_sample_element(rng, ring)), powers, tall=True)
        try:
            if any(ring.value(formula)[1:]):
                break
        except ArithmeticError:
            continue
    text = trees.write(formula)
    return Task(f"{_field_rules(prime, modulus)}\n\nCompute\n{text}", Data(prime=prime, modulus=modulus, formula=text, shown=True))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A linear equation in x with a power of an element as coefficient."""
    prime, modulus = _sample_field(rng, knobs)
    ring = rings.field(modulus, prime)
    while True:
        a, b, c, d = (_sample_element(rng, ring) for _ in range(4))
        power = rng.integer(2, knobs.power)
        if any(ring.add(ring.power(a, power), c, -1)) and b != d:
            break
    shown = [f"({ring.text(element)})" for element in (a, b, c, d)]
    equation = f"{shown[0]}^{power}*x + {shown[1]} = {shown[2]}*x + {shown[3]}"
    formula = f"({shown[3]} - {shown[1]})*({shown[0]}^{power} - {shown[2]})^(-1)"
    prompt = f"{_field_rules(prime, modulus)}\n\nFind the element x with\n{equation}"
    return Task(prompt, Data(prime=prime, modulus=modulus, formula=formula, shown=False))


def solve(task: Task[Data]) -> Tree:
    ring = _ring(task)
    return ring.tree(ring.value(ring.read(task.data.formula)))


def verify(task: Task[Data], answer: Tree) -> Score:
    ring = _ring(task)
    element = ring.written_out(answer)
    if element is None:
        return Score.wrong("write the element as a reduced polynomial in a")
    return Score.exact(element == ring.value(ring.read(task.data.formula)), "that is another element")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    ring = _ring(task)
    return [ring.tree(other) for other in rings.neighbours(ring, ring.plain(right)) if other != ring.plain(right)]


def cost(task: Task[Data]) -> float:
    ring = _ring(task)
    return len(task.data.modulus) ** 2 * len(rings.evaluation_steps(ring, ring.read(task.data.formula)))


def _ring(task: Task[Data]) -> Ring:
    return rings.field(task.data.modulus, task.data.prime)


def _sample_field(rng: Rng, knobs: Knobs) -> tuple[int, tuple[int, ...]]:
    prime = rng.choice([p for p in (2, 3, 5, 7, 11, 13) if p <= knobs.prime and p**knobs.degree >= 16])
    while True:
        modulus = polynomial_fields.sample_polynomial(rng, knobs.degree, prime, 1, prime)
        if polynomial_fields.is_irreducible(modulus, prime):
            return prime, modulus


def _field_rules(prime: int, modulus: Sequence[int]) -> str:
    shown = polynomials.text(modulus, "a")
    return f"The field with {prime ** (len(modulus) - 1)} elements consists of the polynomials in a with coefficients modulo {prime}, where {shown} = 0."


def _sample_element(rng: Rng, ring: Ring) -> rings.Element:
    return ring.reduced(
        [rng.integer(0, ring.prime - 1), *(rng.integer(0, ring.prime - 1) for _ in ring.basis[2:]), rng.integer(1, ring.prime - 1)]
    )


solution = rings.solution("x", CLOSING, _ring, lambda task: (task.data.formula, task.data.shown))

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=solution,
    shift=shift,
    shared_helpers="The helper is the arithmetic of the field, which its axioms determine.",
    concept=CONCEPT,
    version=3,
)
