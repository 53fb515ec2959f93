"""Find all eigenvalues of a matrix of integers exactly, each as often as it counts.

The shifted family asks for the numbers x for which A - x*B cannot be inverted.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Solutions, trees
from rlgym.answers.maths import same_members
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import eliminations, polynomial_fields, polynomials, rational_functions, roots
from rlgym.generators.algebra.polynomials import Polynomial
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended

Found = tuple[Tree, ...]
Numbers = tuple[tuple[int, ...], ...]


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
    matrix, factors = _drawn(rng, knobs)
    prompt = f"Find all eigenvalues of this matrix, each as often as its algebraic multiplicity says:\n{eliminations.layout(matrix)}"
    return Task(prompt, Data(matrix=matrix, shown=(matrix,), factors=factors))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The roots of det(A - x*B)."""
    matrix, factors = _drawn(rng, knobs)
    below = unit = _whole([[int(i == j) for j in range(knobs.size)] for i in range(knobs.size)])
    while below == unit:
        below = _whole(eliminations.unimodular(rng, knobs.size, knobs.size)[0])
    above = _whole(eliminations.product(below, matrix))
    prompt = (
        "Find all numbers x for which the determinant of A - x*B is 0, each as often as it is a root of that determinant, where A is\n"
        f"{eliminations.layout(above)}\nand B is\n{eliminations.layout(below)}"
    )
    return Task(prompt, Data(matrix=matrix, shown=(above, below), factors=factors))


def solve(task: Task[Data]) -> Found:
    whole = _characteristic(task.data.matrix)[0]
    return tuple(root for factor in roots.irreducible(whole) for root in roots.of_factor(factor))


def verify(task: Task[Data], answer: Found) -> Score:
    expected = [root for factor in task.data.factors for root in roots.of_factor(factor)]
    return Score.exact(same_members(expected, answer), "these are not all of them, each as often as it counts")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    diagonal = tuple(trees.number(row[i]) for i, row in enumerate(task.data.shown[0]))
    more = tuple(trees.build.add(root, trees.number(1)) for root in right)
    others = [diagonal] if not same_members(right, diagonal) else []
    return [*others, more, right[1:], (*right, right[0]), (trees.number(17), *right[1:])]


def cost(task: Task[Data]) -> float:
    size = len(task.data.matrix)
    return size**3 * sum(len(str(a)) for row in task.data.matrix for a in row) * (1 + sum(len(factor) == 3 for factor in task.data.factors))


def explain(task: Task[Data]) -> list[str]:
    whole, traces = _characteristic(task.data.matrix)
    steps = [_MATRIX.write(rows=", ".join(map(eliminations.text, task.data.matrix)))] if len(task.data.shown) == 2 else []
    steps += [_TRACE.write(power=k, trace=trace) for k, trace in enumerate(traces, 1)]
    steps += [_POLYNOMIAL.write(polynomial=polynomials.text(whole)), *roots.told("characteristic polynomial", whole)]
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    whole, traces = _characteristic(task.data.matrix)
    rows = ", ".join(map(eliminations.text, task.data.matrix))
    claims: list[Claim] = [
        (_MATRIX, lambda **said: len(task.data.shown) == 2 and said["rows"] == rows),
        (_TRACE, lambda power, trace: int(power) > 0 and int(trace) == traces[int(power) - 1]),
        (_POLYNOMIAL, lambda polynomial: polynomial_fields.read(polynomial) == whole),
        *roots.claims({"characteristic polynomial": whole}),
    ]
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _drawn(rng: Rng, knobs: Knobs) -> tuple[Numbers, tuple[Polynomial, ...]]:
    """A matrix similar to one of blocks of 1 and 2 rows, and the characteristic polynomials of the blocks."""
    pairs = min(knobs.irrational, knobs.size // 2)
    while True:
        factors: list[Polynomial] = [rational_functions.quadratic(rng, 3, True) for _ in range(pairs)]
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
        one, other = eliminations.unimodular(rng, knobs.size, knobs.mixes + knobs.size)
        matrix = _whole(eliminations.product(eliminations.product(one, blocks), other))
        tangled = any(a for i, row in enumerate(matrix) for j, a in enumerate(row) if i > j)
        if tangled and max(abs(a) for row in matrix for a in row) < 200 and any(factor[0] for factor in factors):
            return matrix, tuple(factors)


def _whole(rows: Sequence[Sequence[Fraction | int]]) -> Numbers:
    return tuple(tuple(int(a) for a in row) for row in rows)


def _characteristic(matrix: Numbers) -> tuple[polynomial_fields.Coefficients, list[int]]:
    """The characteristic polynomial by Newton's identities, and the traces of the powers that go into them."""
    power, traces, elementary = matrix, list[int](), [Fraction(1)]
    for k in range(1, len(matrix) + 1):
        traces.append(sum(row[i] for i, row in enumerate(power)))
        power = _whole(eliminations.product(power, matrix))
        elementary.append(sum(((-1) ** i * elementary[k - 1 - i] * traces[i] for i in range(k)), start=Fraction(0)) / k)
    size = len(matrix)
    return tuple((-1) ** (size - i) * elementary[size - i] for i in range(size + 1)), traces


_ANSWER = Solutions("all of them as exact numbers, separated by commas, in any order", empty=False)
_MATRIX = Line("They are the eigenvalues of the inverse of B times A, which has the rows {rows}.")
_TRACE = Line("The trace of the power {power} of the matrix is {trace}.")
_POLYNOMIAL = Line("So the characteristic polynomial is {polynomial}.")
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
    concept="The eigenvalues are the roots of the characteristic polynomial, whose coefficients come from traces of powers or from a determinant.",
    version=2,
)
