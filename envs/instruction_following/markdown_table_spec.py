"""Write a Markdown table of given records exactly as specified: columns, headers, alignment, order, a filter, a computed column, totals."""

import re
from collections.abc import Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

Table = tuple[tuple[str, ...], ...]
FIELDS = ("stock", "price", "weight", "height", "age", "rank")
ALIGNS = {"left": ":---", "right": "---:", "centre": ":---:"}
WAYS = ("plain", "sorted", "computed")
ROW = Step("Row {row:int} of the table is {cells:words}")


class Knobs(Config):
    records: int = knob(6, easy=2, hard=16, doc="records")
    fields: int = knob(3, easy=2, hard=6, doc="numbers of a record")
    way: str = knob(
        "sorted", easy="plain", hard="computed", order=WAYS, doc="a plain table, sorted and filtered, or with computed cells too"
    )


class Data(TaskData):
    records: tuple[tuple[str, tuple[int, ...]], ...]
    columns: tuple[int, ...]
    """Which numbers are shown, in order; the name comes first."""
    headers: tuple[str, ...]
    aligns: tuple[str, ...]
    sort: int
    """The number that is sorted by, -1 for the order in which records are given."""
    down: bool
    least: tuple[int, int]
    """A number and what it must be at least; (-1, 0) for no filter."""
    product: tuple[int, int]
    """The two numbers whose product is the last column; (-1, -1) for none."""
    totals: bool
    turned: bool
    right: tuple[tuple[str, ...], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, turned=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The table lies on its side: a column for each record, a row for each number."""
    return _sample_task(rng, knobs, turned=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # The place of each record is the number of those that go before it; `generate` sorts them.
    data = task.data
    kept = [(i, record) for i, record in enumerate(data.records) if data.least[0] < 0 or record[1][data.least[0]] >= data.least[1]]

    def goes_before(first: tuple[int, tuple[str, tuple[int, ...]]], second: tuple[int, tuple[str, tuple[int, ...]]]) -> bool:
        if data.sort < 0:
            return first[0] < second[0]
        a, b = first[1][1][data.sort], second[1][1][data.sort]
        return first[1][0] < second[1][0] if a == b else (a > b) == data.down

    places = {sum(goes_before(other, entry) for other in kept): entry[1] for entry in kept}
    rows = [data.headers]
    for place in range(len(kept)):
        name, numbers = places[place]
        product = [numbers[data.product[0]] * numbers[data.product[1]]] if data.product[0] >= 0 else []
        rows.append((name, *map(str, [*(numbers[column] for column in data.columns), *product])))
    if data.totals:
        rows.append(("total", *(str(sum(int(row[k]) for row in rows[1:])) for k in range(1, len(data.headers)))))
    if data.turned:
        rows = [tuple(row[k] for row in rows) for k in range(len(data.headers))]
    aligns = [ALIGNS[data.aligns[min(k, len(data.aligns) - 1)]] for k in range(len(rows[0]))]
    return tuple(f"| {' | '.join(row)} |" for row in [rows[0], tuple(aligns), *rows[1:]])


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.right
    if len(answer) != len(right) + 1 or len(answer) < 2 or not all(len(line) > 1 and line[0] == line[-1] == "|" for line in answer):
        return Score.wrong("there is a row too many or too few, or one that does not begin and end with a bar")
    rows = [tuple(cell.strip() for cell in line[1:-1].split("|")) for line in answer]
    if len(rows[1]) != len(right[0]) or [_align(cell) for cell in rows[1]] != _aligns(task.data):
        return Score.wrong("the second row does not align the columns as asked for")
    wrong = sum(row != expected for row, expected in zip([rows[0], *rows[2:]], right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the rows are wrong")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    loose = solve(Task(task.prompt, data.model_copy(update={"sort": -1, "least": (-1, 0)})))
    side = solve(Task(task.prompt, data.model_copy(update={"turned": not data.turned})))
    plain = (right[0], re.sub(":", "-", right[1]), *right[2:])
    return [loose, side, plain, right[:-1], (right[0], *right[2:]), (*right, right[-1]), tuple(line.strip("| ") for line in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    size = len(data.records) * len(data.headers)
    return float(
        size
        + 2 * len(data.records) * ((data.sort >= 0) + (data.least[0] >= 0))
        + 2 * len(data.records) * (data.product[0] >= 0)
        + size * data.totals
    )


def derive(task: Task[Data]) -> Derivation:
    lines = solve(task)
    rows = [line.strip("| ").split(" | ") for line in (lines[0], *lines[2:])]
    for number, row in enumerate(_table(task.data), 1):
        yield ROW(row=number, cells=row).accepting(partial(_is_row, rows, number))


def _is_row(rows: Sequence[list[str]], due: int, /, row: int, cells: tuple[str, ...]) -> bool:
    return row == due and list(cells) == rows[due - 1]


def _sample_task(rng: Rng, knobs: Knobs, turned: bool) -> Task[Data]:
    numbers, level = range(knobs.fields), WAYS.index(knobs.way)
    names = rng.sample(WORDS, knobs.records + knobs.fields + 2)
    records = tuple((name, tuple(rng.integer(2, 60) for _ in numbers)) for name in names[: knobs.records])
    columns = tuple(rng.sample(numbers, rng.integer(max(1, knobs.fields - 1), knobs.fields)))
    sort, by = (rng.choice(numbers), rng.choice(numbers)) if level else (-1, -1)
    values = sorted(numbers[by] for _, numbers in records) if level else [0]
    factor_a, two = rng.sample(numbers, 2)
    headers = tuple(names[knobs.records : knobs.records + len(columns) + 1 + (level > 1)])
    data = Data(
        records=records,
        columns=columns,
        headers=headers,
        aligns=tuple(rng.choice(tuple(ALIGNS)) for _ in range(2 if turned else len(headers))),
        sort=sort,
        down=rng.chance(0.5),
        least=(by, values[len(values) // 4 + (len(values) > 3)]) if level else (-1, 0),
        product=(factor_a, two) if level > 1 else (-1, -1),
        totals=level > 1,
        turned=turned,
        right=(),
    )
    data = data.model_copy(update={"right": _table(data)})
    return Task(_render_prompt(data), data)


def _table(data: Data) -> Table:
    """The cells of the table, headers first, without the row of dashes."""
    kept = [record for record in data.records if data.least[0] < 0 or record[1][data.least[0]] >= data.least[1]]
    if data.sort >= 0:
        kept.sort()
        kept.sort(key=lambda record: -record[1][data.sort] if data.down else record[1][data.sort])
    factor_a, two = data.product
    cells = [[*(numbers[k] for k in data.columns), *([numbers[factor_a] * numbers[two]] if factor_a >= 0 else [])] for _, numbers in kept]
    rows = [data.headers, *((record[0], *map(str, row)) for record, row in zip(kept, cells, strict=True))]
    if data.totals:
        rows.append(("total", *(str(sum(column)) for column in zip(*cells, strict=True))))
    return tuple(zip(*rows, strict=True)) if data.turned else tuple(rows)


def _aligns(data: Data) -> list[str]:
    return [data.aligns[min(k, len(data.aligns) - 1)] for k in range(len(data.right[0]))]


def _align(cell: str) -> str:
    """How a cell of the row of dashes aligns its column; empty for one that is no such cell."""
    if not re.fullmatch(":?-+:?", cell) or len(cell) < 3 or ":" not in cell:
        return ""
    return "centre" if cell[0] == cell[-1] else "left" if cell[0] == ":" else "right"


def _render_prompt(data: Data) -> str:
    listed = "\n".join(
        f"- {name}: {', '.join(f'{field} {n}' for field, n in zip(FIELDS, numbers, strict=False))}" for name, numbers in data.records
    )
    parts = ["the name", *(f"the {FIELDS[k]}" for k in data.columns)]
    if data.product[0] >= 0:
        parts.append(f"the {FIELDS[data.product[0]]} times the {FIELDS[data.product[1]]}")
    line = "row" if data.turned else "column"
    shown = ", ".join(f'{part} with the header "{header}"' for part, header in zip(parts, data.headers, strict=True))
    clauses = [f"These are its {line}s, in this order: {shown}."]
    if data.turned:
        clauses.append(
            "The headers are in the first column, and each record is a further column; the row of names is the first row of the table."
        )
        clauses.append(f"The first column is aligned {data.aligns[0]}, all others {data.aligns[1]}.")
    else:
        clauses.append(f"The columns are aligned, in this order: {', '.join(data.aligns)}.")
    if data.least[0] >= 0:
        clauses.append(f"Only records with {FIELDS[data.least[0]]} {data.least[1]} or more are in it.")
    order = "in the order given above"
    if data.sort >= 0:
        order = f"by {FIELDS[data.sort]}, the {'largest' if data.down else 'smallest'} first, equal ones in alphabetical order of the names"
    clauses.append(f"The records are sorted {order}.")
    if data.totals:
        clauses.append(
            f'After the records there is one more {"column" if data.turned else "row"} with "total" for the name and, in every other '
            f"{'row, the sum of the numbers to its left' if data.turned else 'column, the sum of the numbers above it'}."
        )
    return (
        f"Records:\n{listed}\n\nWrite a Markdown table of them. {' '.join(clauses)} Below the first row comes the row of dashes, each cell with three "
        "characters or more, colons included: a colon before the dashes for left, after them for right, at both ends for centre. Each row begins and "
        "ends with a bar."
    )


environment = Environment(
    Knobs, Lines("the rows of the table, one below the other", max_items=100), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The whole table:\n{answer}", whole=True),
    concept="Choose and order the records first, then write each with the columns in the order asked for, and add up only what is in the table.",
    version=4,
)  # fmt: skip
