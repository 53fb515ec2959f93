"""Work out the determinant of a matrix of integers.

The shifted family gives a large matrix by a rule: one number on the diagonal, one above it, one below it, and zeros elsewhere.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.algebra import eliminations
from rlgym.solutions import Checks, Derivation, Solution, Step, in_order

ANSWER = Integer()
FIRST = Step("The first row and column alone have the determinant {value:int}.")
NEXT = Step(
    "The first {size:int} rows and columns: by the last row, ({middle:int})*({last:int}) - ({product:int})*({before:int}) = {value:int}."
)
DIAGONAL = Step(
    "Below the diagonal there are only zeros now. After {swaps:int} swap(s), each of which changes the sign, the diagonal is {product}."
)
CLOSING = "The determinant is {answer}"
CONCEPT = "Adding a multiple of a row to another changes nothing, a swap turns the sign; below zeros only the diagonal counts."


class Knobs(Config):
    size: int = knob(4, easy=2, hard=8, doc="rows and columns")
    largest: int = knob(7, easy=6, hard=15, doc="largest entry")
    share: float = knob(0.9, easy=1.0, hard=0.8, doc="share of entries that may differ from 0")
    band: int = knob(8, easy=4, hard=13, doc="rows and columns of the matrix that is given by a rule")


class Data(TaskData):
    rows: tuple[tuple[int, ...], ...]
    banded: bool
    determinant: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    determinant = 0
    while not determinant:
        rows = [
            [a if rng.chance(knobs.share) else 0 for a in row]
            for row in eliminations.sample_matrix(rng, knobs.size, knobs.size, knobs.largest)
        ]
        determinant = _bareiss_determinant(rows)
    prompt = f"Work out the determinant of this matrix:\n{eliminations.format_matrix(rows)}"
    return Task(prompt, Data(rows=tuple(map(tuple, rows)), banded=False, determinant=determinant))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A tridiagonal matrix given by a rule."""
    determinant, size = 0, rng.integer(max(3, knobs.band - 1), knobs.band + 1)
    while not 0 < abs(determinant) < 10**12:
        middle, above, below, corner = (rng.integer(1, knobs.largest) * rng.choice((-1, 1)) for _ in range(4))
        rows = [[{0: middle, 1: above, -1: below}.get(j - i, 0) for j in range(size)] for i in range(size)]
        rows[0][0] = corner
        determinant = _bareiss_determinant(rows)
    prompt = (
        f"A matrix has {size} rows and {size} columns. Its entry in row 1 and column 1 is {corner}. Any other entry, in row i and column j, "
        f"is {middle} if i = j, {above} if j = i + 1, "
        f"{below} if j = i - 1, and 0 otherwise. Work out its determinant."
    )
    return Task(prompt, Data(rows=tuple(map(tuple, rows)), banded=True, determinant=determinant))


def solve(task: Task[Data]) -> int:
    return int(_diagonal_product(_reduce(task.data)))


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.determinant, "that is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    rows, size = task.data.rows, len(task.data.rows)
    main = other = 1
    for i in range(size):
        main, other = main * rows[i][i], other * rows[i][size - 1 - i]
    return [-right, main - other, main, right + 1, 0, sum(rows[i][i] for i in range(size))]


def cost(task: Task[Data]) -> float:
    size = len(task.data.rows)
    return size if task.data.banded else size**2 * sum(len(str(a)) for row in task.data.rows for a in row)


def derive(task: Task[Data]) -> Derivation:
    if task.data.banded:
        values, (middle, product) = _leading_minors(task.data), _recurrence(task.data)
        yield FIRST(value=values[1])
        for k in range(2, len(values)):
            yield NEXT(size=k, middle=middle, last=values[k - 1], product=product, before=values[k - 2], value=values[k])
    else:
        reduction = _reduce(task.data)
        yield from in_order(reduction.steps)
        yield DIAGONAL(swaps=reduction.swaps, product=_diagonal_text(reduction))


def checks(task: Task[Data]) -> Checks:
    reduction, values, data = eliminations.RowReduction(eliminations.exact(task.data.rows)), _leading_minors(task.data), task.data

    def next_minor(size: int, middle: int, last: int, product: int, before: int, value: int) -> bool:
        expected = (*_recurrence(data), values[size - 1], values[size - 2], values[size])
        return data.banded and size > 1 and (middle, product, last, before, value) == expected

    def diagonal(swaps: int, product: str) -> bool:
        below = any(any(row[:i]) for i, row in enumerate(reduction.rows))
        return not below and swaps == reduction.swaps and product == _diagonal_text(reduction)

    first = {FIRST: lambda value: data.banded and value == values[1]}
    return {**reduction.checks(), **first, NEXT: next_minor, DIAGONAL: diagonal}


def _bareiss_determinant(rows: Sequence[Sequence[int]]) -> int:
    """The determinant by fraction-free elimination in integers."""
    matrix, sign, before = [list(row) for row in rows], 1, 1
    while len(matrix) > 1:
        pivot = next((i for i, row in enumerate(matrix) if row[0]), None)
        if pivot is None:
            return 0
        sign = -sign if pivot else sign
        matrix[0], matrix[pivot] = matrix[pivot], matrix[0]
        top, *others = matrix
        matrix = [[(a * top[0] - b * row[0]) // before for a, b in zip(row[1:], top[1:])] for row in others]
        before = top[0]
    return sign * matrix[0][0]


def _reduce(data: Data) -> eliminations.RowReduction:
    reduction = eliminations.RowReduction(eliminations.exact(data.rows))
    reduction.gaussian_elimination(len(reduction.rows), full=False)
    return reduction


def _diagonal_text(reduction: eliminations.RowReduction) -> str:
    return "*".join(f"({row[i]})" for i, row in enumerate(reduction.rows))


def _diagonal_product(reduction: eliminations.RowReduction) -> Fraction:
    product = Fraction((-1) ** reduction.swaps)
    for i, row in enumerate(reduction.rows):
        product *= row[i]
    return product


def _recurrence(data: Data) -> tuple[int, int]:
    """The entry on the diagonal, and the product of those next to it."""
    return data.rows[1][1], data.rows[0][1] * data.rows[1][0]


def _leading_minors(data: Data) -> list[int]:
    """The determinants of the first 0, 1, 2, ... rows and columns of a tridiagonal matrix."""
    middle, product = _recurrence(data)
    values = [1, data.rows[0][0]]
    while data.banded and len(values) <= len(data.rows):
        values.append(middle * values[-1] - product * values[-2])
    return values


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING, checks), shift=shift, concept=CONCEPT,
    version=2,
)  # fmt: skip
