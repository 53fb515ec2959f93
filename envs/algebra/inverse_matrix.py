"""Find the inverse of a matrix, over the rational numbers or modulo a prime.

On the upper levels entries of the matrix are unknown, and some entries of its inverse are known instead. The shifted
family asks for the matrix X with X*A = C instead.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Matrix
from rlgym.generators.algebra import eliminations, partial_inverses
from rlgym.generators.algebra.eliminations import RowReduction, Rows
from rlgym.generators.algebra.partial_inverses import Entry
from rlgym.solutions import Checks, Derivation, Solution, SolutionByTask, Step, in_order

FIELDS = ("integer", "modulo", "rational")
ANSWER = Matrix("the matrix as a list of rows, as in [[1, 2], [3, 4]], with exact entries")
AUGMENTED = Step("The columns of A and of C beside them, as rows: {rows}")
CLOSING = "What stands on the right now are the columns of the matrix asked for: {answer}"
DETERMINED = Step("Round {number:int}: by equations that are linear now, {entry} is {value:int}.")
CLOSING_PARTIAL = "So B is {answer}"
CONCEPT = "Write the right side beside the matrix and change rows until the matrix has become the unit matrix."


class Knobs(Config):
    field: str = knob(
        "modulo", easy="integer", hard="rational", order=FIELDS, doc="an inverse in integers, modulo a prime, or with fractions"
    )
    given: str = knob(
        "matrix",
        easy="matrix",
        hard="some entries",
        order=("matrix", "some entries"),
        doc="the matrix, or some entries of the matrix and some of its inverse",
    )
    size: int = knob(3, easy=2, hard=5, doc="rows and columns of the matrix to be inverted")
    largest: int = knob(6, easy=4, hard=9, doc="largest entry")
    rows: int = knob(2, easy=1, hard=4, doc="rows of the right side in the shifted family")


class Data(TaskData):
    prime: int
    matrix: tuple[tuple[int, ...], ...]
    wanted: tuple[tuple[int, ...], ...]  # X times the matrix; of an inverse the matrix times X too
    known: tuple[
        tuple[str, int, int, int], ...
    ] = ()  # known entries of the matrix A and its inverse B: matrix, row, column (from 0), value


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.given == "some entries":
        return _sample_partial(rng, knobs)
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
    if task.data.known:
        size = len(task.data.matrix)
        values = {Entry(name, i, j): value for name, i, j, value in task.data.known}
        for entries in _rounds(task.data):
            values |= entries
        return tuple(tuple(Fraction(values[Entry("B", i, j)]) for j in range(size)) for i in range(size))
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
    if task.data.known:
        return 400 * len(task.data.known) * (1 + len(_rounds(task.data)))
    reduction = _row_reduction(task.data)
    reduction.gaussian_elimination(len(task.data.matrix))
    return sum(len(step.text) for step in reduction.steps)


def derive(task: Task[Data]) -> Derivation:
    reduction = _row_reduction(task.data)
    yield AUGMENTED(rows=tuple(map(eliminations.format_row, reduction.rows)))
    reduction.gaussian_elimination(len(task.data.matrix))
    yield from in_order(reduction.steps)


def derive_entries(task: Task[Data]) -> Derivation:
    for number, entries in enumerate(_rounds(task.data), 1):
        for entry, value in entries.items():
            name = f"the entry of {entry.matrix} in row {entry.row + 1}, column {entry.column + 1}"
            yield DETERMINED(number=number, entry=name, value=value)


def checks(task: Task[Data]) -> Checks:
    reduction = _row_reduction(task.data)
    opening = ", ".join(map(eliminations.format_row, reduction.rows))
    return {AUGMENTED: lambda rows: rows == opening, **reduction.checks()}


def _sample_partial(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Entries are hidden in random order as long as the others still determine them, a third of them or more in each matrix."""
    size, rounds = (4, 3) if knobs.size > 4 else (3, 2)
    while True:
        a, b = eliminations.sample_unimodular(rng, size, 3 * size)
        if max(abs(x) for row in (*a, *b) for x in row) > 9 or sum(x == 0 for row in (*a, *b) for x in row) > size:
            continue
        values = {entry: (a if entry.matrix == "A" else b)[entry.row][entry.column] for entry in partial_inverses.all_entries(size)}
        known = dict(values)
        for entry in rng.shuffled(list(values)):
            fewer = {other: value for other, value in known.items() if other != entry}
            known = known if partial_inverses.deduce(fewer, size) is None else fewer
        found = partial_inverses.deduce(known, size)
        if found is not None and len(found) >= rounds and min(sum(e.matrix == name for e in known) for name in "AB") >= size:
            break
    matrix = tuple(map(tuple, a))
    shown = {}
    for name, rows in (("A", a), ("B", b)):
        marked = [["?" if Entry(name, i, j) not in known else str(x) for j, x in enumerate(row)] for i, row in enumerate(rows)]
        shown[name] = eliminations.format_matrix(marked)
    prompt = (
        "A and B are matrices of rational numbers, and A*B is the unit matrix. Entries shown as ? are unknown; the others determine them.\n"
        f"A =\n{shown['A']}\nB =\n{shown['B']}\nFind B."
    )
    unit = tuple(tuple(int(i == j) for j in range(size)) for i in range(size))
    return Task(prompt, Data(prime=0, matrix=matrix, wanted=unit, known=tuple((*entry, value) for entry, value in sorted(known.items()))))


def _rounds(data: Data) -> list[dict[Entry, int]]:
    return partial_inverses.deduce({Entry(name, i, j): value for name, i, j, value in data.known}, len(data.matrix)) or []


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


INVERSION, COMPLETION = Solution(derive, CLOSING, checks), Solution(derive_entries, CLOSING_PARTIAL)

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: COMPLETION if task.data.known else INVERSION),
    shift=shift,
    concept=CONCEPT,
    version=2,
)
