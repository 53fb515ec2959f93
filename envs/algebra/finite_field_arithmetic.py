"""Compute an expression in a finite field that is given by an irreducible polynomial.

On the upper levels an equation in powers of an unknown is solved, which is linear over the prime field once its exponents are reduced. The shifted
family asks for the solution of a linear equation.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import eliminations, polynomial_fields, polynomials, rings
from rlgym.generators.algebra.rings import Ring
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

ANSWER = Expression(
    ("a",),
    instructions="the element as a polynomial in a, multiplied out, of smaller degree than the given one, with coefficients reduced modulo the prime",
)
CLOSING = "The element is {answer}"
REDUCED = Step("Exponents repeat after {order:int}, so the left side is {left}, which is additive in x.")
IMAGE = Step("For x = {member} the left side is {value}.")
COMBINED = Step("The combination {element} of these gives {value}.")
CONCEPT = "Replace the highest power of a by what the given polynomial makes it, after each product; find inverses with Euclid's algorithm."


class Knobs(Config):
    asked: str = knob(
        "value",
        easy="value",
        hard="root",
        order=("value", "root"),
        doc="the value of an expression, or the solution of an equation in powers of an unknown",
    )
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
    exponents: tuple[int, ...] = ()  # of the unknown, in the equation whose solution is asked for
    coefficients: tuple[str, ...] = ()
    right: str = ""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "root":
        return _sample_equation(rng, knobs)
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
    if task.data.exponents:
        return ring.tree(_root(task.data, ring))
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
    if task.data.exponents:
        return 12 * task.data.prime * len(task.data.modulus) ** 3 * len(task.data.exponents)
    return len(task.data.modulus) ** 2 * len(rings.evaluation_steps(ring, ring.read(task.data.formula)))


def derive_root(task: Task[Data]) -> Derivation:
    data, ring = task.data, _ring(task)
    order = data.prime ** (len(data.modulus) - 1) - 1
    yield REDUCED(order=order, left=_equation_side(data.coefficients, [(e - 1) % order + 1 for e in data.exponents]))
    for k in range(len(ring.basis)):
        member = ring.reduced([int(i == k) for i in range(len(ring.basis))])
        yield IMAGE(member=ring.text(member), value=ring.text(_left_side(data, ring, member)))
    yield COMBINED(element=ring.text(_root(data, ring)), value=data.right)


def _left_side(data: Data, ring: Ring, x: rings.Element) -> rings.Element:
    total = ring.number(0)
    for coefficient, exponent in zip(data.coefficients, data.exponents, strict=True):
        total = ring.add(total, ring.times(ring.value(ring.read(coefficient)), ring.power(x, exponent)))
    return total


def _root(data: Data, ring: Ring) -> rings.Element:
    """The solution, by linear equations over the prime field: the left side is additive in x."""
    size = len(ring.basis)
    images = [_left_side(data, ring, ring.reduced([int(i == k) for i in range(size)])) for k in range(size)]
    right = ring.value(ring.read(data.right))
    rows = [[*(image[i] for image in images), -right[i]] for i in range(size)]
    (vector,) = eliminations.null_space(rows, data.prime)
    return ring.reduced([a / vector[-1] for a in vector[:-1]]) if vector[-1] == 1 else ring.reduced(vector[:-1])


def _sample_equation(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Exponents that are powers of the prime, some of them raised by multiples of the order of the group; exactly one solution."""
    prime, degree = (2, max(5, knobs.degree)) if knobs.degree > 4 else (3, 3)
    while True:
        modulus = polynomial_fields.sample_polynomial(rng, degree, prime, 1, prime)
        if polynomial_fields.is_irreducible(modulus, prime):
            break
    ring, order = rings.field(modulus, prime), prime**degree - 1
    while True:
        powers = sorted(rng.sample(range(degree), 2 if prime > 2 else 3), reverse=True)
        exponents = tuple(prime**k + order * rng.integer(0 if k else 1, 2) for k in powers)
        coefficients = tuple(ring.text(_sample_element(rng, ring)) for _ in powers)
        data = Data(prime=prime, modulus=modulus, formula="", shown=False, exponents=exponents, coefficients=coefficients)
        root = _sample_element(rng, ring)
        images = [_left_side(data, ring, ring.reduced([int(i == k) for i in range(degree)])) for k in range(degree)]
        if max(exponents) > order and eliminations.rank(images, prime) == degree:
            break
    right = ring.text(_left_side(data, ring, root))
    data = data.model_copy(update={"right": right, "formula": ring.text(root)})
    equation = f"{_equation_side(coefficients, exponents)} = {right}"
    return Task(f"{_field_rules(prime, modulus)}\n\nExactly one element x of this field satisfies\n{equation}\nFind it.", data)


def _equation_side(coefficients: Sequence[str], exponents: Sequence[int]) -> str:
    return " + ".join(f"({c})*x{f'^{e}' if e > 1 else ''}" for c, e in zip(coefficients, exponents, strict=True))


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


VALUE = rings.solution("x", CLOSING, _ring, lambda task: (task.data.formula, task.data.shown))
ROOT = Solution(derive_root, CLOSING)

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: ROOT if task.data.exponents else VALUE),
    shift=shift,
    shared_helpers="The helper is the arithmetic of the field, which its axioms determine.",
    concept=CONCEPT,
    version=4,
)
