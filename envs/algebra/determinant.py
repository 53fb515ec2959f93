"""Work out the determinant of a matrix of integers.

The shifted family gives a large matrix by a rule: one number on the diagonal, one above it, one below it, and zeros elsewhere.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.algebra import eliminations
from rlgym.generators.claims import refuted
from rlgym.generators.steps import Line, ended


class Knobs(Config):
    size: int = knob(4, easy=2, hard=8, doc="rows and columns")
    largest: int = knob(7, easy=6, hard=15, doc="largest entry")
    share: float = knob(0.9, easy=1.0, hard=0.8, doc="share of entries that may differ from 0")
    band: int = knob(8, easy=4, hard=22, doc="rows and columns of the matrix that is given by a rule")


class Data(TaskData):
    rows: tuple[tuple[int, ...], ...]
    banded: bool
    determinant: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    determinant = 0
    while not determinant:
        rows = [
            [a if rng.chance(knobs.share) else 0 for a in row] for row in eliminations.drawn(rng, knobs.size, knobs.size, knobs.largest)
        ]
        determinant = _fraction_free(rows)
    prompt = f"Work out the determinant of this matrix:\n{eliminations.layout(rows)}"
    return Task(prompt, Data(rows=tuple(map(tuple, rows)), banded=False, determinant=determinant))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Numbers on three diagonals only."""
    determinant, size = 0, rng.integer(max(3, knobs.band - 1), knobs.band + 1)
    while not determinant:
        middle, above, below, corner = (rng.integer(1, knobs.largest) * rng.choice((-1, 1)) for _ in range(4))
        rows = [[{0: middle, 1: above, -1: below}.get(j - i, 0) for j in range(size)] for i in range(size)]
        rows[0][0] = corner
        determinant = _fraction_free(rows)
    prompt = (
        f"A matrix has {size} rows and {size} columns. Its entry in row 1 and column 1 is {corner}. Any other entry, in row i and column j, "
        f"is {middle} if i = j, {above} if j = i + 1, "
        f"{below} if j = i - 1, and 0 otherwise. Work out its determinant."
    )
    return Task(prompt, Data(rows=tuple(map(tuple, rows)), banded=True, determinant=determinant))


def solve(task: Task[Data]) -> int:
    board = eliminations.Board(eliminations.exact(task.data.rows))
    board.reduce(len(board.rows), full=False)
    return int(_diagonal(board))


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


def explain(task: Task[Data]) -> list[str]:
    if task.data.banded:
        values, (middle, less) = _banded(task.data), _rule(task.data)
        steps = [_ONE.write(value=values[1])]
        for k in range(2, len(values)):
            gaps = {"middle": middle, "last": values[k - 1], "less": less, "before": values[k - 2]}
            steps.append(_NEXT.write(size=k, value=values[k], **gaps))
        return [*steps, f"{_LAST}{values[-1]}"]
    board = eliminations.Board(eliminations.exact(task.data.rows))
    board.reduce(len(board.rows), full=False)
    shown = "*".join(f"({row[i]})" for i, row in enumerate(board.rows))
    return [*board.told, _DIAGONAL.write(swaps=board.swaps, product=shown), f"{_LAST}{solve(task)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    board = eliminations.Board(eliminations.exact(task.data.rows))
    values = _banded(task.data)

    def following(size: str, middle: str, last: str, less: str, before: str, value: str) -> bool:
        k = int(size)
        said = tuple(map(int, (middle, less, last, before, value)))
        return task.data.banded and k > 1 and said == (*_rule(task.data), values[k - 1], values[k - 2], values[k])

    def diagonal(swaps: str, product: str) -> bool:
        below = any(any(row[:i]) for i, row in enumerate(board.rows))
        return not below and int(swaps) == board.swaps and product == "*".join(f"({row[i]})" for i, row in enumerate(board.rows))

    first = (_ONE, lambda value: task.data.banded and int(value) == values[1])
    return refuted(steps, [*board.claims(), first, (_NEXT, following), (_DIAGONAL, diagonal)], ended(_LAST, task, _ANSWER, verify))


def _fraction_free(rows: Sequence[Sequence[int]]) -> int:
    """The determinant by elimination in integers (Bareiss)."""
    left, sign, before = [list(row) for row in rows], 1, 1
    while len(left) > 1:
        pivot = next((i for i, row in enumerate(left) if row[0]), None)
        if pivot is None:
            return 0
        sign = -sign if pivot else sign
        left[0], left[pivot] = left[pivot], left[0]
        top, *others = left
        left = [[(a * top[0] - b * row[0]) // before for a, b in zip(row[1:], top[1:])] for row in others]
        before = top[0]
    return sign * left[0][0]


def _diagonal(board: eliminations.Board) -> Fraction:
    whole = Fraction((-1) ** board.swaps)
    for i, row in enumerate(board.rows):
        whole *= row[i]
    return whole


def _rule(data: Data) -> tuple[int, int]:
    """The entry on the diagonal, and the product of those beside it."""
    return data.rows[1][1], data.rows[0][1] * data.rows[1][0]


def _banded(data: Data) -> list[int]:
    """The determinants of the first 0, 1, 2, ... rows and columns, where there are three diagonals."""
    middle, less = _rule(data)
    values = [1, data.rows[0][0]]
    while data.banded and len(values) <= len(data.rows):
        values.append(middle * values[-1] - less * values[-2])
    return values


_ANSWER = Integer()
_ONE = Line("The first row and column alone have the determinant {value}.")
_NEXT = Line("The first {size} rows and columns: by the last row, ({middle})*({last}) - ({less})*({before}) = {value}.")
_DIAGONAL = Line("There are zeros below the diagonal now, after {swaps} swaps that turn the sign each: the diagonal is {product}.")
_LAST = "The determinant is "

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
    concept="Adding a multiple of a row to another changes nothing, a swap turns the sign; below zeros only the diagonal counts.",
)
