"""Find the inverse of a matrix, over the rational numbers or modulo a prime.

The shifted family asks for the matrix X with X*A = C instead.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Matrix
from rlgym.generators.algebra import eliminations
from rlgym.generators.algebra.eliminations import RowReduction, Rows
from rlgym.solutions import Checks, Derivation, Solution, Step, in_order

FIELDS = ("integer", "modulo", "rational")
ANSWER = Matrix("the matrix as a list of rows, as in [[1, 2], [3, 4]], with exact entries")
AUGMENTED = Step("The columns of A and of C beside them, as rows: {rows}")
CLOSING = "What stands on the right now are the columns of the matrix asked for: {answer}"
CONCEPT = "Write the right side beside the matrix and change rows until the matrix has become the unit matrix."


class Knobs(Config):
    field: str = knob(
        "modulo", easy="integer", hard="rational", order=FIELDS, doc="an inverse in integers, modulo a prime, or with fractions"
    )
    size: int = knob(3, easy=2, hard=6, doc="rows and columns of the matrix to be inverted")
    largest: int = knob(6, easy=4, hard=9, doc="largest entry")
    rows: int = knob(2, easy=1, hard=4, doc="rows of the right side in the shifted family")


class Data(TaskData):
    prime: int
    matrix: tuple[tuple[int, ...], ...]
    wanted: tuple[tuple[int, ...], ...]  # X times the matrix; of an inverse the matrix times X too


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    prime, matrix = _sample_matrix(rng, knobs)
    unit = [[int(i == j) for j in range(knobs.size)] for i in range(knobs.size)]
    where = f" modulo {prime}, with entries from 0 to {prime - 1}" if prime else ""
    prompt = f"Find the inverse of this matrix{where}:\n{eliminations.format_matrix(matrix)}"
    return Task(prompt, Data(prime=prime, matrix=tuple(map(tuple, matrix)), wanted=tuple(map(tuple, unit))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The left factor of a matrix product."""
    prime, matrix = _sample_matrix(rng, knobs)
    inverse = eliminations.sample_matrix(rng, knobs.rows, knobs.size, knobs.largest)
    inverse[0][0] = inverse[0][0] or 1
    inverse = [[a % prime if prime else a for a in row] for row in inverse]
    inverse[0][0] = inverse[0][0] or 1
    where = f" modulo {prime}, with entries from 0 to {prime - 1}," if prime else ""
    prompt = f"Find the matrix X{where} with X*A = C, where A is\n{eliminations.format_matrix(matrix)}\nand C is\n{eliminations.format_matrix(inverse)}"
    return Task(prompt, Data(prime=prime, matrix=tuple(map(tuple, matrix)), wanted=tuple(map(tuple, inverse))))


def solve(task: Task[Data]) -> Rows:
    reduction = _row_reduction(task.data)
    size = len(reduction.gaussian_elimination(len(task.data.matrix)))
    return tuple(zip(*(row[size:] for row in reduction.rows)))


def verify(task: Task[Data], answer: Rows) -> Score:
    data, p = task.data, task.data.prime
    if (len(answer), len(answer[0])) != (len(data.wanted), len(data.matrix)):
        return Score.wrong(f"give {len(data.wanted)} rows of {len(data.matrix)} entries")
    if p and not all(a.denominator == 1 and 0 <= a < p for row in answer for a in row):
        return Score.wrong(f"give entries from 0 to {p - 1}")
    return Score.exact(eliminations.product(answer, data.matrix, p) == data.wanted, "the product is another matrix")


def mistakes(task: Task[Data], right: Rows) -> list[Rows]:
    data = task.data
    numbers: list[Rows] = [tuple(eliminations.exact(side)) for side in (data.matrix, data.wanted)]
    turned = tuple(zip(*right))
    entries = tuple(tuple(1 / a if a else a for a in row) for row in numbers[0])
    negated = tuple(tuple(-a for a in row) for row in right)
    more = ((right[0][0] + 1, *right[0][1:]), *right[1:])
    return [turned, entries, negated, more, *numbers]


def cost(task: Task[Data]) -> float:
    reduction = _row_reduction(task.data)
    reduction.gaussian_elimination(len(task.data.matrix))
    return sum(len(step.text) for step in reduction.steps)


def derive(task: Task[Data]) -> Derivation:
    reduction = _row_reduction(task.data)
    yield AUGMENTED(rows=tuple(map(eliminations.format_row, reduction.rows)))
    reduction.gaussian_elimination(len(task.data.matrix))
    yield from in_order(reduction.steps)


def checks(task: Task[Data]) -> Checks:
    reduction = _row_reduction(task.data)
    opening = ", ".join(map(eliminations.format_row, reduction.rows))
    return {AUGMENTED: lambda rows: rows == opening, **reduction.checks()}


def _sample_matrix(rng: Rng, knobs: Knobs) -> tuple[int, list[list[int]]]:
    prime = rng.choice((5, 7, 11, 13, 17)) if knobs.field == "modulo" else 0
    while True:
        if knobs.field == "integer":
            matrix = eliminations.sample_unimodular(rng, knobs.size, 3 * knobs.size)[0]
        else:
            matrix = [
                [a % prime if prime else a for a in row]
                for row in eliminations.sample_matrix(rng, knobs.size, knobs.size, max(knobs.largest, prime))
            ]
        rows = [tuple(row) for row in matrix]
        tangled = any(abs(a) > 1 for row in rows for a in row) and max(abs(a) for row in rows for a in row) < 100
        if tangled and eliminations.rank(matrix, prime) == knobs.size and tuple(zip(*rows)) != tuple(rows):
            return prime, matrix


def _row_reduction(data: Data) -> RowReduction:
    """The equations for each row of X: the columns of A, augmented by the columns of C."""
    rows = [(*column, *right) for column, right in zip(zip(*data.matrix), zip(*data.wanted))]
    return RowReduction([tuple(map(Fraction, row)) for row in rows], data.prime)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING, checks), shift=shift, concept=CONCEPT
)
