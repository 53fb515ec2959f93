"""Give the rows of a table on which two similar SQLite queries give different results.

Any rows that fit the table and make the results differ are accepted.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.databases.hidden_databases import mutants
from rlgym.generators.databases.parent_child import SETTINGS, Database, Record, database, render_rows, render_schema
from rlgym.generators.databases.questions import question
from rlgym.generators.databases.sql_verdicts import tables
from rlgym.generators.tables.clauses import clauses
from rlgym.sandbox.sqlite import run_query, same_rows
from rlgym.solutions import Derivation, Solution, Step

TRIES = 40
CHANGED = Step("Query 1 has {first} where query 2 has {second}")
RESULT = Step("On the rows of the answer, query {number:int} returns these rows, {count:int} in number: {rows}")
END = "The results differ, so these rows will do:\n{answer}"


class Knobs(Config):
    tier: int = knob(3, easy=1, hard=5, doc="kind of query, from one table to windows and pairs")
    conditions: int = knob(1, easy=1, hard=3, doc="conditions on the rows that count")
    parents: int = knob(4, easy=3, hard=8, doc="rows of the first table, which is given")
    spare: int = knob(3, easy=6, hard=0, doc="rows allowed beyond those of the shortest answer that was found")


class Data(TaskData):
    setting: int
    parents: tuple[Record, ...]
    first: str
    second: str
    ordered: bool
    most: int
    free: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    setting = SETTINGS[number]
    rows: tuple[Record, ...] | None = None
    while rows is None:
        drawn = question(rng, setting, knobs.tier, knobs.conditions)
        other = rng.choice(mutants(drawn.sql) or [drawn.sql])
        parents = database(rng, setting, knobs.parents, 1, 0).parents
        sql_a, two = (drawn.sql, other) if rng.chance(0.5) else (other, drawn.sql)
        data = Data(setting=number, parents=parents, first=sql_a, second=two, ordered=drawn.ordered, most=99, free=rng.integer(1, 9000))
        rows = next(_answers(data), None)
    data = data.model_copy(update={"most": len(rows) + knobs.spare})
    kinds = ", ".join(setting.kinds[:5])
    prompt = (
        f"A SQLite database has these tables:\n\n{render_schema(setting)}\n\n"
        f"{render_rows(setting, Database(parents=parents, children=())).split(chr(10) + chr(10))[0]}\n\n"
        f"Query 1:\n{data.first}\n\nQuery 2:\n{data.second}\n\n"
        f"Give rows for the table {setting.children} on which the two queries give different results "
        f"({'the order of the rows counts' if data.ordered else 'the order of the rows does not count'}). "
        f"Use {'1 row' if data.most == 1 else f'1 to {data.most} rows'}; the ids are different integers from {data.free} to {data.free + 19}, "
        f"{setting.link} is the id of one of the {setting.parents} above, {setting.kind} is one of {kinds}, "
        f"{setting.amount} is an integer from 0 to 1000 or NULL, and {setting.when} is an integer from 0 to 1000."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[tuple[str, ...], ...]:
    return next(iter(_find(task)))


def verify(task: Task[Data], answer: tuple[tuple[str, ...], ...]) -> Score:
    rows: list[Record] = []
    if len(answer) > task.data.most:
        return Score.wrong(f"{len(answer)} rows are more than the {task.data.most} allowed")
    for cells in answer:
        row = _row(task.data, cells)
        if row is None:
            return Score.wrong(f"the row {' '.join(cells)[:60]!r} does not fit the table")
        rows.append(row)
    if len({row[0] for row in rows}) < len(rows):
        return Score.wrong("two rows have the same id")
    return Score.exact(_differ(task.data, tuple(rows)), "both queries give the same result on these rows")


def mistakes(task: Task[Data], right: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    link = str(len(task.data.parents) + 1)
    key, _, *rest = right[0]
    return [((key, link, *rest),), (right[0], right[0]), tuple(row[:4] for row in right)]


def cost(task: Task[Data]) -> float:
    length = len(task.data.first) + len(task.data.second)
    return length * (2 + len(task.data.parents)) / 10


def derive(task: Task[Data]) -> Derivation:
    """The clauses that differ, and what both queries return on the rows of the answer."""
    data = task.data
    one, two = dict(clauses(data.first)), dict(clauses(data.second))
    for keyword in dict.fromkeys([*one, *two]):
        if one.get(keyword) != two.get(keyword):
            yield CHANGED(first=one.get(keyword, f"no {keyword}"), second=two.get(keyword, f"no {keyword}"))
    rows = tuple(row for cells in solve(task) if (row := _row(data, cells)))
    made = tables(SETTINGS[data.setting], Database(parents=data.parents, children=rows))
    for number, query in enumerate((data.first, data.second), 1):
        found = ["-".join("NULL" if cell is None else str(cell) for cell in row) for row in run_query(made, query)]
        yield RESULT(number=number, count=len(found), rows=", ".join(found) or "none")


def _row(data: Data, cells: tuple[str, ...]) -> Record | None:
    if len(cells) != 5 or cells[2] not in SETTINGS[data.setting].kinds[:5]:
        return None
    numbers = [cells[0], cells[1], cells[4], *([cells[3]] if cells[3].upper() != "NULL" else [])]
    if not all(text.isascii() and text.isdigit() and len(text) < 6 for text in numbers):
        return None
    key, link, when, *amount = map(int, numbers)
    fits = data.free <= key <= data.free + 19 and 1 <= link <= len(data.parents) and when <= 1000 and all(value <= 1000 for value in amount)
    return (key, link, cells[2], amount[0] if amount else None, when) if fits else None


def _differ(data: Data, children: tuple[Record, ...]) -> bool:
    table_data = tables(SETTINGS[data.setting], Database(parents=data.parents, children=children))
    rows_a, two = run_query(table_data, data.first), run_query(table_data, data.second)
    return not same_rows(rows_a, two, ordered=data.ordered)


def _answers(data: Data) -> Iterator[tuple[Record, ...]]:
    """Telling rows among small random tables, cut down row by row. The stream is fixed by the task alone."""
    rng = Rng("counterexample", data.first, data.second, len(data.parents))
    for size in range(TRIES):
        drawn = database(rng, SETTINGS[data.setting], len(data.parents), 2 + size // 4, 15).children
        children = tuple((data.free + i, *row[1:]) for i, row in enumerate(drawn))
        if _differ(data, children):
            for row in children:
                fewer = tuple(other for other in children if other is not row)
                if fewer and _differ(data, fewer):
                    children = fewer
            yield children


def _find(task: Task[Data]) -> Iterator[tuple[tuple[str, ...], ...]]:
    for rows in _answers(task.data):
        if len(rows) <= task.data.most:
            yield tuple(tuple("NULL" if cell is None else str(cell) for cell in row) for row in rows)


environment = Environment(
    Knobs,
    Grid("the rows, one per line, with the values of each row in the order of the columns, separated by spaces; text without quotes, NULL for a null value"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    answers="many", solutions=_find,
    shared_helpers="The helper writes the schema of the tables.",
    concept="Find the clause in which the queries differ, and a row that this clause treats differently.",
    version=3,
)  # fmt: skip
