"""Work out by hand the rows that a SQLite query gives on two small tables."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.databases.parent_child import SETTINGS, Database, database, render_rows
from rlgym.generators.databases.questions import question
from rlgym.generators.databases.sql_verdicts import tables
from rlgym.generators.tables.clauses import clauses, reason
from rlgym.sandbox.sqlite import Row, run_query
from rlgym.solutions import Derivation, Solution, Step

MOST_ROWS = 14
MOST_SHOWN = 40  # rows of an intermediate table in a worked solution
LEFT = Step("{clause} gives a table of {count:int} rows: {rows}")
COLUMNS = Step("For the result of this, {clause}")
RESULT = "So the rows are:\n{answer}"


class Knobs(Config):
    tier: int = knob(3, easy=1, hard=5, doc="kind of query, from one table to windows and pairs")
    conditions: int = knob(1, easy=1, hard=2, doc="conditions on the rows that count")
    parents: int = knob(6, easy=4, hard=12, doc="rows of the first table")
    children: int = knob(12, easy=6, hard=40, doc="rows of the second table")


class Data(TaskData):
    setting: int
    database: Database
    query: str
    ordered: bool
    wanted: tuple[tuple[str, ...], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    while True:
        query = question(rng, SETTINGS[number], knobs.tier, knobs.conditions)
        drawn = database(rng, SETTINGS[number], knobs.parents, knobs.children, 10)
        rows = query.answer(drawn)
        if 0 < len(rows) <= MOST_ROWS or (len(rows) > MOST_ROWS and knobs.children > 30):
            break
    order = "Give them in the order of the query." if query.ordered else "Give them in any order."
    prompt = (
        f"{render_rows(SETTINGS[number], drawn)}\n\nWhich rows does this SQLite query return on these tables?\n\n{query.sql}\n\n"
        f"{order} A null value, if there is one, is written NULL."
    )
    data = Data(setting=number, database=drawn, query=query.sql, ordered=query.ordered, wanted=_text(rows))
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[tuple[str, ...], ...]:
    # The expected rows are computed in Python; the oracle runs the query.
    return _text(run_query(tables(SETTINGS[task.data.setting], task.data.database), task.data.query))


def verify(task: Task[Data], answer: tuple[tuple[str, ...], ...]) -> Score:
    expected = task.data.wanted
    if len(answer) != len(expected):
        return Score.wrong(f"{len(answer)} rows are not as many as the query gives")
    same = answer == expected if task.data.ordered else sorted(answer) == sorted(expected)
    return Score.exact(same, "some row is wrong, or out of order where the query orders them")


def mistakes(task: Task[Data], right: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    return [(*right, right[0]), right[1:] or (right[0], right[0]), tuple((*row, "1") for row in right)]


def cost(task: Task[Data]) -> float:
    rows = len(task.data.database.children) + len(task.data.database.parents)
    return rows * (1 + sum(task.data.query.count(word) for word in ("SELECT", "JOIN", "OVER", " AND ", "GROUP")))


def derive(task: Task[Data]) -> Derivation:
    """The tables after FROM and the joins and after WHERE, then the clauses that make the result of them."""
    data, parts = task.data, clauses(task.data.query)
    made, sources = tables(SETTINGS[data.setting], data.database), list[str]()
    for keyword, text in parts:
        if keyword in ("FROM", "JOIN", "LEFT JOIN", "WHERE"):
            sources.append(text)
            rows = _text(run_query(made, f"SELECT * {' '.join(sources)}"))
            shown = ["-".join(row) for row in rows[:MOST_SHOWN]] + ["..."] * (len(rows) > MOST_SHOWN)
            yield LEFT(clause=text, count=len(rows), rows=", ".join(shown) or "none")
        else:
            yield COLUMNS(clause=f"{text}: {reason(keyword, text)}")


def _text(rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple("NULL" if cell is None else str(cell) for cell in row) for row in rows)


def _orders(task: Task[Data]) -> list[tuple[tuple[str, ...], ...]]:
    expected = task.data.wanted
    return [expected] if task.data.ordered else [expected, expected[::-1]]


environment = Environment(
    Knobs, Grid("the rows of the result, one per line, with the values of a row separated by spaces", max_size=60),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, RESULT),
    answers="many", solutions=_orders,
    concept="Do what the query says in its own order: FROM and JOIN, WHERE, GROUP BY, HAVING, SELECT, ORDER BY, LIMIT.",
    version=3,
)  # fmt: skip
