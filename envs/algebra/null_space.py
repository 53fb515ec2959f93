"""Find a basis of all solutions of a system of linear equations whose right sides are 0.

Any basis is accepted. The shifted family asks for a basis of what two spans have in common.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Matrix
from rlgym.generators.algebra import eliminations
from rlgym.generators.algebra.eliminations import Board, Rows
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended


class Knobs(Config):
    columns: int = knob(5, easy=3, hard=8, doc="length of the vectors")
    nullity: int = knob(2, easy=1, hard=3, doc="vectors in a basis")
    largest: int = knob(3, easy=2, hard=4, doc="largest entry of the two matrices that the matrix is a product of")
    field: str = knob(
        "rational", easy="rational", hard="modulo", order=("rational", "modulo"), doc="over the rational numbers, or modulo a prime"
    )


class Data(TaskData):
    prime: int
    rows: tuple[tuple[int, ...], ...]  # where the vectors asked for give 0
    start: tuple[tuple[int, ...], ...]  # the matrix of the system to solve
    first: int  # vectors in the first span; 0: the system's solutions are asked for themselves
    size: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    prime = _prime(rng, knobs)
    rank = max(2, knobs.columns - knobs.nullity)
    rows: list[tuple[int, ...]] = []
    while not rows or eliminations.rank(rows, prime) != rank or not all(map(any, zip(*rows))):
        parts = (
            eliminations.drawn(rng, rank + rng.integer(0, 1), rank, knobs.largest),
            eliminations.drawn(rng, rank, knobs.columns, knobs.largest),
        )
        rows = [tuple(map(int, row)) for row in eliminations.product(*parts, prime)]
    size = knobs.columns - rank
    prompt = f"Find a basis of the null space of this matrix{_where(prime)}:\n{eliminations.layout(rows)}"
    return Task(prompt, Data(prime=prime, rows=tuple(rows), start=tuple(rows), first=0, size=size))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The intersection of two spans."""
    prime = _prime(rng, knobs)
    nullity = min(knobs.nullity, knobs.columns - 2)
    more = (knobs.columns - nullity) // 2
    while True:
        shared = eliminations.drawn(rng, nullity, knobs.columns, knobs.largest)
        spans = []
        for _ in range(2):
            basis = [*shared, *eliminations.drawn(rng, more, knobs.columns, knobs.largest)]
            mixed = eliminations.product(eliminations.unimodular(rng, len(basis), 3 * len(basis))[0], basis, prime)
            spans.append([tuple(map(int, row)) for row in mixed])
        ranks = [eliminations.rank(rows, prime) for rows in (*spans, [*spans[0], *spans[1]])]
        if ranks == [len(spans[0]), len(spans[1]), len(spans[0]) + more]:
            break
    rows = [eliminations.whole(row) for span in spans for row in eliminations.null_space(span, prime)]
    start = [tuple(column) for column in zip(*spans[0], *([-a for a in row] for row in spans[1]))]
    shown = "\nand U is spanned by\n".join("\n".join(map(eliminations.text, span)) for span in spans)
    prompt = f"Find a basis of what V and U have in common{_where(prime)}, where V is spanned by\n{shown}"
    return Task(prompt, Data(prime=prime, rows=tuple(rows), start=tuple(start), first=len(spans[0]), size=nullity))


def solve(task: Task[Data]) -> Rows:
    vectors = eliminations.null_space(task.data.start, task.data.prime)
    return tuple(_wanted(task.data, vector) for vector in vectors)


def verify(task: Task[Data], answer: Rows) -> Score:
    data, p = task.data, task.data.prime
    if len(answer) != data.size or len(answer[0]) != len(data.rows[0]):
        return Score.wrong("there are too many or too few vectors, or numbers in a vector")
    if p and not all(a.denominator == 1 and 0 <= a < p for vector in answer for a in vector):
        return Score.wrong(f"give numbers from 0 to {p - 1}")
    if any(map(any, eliminations.product(answer, list(zip(*data.rows)), p))):
        return Score.wrong("a vector does not belong to the space")
    return Score.exact(eliminations.rank(answer, p) == data.size, "one vector is a combination of the others")


def mistakes(task: Task[Data], right: Rows) -> list[Rows]:
    turned = tuple(vector[::-1] for vector in right)
    more = ((right[0][0] + 1, *right[0][1:]), *right[1:])
    zero = (tuple(Fraction(0) for _ in right[0]), *right[1:])
    given = tuple(eliminations.exact(task.data.start)[: len(right)])
    return [turned, more, zero, given, (*right, right[0]), *([right[1:]] if len(right) > 1 else [])]


def cost(task: Task[Data]) -> float:
    board = _board(task.data)
    return len(board.rows) * len(board.rows[0]) ** 2


def explain(task: Task[Data]) -> list[str]:
    data, board = task.data, _board(task.data)
    steps = [_START.write(rows=", ".join(map(eliminations.text, board.rows)))] if data.first else []
    board.reduce(len(data.start[0]))
    for vector in eliminations.null_space(data.start, data.prime):
        board.told.append(_SOLVES.write(vector=eliminations.text(vector)))
        if data.first:
            board.told.append(_MAKES.write(part=eliminations.text(vector[: data.first]), vector=eliminations.text(_wanted(data, vector))))
    return [*steps, *board.told, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, board = task.data, _board(task.data)
    known = eliminations.null_space(data.start, data.prime)
    said: list[Rows] = [()]

    def solves(vector: str) -> bool:
        said[0] = (*said[0], _ANSWER.parse(f"[{vector}]")[0])
        return len(said[0]) <= len(known) and said[0][-1] == known[len(said[0]) - 1]

    def makes(part: str, vector: str) -> bool:
        last = said[0][-1]
        return part == eliminations.text(last[: data.first]) and vector == eliminations.text(_wanted(data, last))

    started = (_START, lambda rows: rows == ", ".join(map(eliminations.text, board.rows)))
    claims: list[Claim] = [*board.claims(), started, (_SOLVES, solves), (_MAKES, makes)]
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _prime(rng: Rng, knobs: Knobs) -> int:
    return rng.choice((5, 7, 11)) if knobs.field == "modulo" else 0


def _where(prime: int) -> str:
    return f" modulo {prime}, with all numbers from 0 to {prime - 1}" if prime else " over the rational numbers"


def _board(data: Data) -> Board:
    board = Board(eliminations.exact(data.start), data.prime)
    board.rows = [board.cut(row) for row in board.rows]
    return board


def _wanted(data: Data, vector: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """A solution itself, or the combination of the first span's vectors that its first numbers make."""
    if not data.first:
        return tuple(vector)
    return eliminations.product([vector[: data.first]], list(zip(*(row[: data.first] for row in data.start))), data.prime)[0]


def _others(task: Task[Data]) -> list[Rows]:
    """Every vector times 2 or added to the next one."""
    right, p = solve(task), task.data.prime
    mixed = [tuple(a + b for a, b in zip(one, other)) for one, other in zip(right, (*right[1:], right[0]))]
    changed = [tuple(2 * a for a in right[0]), *(mixed[:-1] if len(right) > 1 else [])]
    return [right[::-1], tuple(tuple(a % p if p else a for a in row) for row in changed)]


_ANSWER = Matrix("the vectors of a basis as a list of rows, as in [[1, 2, 3], [0, 1, 4]]")
_START = Line("Numbers that combine the vectors of V and of U to the same vector solve the system {rows}.")
_SOLVES = Line("With one free number 1 and the others 0, {vector} solves the system.")
_MAKES = Line("Its numbers {part} for V make {vector}.")
_LAST = "A basis is "

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
    answers="many",
    solutions=_others,
    concept="Reduce the rows; each column without a leading entry is free and gives one vector of the basis.",
)
