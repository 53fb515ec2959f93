"""Find the first wrong step of an elimination of unknowns, and give the row that should stand there.

In the shifted family no entry is worked out wrongly: a step has used a row as it stood before an earlier step.
"""

from collections.abc import Iterator, Sequence
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.algebra import eliminations
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended

Row = tuple[int, ...]
Told = tuple[int, int, int, int, Row]  # the row changed, the other one, what each is multiplied by, what is said to come out


class Knobs(Config):
    size: int = knob(4, easy=3, hard=7, doc="rows of the matrix")
    largest: int = knob(5, easy=4, hard=7, doc="largest entry at the beginning")
    slip: str = knob(
        "sign", easy="sign", hard="small", order=("sign", "small"), doc="a product with the wrong sign, or a number that is 1 off"
    )


class Data(TaskData):
    rows: tuple[Row, ...]
    told: tuple[Told, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A row is used as it stood before."""
    return _made(rng, knobs, True)


def solve(task: Task[Data]) -> Row:
    return next((k, *right) for k, (told, right) in enumerate(_checked(task.data), 1) if told[4] != right)


def verify(task: Task[Data], answer: Row) -> Score:
    right = solve(task)
    if len(answer) != len(right):
        return Score.wrong(f"give the number of a step and {len(right) - 1} entries")
    if answer[0] != right[0]:
        return Score.wrong("that is not the first wrong step")
    return Score.exact(answer == right, "another row should stand there")


def mistakes(task: Task[Data], right: Row) -> list[Row]:
    said = task.data.told[right[0] - 1][4]
    last = len(task.data.told)
    other = right[0] + 1 if right[0] < last else right[0] - 1
    return [
        (right[0], *said),
        (other, *right[1:]),
        (right[0], *(-a for a in right[1:])),
        right[1:],
        (right[0],),
        (other, *task.data.told[other - 1][4]),
    ]


def cost(task: Task[Data]) -> float:
    return solve(task)[0] * len(task.data.rows[0]) + sum(len(str(told)) for told in task.data.told)


def explain(task: Task[Data]) -> list[str]:
    steps = []
    for k, (told, right) in enumerate(_checked(task.data), 1):
        i, j, p, q, said = told
        line = _RIGHT if said == right else _WRONG
        steps.append(line.write(k=k, p=p, i=i + 1, q=q, j=j + 1, row=eliminations.text(right)))
        if said != right:
            break
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    checked = list(_checked(task.data))

    def worked(same: bool, k: str, p: str, i: str, q: str, j: str, row: str) -> bool:
        told, right = checked[int(k) - 1]
        place = (int(i) - 1, int(j) - 1, int(p), int(q))
        return int(k) > 0 and told[:4] == place and row == eliminations.text(right) and same == (told[4] == right)

    claims: list[Claim] = [(_RIGHT, lambda **said: worked(True, **said)), (_WRONG, lambda **said: worked(False, **said))]
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _made(rng: Rng, knobs: Knobs, stale: bool) -> Task[Data]:
    while True:
        rows = [tuple(row) for row in eliminations.drawn(rng, knobs.size, knobs.size + 1, knobs.largest)]
        plan = [(column, i) for column in range(knobs.size - 1) for i in range(column + 1, knobs.size)]
        chosen = rng.integer(knobs.size - 1 if stale else 0, len(plan) - 1)
        now, before = list(rows), list(rows)
        told: list[Told] = []
        for k, (column, i) in enumerate(plan):
            common = gcd(now[column][column], now[i][column]) or 1
            p, q = now[column][column] // common, -now[i][column] // common
            if not p or not q:
                break
            right = _combined(now[i], now[column], p, q)
            row = right
            if k == chosen:
                row = _combined(before[i], now[column], p, q) if stale else _slipped(rng, knobs, now[i], now[column], p, q, column)
            told.append((i, column, p, q, row))
            before[i], now[i] = now[i], row
        data = Data(rows=tuple(rows), told=tuple(told))
        if len(told) == len(plan) and any(said[4] != right for said, right in _checked(data)):
            break
    listing = "\n".join(
        f"{k}. Row {i + 1} becomes {p} times row {i + 1} plus ({q}) times row {j + 1}: {eliminations.text(row)}"
        for k, (i, j, p, q, row) in enumerate(told, 1)
    )
    prompt = (
        f"Somebody changes the rows of this matrix, step by step:\n{eliminations.layout(rows)}\n\n{listing}\n\n"
        "Every step uses the rows as the steps before it have left them. Of the first step whose row does not come out as it says, "
        "give the number and then the entries of the row that should stand there, worked out from the rows as they are written."
    )
    return Task(prompt, data)


def _combined(one: Row, other: Row, p: int, q: int) -> Row:
    return tuple(p * a + q * b for a, b in zip(one, other))


def _slipped(rng: Rng, knobs: Knobs, one: Row, other: Row, p: int, q: int, column: int) -> Row:
    """The combination with one entry wrong, right of the column that becomes 0."""
    place = rng.integer(column + 1, len(one) - 1)
    right = _combined(one, other, p, q)
    wrong = p * one[place] - q * other[place]
    if knobs.slip == "small" or wrong == right[place]:
        wrong = right[place] + rng.choice((-1, 1))
    return (*right[:place], wrong, *right[place + 1 :])


def _checked(data: Data) -> Iterator[tuple[Told, Row]]:
    """Each step, and what comes out of it when the steps before are taken as they are written."""
    now = list(data.rows)
    for told in data.told:
        i, j, p, q, said = told
        yield told, _combined(now[i], now[j], p, q)
        now[i] = said


_ANSWER = Numbers("the number of the step and then the entries of the right row, all separated by commas", most=40)
_RIGHT = Line("Step {k}: {p} times row {i} plus ({q}) times row {j} is {row}, as it says.")
_WRONG = Line("Step {k}: {p} times row {i} plus ({q}) times row {j} is {row}, and not what it says.")
_LAST = "So the answer is "

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
    concept="Work out every step from the rows as they stand at that point, and compare entry by entry.",
)
