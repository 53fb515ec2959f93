"""Find all eigenvalues of a matrix of integers exactly, each with its multiplicity.

The shifted family asks for the numbers x for which A - x*B is singular.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Solutions, trees
from rlgym.answers.maths import same_members
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import eliminations, polynomial_fields, polynomials, rational_functions, roots
from rlgym.generators.algebra.polynomials import Polynomial
from rlgym.solutions import Checks, Derivation, Solution, Step

Roots = tuple[Tree, ...]
Numbers = tuple[tuple[int, ...], ...]
ANSWER = Solutions("all of them as exact numbers, separated by commas, in any order", allow_empty=False)
MATRIX = Step("They are the eigenvalues of the inverse of B times A, which has the rows {rows}.")
TRACE = Step("The trace of the power {power:int} of the matrix is {trace:int}.")
POLYNOMIAL = Step("So the characteristic polynomial is {polynomial}.")
CLOSING = "All in all: {answer}"
CONCEPT = (
    "The eigenvalues are the roots of the characteristic polynomial, whose coefficients come from traces of powers or from a determinant."
)


class Knobs(Config):
    size: int = knob(3, easy=2, hard=6, doc="rows and columns")
    largest: int = knob(6, easy=5, hard=9, doc="largest rational eigenvalue")
    irrational: int = knob(0, easy=0, hard=2, doc="pairs of irrational eigenvalues")
    mixes: int = knob(5, easy=1, hard=12, doc="changes of the basis")


class Data(TaskData):
    matrix: Numbers  # whose eigenvalues are asked for
    shown: tuple[Numbers, ...]
    factors: tuple[Polynomial, ...]  # of the characteristic polynomial


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    matrix, factors = _sample_matrix(rng, knobs)
    prompt = (
        f"Find all eigenvalues of this matrix, each repeated according to its algebraic multiplicity.{_describe_roots(factors)}\n"
        f"{eliminations.format_matrix(matrix)}"
    )
    return Task(prompt, Data(matrix=matrix, shown=(matrix,), factors=factors))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The roots of det(A - x*B)."""
    matrix, factors = _sample_matrix(rng, knobs)
    below = unit = _integers([[int(i == j) for j in range(knobs.size)] for i in range(knobs.size)])
    while below == unit:
        below = _integers(eliminations.sample_unimodular(rng, knobs.size, knobs.size)[0])
    above = _integers(eliminations.product(below, matrix))
    prompt = (
        f"Find all numbers x for which the determinant of A - x*B is 0, each as often as it is a root of that determinant.{_describe_roots(factors)} A is\n"
        f"{eliminations.format_matrix(above)}\nand B is\n{eliminations.format_matrix(below)}"
    )
    return Task(prompt, Data(matrix=matrix, shown=(above, below), factors=factors))


def _describe_roots(factors: tuple[Polynomial, ...]) -> str:
    """How to write irrational numbers, where some may be asked for."""
    return " Write irrational ones with square roots, as in 1 - 2*sqrt(3)." if any(len(factor) == 3 for factor in factors) else ""


def solve(task: Task[Data]) -> Roots:
    polynomial = _characteristic_polynomial(task.data.matrix)[0]
    return tuple(root for factor in roots.irreducible_factors(polynomial) for root in roots.roots_of_factor(factor))


def verify(task: Task[Data], answer: Roots) -> Score:
    expected = [root for factor in task.data.factors for root in roots.roots_of_factor(factor)]
    return Score.exact(same_members(expected, answer), "these are not all eigenvalues with their multiplicities")


def mistakes(task: Task[Data], right: Roots) -> list[Roots]:
    diagonal = tuple(trees.number(row[i]) for i, row in enumerate(task.data.shown[0]))
    more = tuple(trees.build.add(root, trees.number(1)) for root in right)
    others = [diagonal] if not same_members(right, diagonal) else []
    return [*others, more, right[1:], (*right, right[0]), (trees.number(17), *right[1:])]


def cost(task: Task[Data]) -> float:
    size = len(task.data.matrix)
    return size**3 * sum(len(str(a)) for row in task.data.matrix for a in row) * (1 + sum(len(factor) == 3 for factor in task.data.factors))


def derive(task: Task[Data]) -> Derivation:
    polynomial, traces = _characteristic_polynomial(task.data.matrix)
    if len(task.data.shown) == 2:
        yield MATRIX(rows=tuple(map(eliminations.format_row, task.data.matrix)))
    for k, trace in enumerate(traces, 1):
        yield TRACE(power=k, trace=trace)
    yield POLYNOMIAL(polynomial=polynomials.text(polynomial))
    yield from roots.factoring_steps("characteristic polynomial", polynomial)


def checks(task: Task[Data]) -> Checks:
    whole, traces = _characteristic_polynomial(task.data.matrix)
    rows = ", ".join(map(eliminations.format_row, task.data.matrix))
    return {
        MATRIX: lambda **gaps: len(task.data.shown) == 2 and gaps["rows"] == rows,
        TRACE: lambda power, trace: power > 0 and trace == traces[power - 1],
        POLYNOMIAL: lambda polynomial: polynomial_fields.read(polynomial) == whole,
        **roots.checks({"characteristic polynomial": whole}),
    }


def _sample_matrix(rng: Rng, knobs: Knobs) -> tuple[Numbers, tuple[Polynomial, ...]]:
    """A matrix similar to one of blocks of 1 and 2 rows, and the characteristic polynomials of the blocks."""
    pairs = min(knobs.irrational, knobs.size // 2)
    while True:
        factors: list[Polynomial] = [rational_functions.sample_quadratic(rng, 3, True) for _ in range(pairs)]
        factors += [(rng.integer(-knobs.largest, knobs.largest), 1) for _ in range(knobs.size - 2 * pairs)]
        blocks = [[0] * knobs.size for _ in range(knobs.size)]
        at = 0
        for factor in factors:
            if len(factor) == 3:
                blocks[at][at + 1], blocks[at + 1][at], blocks[at + 1][at + 1] = 1, -factor[0], -factor[1]
            else:
                blocks[at][at] = -factor[0]
                if at and blocks[at - 1][at - 1] == blocks[at][at] and len(factors[factors.index(factor) - 1]) == 2:
                    blocks[at - 1][at] = rng.integer(0, 1)
            at += len(factor) - 1
        left, right = eliminations.sample_unimodular(rng, knobs.size, knobs.mixes + knobs.size)
        matrix = _integers(eliminations.product(eliminations.product(left, blocks), right))
        tangled = any(a for i, row in enumerate(matrix) for j, a in enumerate(row) if i > j)
        if tangled and max(abs(a) for row in matrix for a in row) < 200 and any(factor[0] for factor in factors):
            return matrix, tuple(factors)


def _integers(rows: Sequence[Sequence[Fraction | int]]) -> Numbers:
    return tuple(tuple(int(a) for a in row) for row in rows)


def _characteristic_polynomial(matrix: Numbers) -> tuple[polynomial_fields.Coefficients, list[int]]:
    """The characteristic polynomial by Newton's identities, and the traces of the powers that go into them."""
    power, traces, elementary = matrix, list[int](), [Fraction(1)]
    for k in range(1, len(matrix) + 1):
        traces.append(sum(row[i] for i, row in enumerate(power)))
        power = _integers(eliminations.product(power, matrix))
        elementary.append(sum(((-1) ** i * elementary[k - 1 - i] * traces[i] for i in range(k)), start=Fraction(0)) / k)
    size = len(matrix)
    return tuple((-1) ** (size - i) * elementary[size - i] for i in range(size + 1)), traces


solution = Solution(derive, CLOSING, checks)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=4
)
