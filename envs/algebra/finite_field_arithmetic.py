"""Work out an expression in a finite field that is given by an irreducible polynomial.

The shifted family asks for the element that an equation holds for.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomial_fields, polynomials, rings
from rlgym.generators.algebra.rings import GIVEN, Ring
from rlgym.generators.steps import ended


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
    prime, modulus = _field(rng, knobs)
    ring = rings.field(modulus, prime)
    powers = [rng.integer(2, knobs.power) for _ in range(2)] + ([-1] if knobs.inverses == "some" else [])
    while True:
        formula = rings.drawn(rng, knobs.operations, lambda: ring.tree(_drawn(rng, ring)), powers, tall=True)
        try:
            if any(ring.value(formula)[1:]):
                break
        except ArithmeticError:
            continue
    text = trees.write(formula)
    return Task(f"{_rules(prime, modulus)}\n\nWork out\n{text}", Data(prime=prime, modulus=modulus, formula=text, shown=True))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """An equation of degree 1 in x with a power of an element in it."""
    prime, modulus = _field(rng, knobs)
    ring = rings.field(modulus, prime)
    while True:
        one, two, three, four = (_drawn(rng, ring) for _ in range(4))
        power = rng.integer(2, knobs.power)
        if any(ring.add(ring.power(one, power), three, -1)) and two != four:
            break
    shown = [f"({ring.text(element)})" for element in (one, two, three, four)]
    equation = f"{shown[0]}^{power}*x + {shown[1]} = {shown[2]}*x + {shown[3]}"
    formula = f"({shown[3]} - {shown[1]})*({shown[0]}^{power} - {shown[2]})^(-1)"
    prompt = f"{_rules(prime, modulus)}\n\nFind the element x with\n{equation}"
    return Task(prompt, Data(prime=prime, modulus=modulus, formula=formula, shown=False))


def solve(task: Task[Data]) -> Tree:
    ring = rings.field(task.data.modulus, task.data.prime)
    return ring.tree(ring.value(ring.read(task.data.formula)))


def verify(task: Task[Data], answer: Tree) -> Score:
    ring = rings.field(task.data.modulus, task.data.prime)
    found = ring.written_out(answer)
    if found is None:
        return Score.wrong("write the element as a polynomial in a of the asked-for form")
    return Score.exact(found == ring.value(ring.read(task.data.formula)), "that is another element")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    ring = rings.field(task.data.modulus, task.data.prime)
    return [ring.tree(other) for other in rings.neighbours(ring, ring.plain(right)) if other != ring.plain(right)]


def cost(task: Task[Data]) -> float:
    ring = rings.field(task.data.modulus, task.data.prime)
    return len(task.data.modulus) ** 2 * len(rings.worked(ring, ring.read(task.data.formula)))


def explain(task: Task[Data]) -> list[str]:
    ring = rings.field(task.data.modulus, task.data.prime)
    opening = [] if task.data.shown else [GIVEN.write(name="x", formula=task.data.formula)]
    return [*opening, *rings.worked(ring, ring.read(task.data.formula)), _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    ring = rings.field(task.data.modulus, task.data.prime)
    return rings.replayed(ring, steps, ring.read(task.data.formula), ended(_LAST, task, _ANSWER, verify))


def _field(rng: Rng, knobs: Knobs) -> tuple[int, tuple[int, ...]]:
    prime = rng.choice([p for p in (2, 3, 5, 7, 11, 13) if p <= knobs.prime and p**knobs.degree >= 16])
    while True:
        modulus = polynomial_fields.drawn(rng, knobs.degree, prime, 1, prime)
        if polynomial_fields.irreducible(modulus, prime):
            return prime, modulus


def _rules(prime: int, modulus: Sequence[int]) -> str:
    shown = polynomials.text(modulus, "a")
    return (
        f"The field with {prime ** (len(modulus) - 1)} elements consists of the polynomials in a with coefficients modulo {prime}, "
        f"where {shown} = 0."
    )


def _drawn(rng: Rng, ring: Ring) -> rings.Element:
    return ring.reduced(
        [rng.integer(0, ring.prime - 1), *(rng.integer(0, ring.prime - 1) for _ in ring.basis[2:]), rng.integer(1, ring.prime - 1)]
    )


_ANSWER = Expression(
    ("a",),
    asks="the element as a polynomial in a, multiplied out, of smaller degree than the given one, with coefficients from 0 to p - 1 (p the prime)",
)
_LAST = "The element is "

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
    concept="Replace the highest power of a by what the given polynomial makes it, after each product; find inverses with Euclid's algorithm.",
    version=2,
)
