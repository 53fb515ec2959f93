"""Find a row of cells that a simple rule turns into a given row.

Any such row is accepted; at the hard end the rule is applied several times.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.bits import places
from rlgym.generators.steps import Line, ended, first_wrong

BEFORE = Line("What can stand before {row}, from left to right: {told}")


class Knobs(Config):
    cells: int = knob(12, easy=5, hard=34, doc="cells in the row")
    steps: int = knob(1, easy=1, hard=3, doc="how many times the rule is applied")
    edge: str = knob("ring", easy="zeros", hard="ring", order=("zeros", "ring"), doc="beyond the ends are zeros, or the row is a ring")


class Data(TaskData):
    rule: int
    steps: int
    ring: bool
    row: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    ring = knobs.edge == "ring"
    while True:
        rule = rng.integer(1, 254)
        ones = sum(rule >> triple & 1 for triple in range(8))
        before = row = "".join(rng.choice("01") for _ in range(knobs.cells))
        for _ in range(knobs.steps):
            row = _next(rule, row, ring)
        # Rules that forget nearly everything, or only move the row, would make the task a matter of copying.
        if 3 <= ones <= 5 and rule not in (51, 204, 170, 85, 240, 15) and 0.2 < row.count("1") / len(row) < 0.8 and row != before:
            break
    data = Data(rule=rule, steps=knobs.steps, ring=ring, row=row)
    listing = "\n".join(f"{triple:03b} -> {rule >> triple & 1}" for triple in range(7, -1, -1))
    edge = (
        "The row is a ring: the first and the last cell are neighbours."
        if ring
        else "Beyond both ends of the row stand cells that are always 0."
    )
    times = "once" if knobs.steps == 1 else f"{knobs.steps} times in a row"
    prompt = (
        f"A row of {knobs.cells} cells holds 0s and 1s. All cells change at the same time: the new value of a cell depends on its left neighbour, itself and "
        f"its right neighbour, in this order, as they were before:\n{listing}\n{edge}\n\n"
        f"Find a row that becomes this row when the rule is applied {times}:\n{row}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    return next(_starts(task.data, False))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) != len(data.row) or answer.strip("01"):
        return Score.wrong(f"the answer must have {len(data.row)} cells, each 0 or 1")
    row = answer
    for _ in range(data.steps):
        row = _next(data.rule, row, data.ring)
    differing = sum(a != b for a, b in zip(row, data.row, strict=True))
    return Score.exact(not differing, f"the row becomes one that differs in {differing} cells")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    flipped = right.translate(str.maketrans("01", "10"))
    return [data.row, _next(data.rule, data.row, data.ring), flipped, right[::-1], right[:-1], "0" * len(right)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.row) * 8 ** (task.data.steps - 1) * (4 if task.data.ring else 1))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    rows = [right]
    for _ in range(data.steps):
        rows.append(_next(data.rule, rows[-1], data.ring))
    steps = []
    for row in rows[:0:-1]:
        left = [f"cells {i} and {i + 1} can be {' or '.join(pairs)}" for i, pairs in _possible(data, row)]
        steps.append(BEFORE.write(row=row, told="; ".join(left)))
    return [*steps, f"Choosing values that fit together in each row gives {right}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    rows: list[str] = []

    def follows(step: str) -> bool:
        read = BEFORE.read(step)
        if not read:
            return False
        row = read["row"]
        known = row == data.row if not rows else len(row) == len(data.row) and _next(data.rule, row, data.ring) == rows[-1]
        rows.append(row)
        ends = {a + b for a in ("01" if data.ring else "0") for b in "01"}
        told = []
        for i, cell in enumerate(row[:-1], 1):
            triples = [pair + third for pair in ends for third in "01" if data.rule >> int(pair + third, 2) & 1 == int(cell)]
            ends = {triple[1:] for triple in triples}
            told.append(f"cells {i} and {i + 1} can be {' or '.join(sorted(ends))}")
        return known and read["told"] == "; ".join(told)

    return first_wrong(
        steps,
        follows,
        ended("Choosing values that fit together in each row gives ", task, environment.answer, verify),
    )


def _next(rule: int, row: str, ring: bool) -> str:
    wide = row[-1] + row + row[0] if ring else f"0{row}0"
    return "".join("1" if rule >> int(wide[i : i + 3], 2) & 1 else "0" for i in range(len(row)))


def _possible(data: Data, row: str) -> list[tuple[int, list[str]]]:
    """For each pair of neighbouring cells of the row before, the values that the row so far allows from one side."""
    pairs = ["00", "01", "10", "11"] if data.ring else ["00", "01"]
    told = []
    for i, cell in enumerate(row[:-1]):
        pairs = sorted({pair[1] + third for pair in pairs for third in "01" if str(data.rule >> int(pair + third, 2) & 1) == cell})
        told.append((i + 1, pairs))
    return told


def _starts(data: Data, falling: bool) -> Iterator[str]:
    """Every row that becomes the given one, column by column, where a column holds a cell's values at all times before the end."""
    heights = 1 << data.steps
    followers = [[_followers(data, a, b, cell) for a in range(heights) for b in range(heights)] for cell in (0, 1)]
    cells = [int(cell) for cell in data.row]
    open_end = sum(1 << a * heights for a in range(heights))
    firsts = range(heights * heights) if data.ring else range(heights)
    for first in reversed(firsts) if falling else firsts:
        # good[i]: the pairs of columns i-1 and i from which the row can be completed, as bits.
        good = [1 << first if data.ring else open_end]
        for cell in reversed(cells):
            good.append(sum(1 << pair for pair, after in enumerate(followers[cell]) if after & good[-1]))
        good.reverse()
        stack: list[tuple[int, ...]] = [(first,)] if good[0] >> first & 1 else []
        while stack:
            pairs = stack.pop()
            if len(pairs) > len(cells):
                yield "".join(str(pair % heights & 1) for pair in pairs[:-1])
                continue
            after = places(followers[cells[len(pairs) - 1]][pairs[-1]] & good[len(pairs)])
            stack += [(*pairs, pair) for pair in (after if falling else after[::-1])]


def _followers(data: Data, a: int, b: int, cell: int) -> int:
    """The pairs that can come after the columns a and b, as bits, where the later column ends in this cell."""
    heights = 1 << data.steps
    found = 0
    for c in range(heights):
        made = sum((data.rule >> ((a >> t & 1) * 4 + (b >> t & 1) * 2 + (c >> t & 1)) & 1) << t for t in range(data.steps))
        if made == b >> 1 | cell << data.steps - 1:
            found |= 1 << b * heights + c
    return found


def _others(task: Task[Data]) -> Iterator[str]:
    return _starts(task.data, True)


environment = Environment(
    Knobs,
    Text("the row of 0s and 1s", compact=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_others,
    concept="Go through the row keeping every pair of values that two neighbouring cells can have had, and then choose backwards what fits together.",
)
