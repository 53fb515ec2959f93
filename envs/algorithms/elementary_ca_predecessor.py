"""Find a row of cells that a simple rule turns into a given row.

Any such row is accepted; at the hard end the rule is applied several times. On the upper levels most rows that come before the given one have themselves
nothing that comes before them, so that going back step by step runs into dead ends.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.draws import sample_hard
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Solution, Step

BEFORE = Step("What can stand before {row}, from left to right: {pairs}")
CLOSING = "Choosing values that fit together in each row gives {answer}"


TRIES = 16
TOO_MANY = 4
MOST_ROWS = 400
FLIPPED = str.maketrans("01", "10")


class Knobs(Config):
    cells: int = knob(12, easy=5, hard=34, beyond=38, doc="cells in the row")
    steps: int = knob(1, easy=1, hard=3, doc="how many times the rule is applied")
    edge: str = knob("ring", easy="zeros", hard="ring", order=("zeros", "ring"), doc="beyond the ends are zeros, or the row is a ring")
    rows: int = knob(
        2,
        easy=1,
        hard=60,
        beyond=200,
        scale="log",
        doc="rows that going back step by step looks at: from so many to four times as many, if one of 16 draws with several steps has it",
    )


class Data(TaskData):
    rule: int
    steps: int
    ring: bool
    row: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_hard(rng, knobs, totalistic=False)


def _sample_hard(rng: Rng, knobs: Knobs, totalistic: bool) -> Task[Data]:
    tries = TRIES if knobs.steps > 1 else 1

    def measure(task: Task[Data]) -> int:
        # More rows than that could not be tried by hand.
        rows = _count_rows(task.data, TOO_MANY * knobs.rows)
        return rows if rows < TOO_MANY * knobs.rows else 1

    return sample_hard(lambda: _sample_task(rng, knobs, totalistic), measure, knobs.rows, tries)


def _count_rows(data: Data, most: int) -> int:
    """How many rows are looked at when each row before is tried in turn, in the better of two orders; counted up to `most`."""

    def count(falling: bool) -> int:
        looked_at, stack = 0, [(_predecessors(data.model_copy(update={"steps": 1}), falling), 1)]
        while stack and looked_at < most:
            before, depth = stack[-1]
            row = next(before, None)
            if row is None:
                stack.pop()
                continue
            looked_at += 1
            if depth == data.steps:
                break
            stack.append((_predecessors(data.model_copy(update={"steps": 1, "row": row}), falling), depth + 1))
        return looked_at

    return min(count(False), count(True))


def _sample_task(rng: Rng, knobs: Knobs, totalistic: bool) -> Task[Data]:
    ring = knobs.edge == "ring"
    while True:
        rule = rng.integer(1, 254)
        if totalistic:
            values = rng.integer(1, 14)
            rule = sum((values >> triple.bit_count() & 1) << triple for triple in range(8))
        ones = sum(rule >> triple & 1 for triple in range(8))
        before = "".join(rng.choice("01") for _ in range(knobs.cells))
        row = _repeat_rule(rule, before, knobs.steps, ring)
        lazy = (row, row[::-1], row[1:] + row[0], row[-1] + row[:-1], row.translate(FLIPPED), "0" * knobs.cells, "1" * knobs.cells)
        if any(_repeat_rule(rule, each, knobs.steps, ring) == row for each in lazy):
            continue
        # Rules that forget nearly everything, or only move the row, would make the task a matter of copying.
        if 3 <= ones <= 5 and rule not in (51, 204, 170, 85, 240, 15) and 0.2 < row.count("1") / len(row) < 0.8 and row != before:
            break
    data = Data(rule=rule, steps=knobs.steps, ring=ring, row=row)
    listing = "\n".join(f"{triple:03b} -> {rule >> triple & 1}" for triple in range(7, -1, -1))
    edge = "The row is a ring: the first and the last cell are neighbours." if ring else "Beyond both ends of the row, cells are always 0."
    times = "once" if knobs.steps == 1 else f"{knobs.steps} times in a row"
    prompt = (
        f"A row of {knobs.cells} cells holds 0s and 1s. All cells change at the same time: the new value of a cell depends on its left neighbour, itself and "
        f"its right neighbour, in this order, as they were before:\n{listing}\n{edge}\n\n"
        f"Find a row that becomes this row when the rule is applied {times}:\n{row}"
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rules that depend only on how many of the three cells hold a 1 (totalistic rules)."""
    return _sample_hard(rng, knobs, totalistic=True)


def solve(task: Task[Data]) -> str:
    return next(_predecessors(task.data, False))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) != len(data.row) or answer.strip("01"):
        return Score.wrong(f"the answer must have {len(data.row)} cells, each 0 or 1")
    row = _repeat_rule(data.rule, answer, data.steps, data.ring)
    differing = sum(a != b for a, b in zip(row, data.row, strict=True))
    return Score.exact(not differing, f"the row becomes one that differs in {differing} cells")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    flipped = right.translate(str.maketrans("01", "10"))
    return [data.row, _apply_rule(data.rule, data.row, data.ring), flipped, right[::-1], right[:-1], "0" * len(right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.row) * 8 ** (data.steps - 1) * (4 if data.ring else 1)) * (1 + _count_rows(data, MOST_ROWS) / 10)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    rows = [solve(task)]
    for _ in range(data.steps):
        rows.append(_apply_rule(data.rule, rows[-1], data.ring))
    for row in rows[:0:-1]:
        yield BEFORE(row=row, pairs=_possible_pairs(data, row))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    rows: list[str] = []

    def comes_before(row: str, pairs: str) -> bool:
        follows = len(row) == len(data.row) and _apply_rule(data.rule, row, data.ring) == rows[-1] if rows else row == data.row
        rows.append(row)
        return follows and pairs == _possible_pairs(data, row)

    return {BEFORE: comes_before}


def _repeat_rule(rule: int, row: str, steps: int, ring: bool) -> str:
    for _ in range(steps):
        row = _apply_rule(rule, row, ring)
    return row


def _apply_rule(rule: int, row: str, ring: bool) -> str:
    wide = row[-1] + row + row[0] if ring else f"0{row}0"
    return "".join("1" if rule >> int(wide[i : i + 3], 2) & 1 else "0" for i in range(len(row)))


def _possible_pairs(data: Data, row: str) -> str:
    """For each pair of neighbouring cells of the row before, the values that the row so far allows from one side."""
    pairs = ["00", "01", "10", "11"] if data.ring else ["00", "01"]
    sentences = []
    for i, cell in enumerate(row[:-1], 1):
        pairs = sorted({pair[1] + third for pair in pairs for third in "01" if str(data.rule >> int(pair + third, 2) & 1) == cell})
        sentences.append(f"cells {i} and {i + 1} can be {' or '.join(pairs)}")
    return "; ".join(sentences)


def _predecessors(data: Data, falling: bool) -> Iterator[str]:
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
    follower_bits = 0
    for c in range(heights):
        column = sum((data.rule >> ((a >> t & 1) * 4 + (b >> t & 1) * 2 + (c >> t & 1)) & 1) << t for t in range(data.steps))
        if column == b >> 1 | cell << data.steps - 1:
            follower_bits |= 1 << b * heights + c
    return follower_bits


def _other_answers(task: Task[Data]) -> Iterator[str]:
    return _predecessors(task.data, True)


environment = Environment(
    Knobs, Text("the row of 0s and 1s", ignore_spaces=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Go through the row keeping every pair of values that two neighbouring cells can have had, and then choose backwards what fits together.",
    version=4,
)  # fmt: skip
