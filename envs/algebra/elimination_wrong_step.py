"""Find the first wrong step of an elimination of unknowns, and give the row that should stand there.

In the shifted family every entry is computed correctly, but one step uses an outdated row.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import gcd
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.algebra import eliminations
from rlgym.generators.draws import draw_short
from rlgym.solutions import Checks, Derivation, Solution, Step

Row = tuple[int, ...]
ANSWER = Numbers("the number of the step and then the entries of the correct row, all separated by commas", max_items=40)
RIGHT = Step("Step {k:int}: {p:int} times row {i:int} plus ({q:int}) times row {j:int} is {row}, as it says.")
WRONG = Step("Step {k:int}: {p:int} times row {i:int} plus ({q:int}) times row {j:int} is {row}, and not what it says.")
CLOSING = "So the answer is {answer}"
LONG = 10**6  # numbers of the matrix stay below
CONCEPT = "Work out every step from the rows as they stand at that point, and compare entry by entry."


class Operation(NamedTuple):
    """Row `target` becomes `p` times itself plus `q` times row `source`; `row` is the stated result."""

    target: int
    source: int
    p: int
    q: int
    row: Row


class Knobs(Config):
    size: int = knob(4, easy=3, hard=7, doc="rows of the matrix")
    largest: int = knob(5, easy=4, hard=7, doc="largest entry at the beginning")
    slip: str = knob(
        "sign", easy="sign", hard="small", order=("sign", "small"), doc="a product with the wrong sign, or a number that is 1 off"
    )


class Data(TaskData):
    rows: tuple[Row, ...]
    told: tuple[Operation, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_task(rng, knobs, False), solve)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One step uses an outdated row."""
    return draw_short(lambda: _sample_task(rng, knobs, True), solve)


def solve(task: Task[Data]) -> Row:
    return next((k, *right) for k, (step, right) in enumerate(_with_right_rows(task.data), 1) if step.row != right)


def verify(task: Task[Data], answer: Row) -> Score:
    right = solve(task)
    if len(answer) != len(right):
        return Score.wrong(f"give the number of a step and {len(right) - 1} entries")
    if answer[0] != right[0]:
        return Score.wrong("that is not the first wrong step")
    return Score.exact(answer == right, "another row should stand there")


def mistakes(task: Task[Data], right: Row) -> list[Row]:
    stated = task.data.told[right[0] - 1].row
    last = len(task.data.told)
    other = right[0] + 1 if right[0] < last else right[0] - 1
    return [
        (right[0], *stated),
        (other, *right[1:]),
        (right[0], *(-a for a in right[1:])),
        right[1:],
        (right[0],),
        (other, *task.data.told[other - 1].row),
    ]


def cost(task: Task[Data]) -> float:
    return solve(task)[0] * len(task.data.rows[0]) + sum(len(str(tuple(step))) for step in task.data.told)


def derive(task: Task[Data]) -> Derivation:
    for k, (step, right) in enumerate(_with_right_rows(task.data), 1):
        template = RIGHT if step.row == right else WRONG
        yield template(k=k, p=step.p, i=step.target + 1, q=step.q, j=step.source + 1, row=eliminations.format_row(right))
        if step.row != right:
            return


def checks(task: Task[Data]) -> Checks:
    steps = list(_with_right_rows(task.data))

    def judged(same: bool, k: int, p: int, i: int, q: int, j: int, row: str) -> bool:
        step, right = steps[k - 1]
        operands = k > 0 and step[:4] == (i - 1, j - 1, p, q)
        return operands and row == eliminations.format_row(right) and same == (step.row == right)

    return {RIGHT: partial(judged, True), WRONG: partial(judged, False)}


def _sample_task(rng: Rng, knobs: Knobs, stale: bool) -> Task[Data]:
    def write(before: Row, now: Row, pivot: Row, p: int, q: int, column: int) -> Row:
        return _combine(before, pivot, p, q) if stale else _sample_slip(rng, knobs, now, pivot, p, q, column)

    while True:
        rows = [tuple(row) for row in eliminations.sample_matrix(rng, knobs.size, knobs.size + 1, knobs.largest)]
        plan = [(column, i) for column in range(knobs.size - 1) for i in range(column + 1, knobs.size)]
        plan = plan[: len(_eliminate(rows, plan))]
        if len(plan) < knobs.size:
            continue
        chosen = rng.integer(knobs.size - 1 if stale else 0, len(plan) - 1)
        steps = _eliminate(rows, plan, chosen, write)
        data = Data(rows=tuple(rows), told=tuple(steps))
        if len(steps) > chosen and any(step.row != right for step, right in _with_right_rows(data)):
            break
    listing = "\n".join(
        f"{k}. Replace row {i + 1} by {_multiple(p, i)} {'plus' if q > 0 else 'minus'} {_multiple(abs(q), j)}: {eliminations.format_row(row)}"
        for k, (i, j, p, q, row) in enumerate(steps, 1)
    )
    prompt = (
        f"The rows of this matrix are changed step by step:\n{eliminations.format_matrix(rows)}\n\n{listing}\n\n"
        "Each step uses the rows as the previous steps left them. Find the first step whose result is wrong. Give the number of that step, "
        "followed by the entries of the correct row."
    )
    return Task(prompt, data)


def _eliminate(
    rows: Sequence[Row],
    plan: Sequence[tuple[int, int]],
    chosen: int = -1,
    write: Callable[[Row, Row, Row, int, int, int], Row] | None = None,
) -> list[Operation]:
    """The steps of an elimination of (column, row) after (column, row), as long as their numbers are short.

    What stands at the step `chosen` is written by `write` (the row before its last change, the row now, the row of the pivot, p, q, column).
    """
    now, before = list(rows), list(rows)
    steps: list[Operation] = []
    for k, (column, i) in enumerate(plan):
        common = gcd(now[column][column], now[i][column]) or 1
        p, q = now[column][column] // common, -now[i][column] // common
        if not p or not q:
            return []
        row = write(before[i], now[i], now[column], p, q, column) if write and k == chosen else _combine(now[i], now[column], p, q)
        if max(map(abs, (*row, p, q))) >= LONG:
            break
        steps.append(Operation(i, column, p, q, row))
        before[i], now[i] = now[i], row
    return steps


def _multiple(factor: int, row: int) -> str:
    return f"row {row + 1}" if factor == 1 else f"{factor} times row {row + 1}"


def _combine(left: Row, right: Row, p: int, q: int) -> Row:
    return tuple(p * a + q * b for a, b in zip(left, right))


def _sample_slip(rng: Rng, knobs: Knobs, first: Row, second: Row, p: int, q: int, column: int) -> Row:
    """The combination with one entry wrong, right of the column that becomes 0."""
    place = rng.integer(column + 1, len(first) - 1)
    right = _combine(first, second, p, q)
    wrong = p * first[place] - q * second[place]
    if knobs.slip == "small" or wrong == right[place]:
        wrong = right[place] + rng.choice((-1, 1))
    return (*right[:place], wrong, *right[place + 1 :])


def _with_right_rows(data: Data) -> Iterator[tuple[Operation, Row]]:
    """Each step with the row that it should give when the steps before are taken as they are written."""
    rows = list(data.rows)
    for step in data.told:
        yield step, _combine(rows[step.target], rows[step.source], step.p, step.q)
        rows[step.target] = step.row


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING, checks), shift=shift, concept=CONCEPT,
    version=6,
)  # fmt: skip
