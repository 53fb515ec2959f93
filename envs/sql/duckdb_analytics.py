"""Write one query in DuckDB's SQL for a question of analysis: lists, pivots, totals of several levels, windows, islands.

The query is run on several hidden databases, without files, settings or recursion; its rows are compared as a multiset, or in order where
the question asks for one.
"""

from rlgym import Audit, Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Sql
from rlgym.generators.databases.parent_child import SETTINGS, render_rows, render_schema
from rlgym.generators.databases.sql_verdicts import Case
from rlgym.generators.tables.analytics import distinguishing_databases, question
from rlgym.generators.tables.clauses import derive_query
from rlgym.generators.tables.duck import judge, run_on_each
from rlgym.generators.tables.query_mutants import audit_query
from rlgym.solutions import Derivation, Solution

QUERY = "In the order in which clauses are written: {answer}"


class Knobs(Config):
    tier: int = knob(
        2, easy=1, hard=4, doc="kind of question: lists and first rows, pivots and totals, neighbours and frames, islands and records"
    )
    unknown: int = knob(10, easy=5, hard=25, doc="percent of values that are NULL")
    rows: int = knob(24, easy=12, hard=40, doc="rows of the second table in the largest hidden database")


class Data(TaskData):
    setting: int
    tier: int
    ordered: bool
    reference: str
    other: str
    cases: tuple[Case, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    setting = SETTINGS[number]
    drawn = question(rng, setting, knobs.tier)
    sizes = ((4, 4 + knobs.rows // 4), (8, knobs.rows))
    example, *databases = distinguishing_databases(rng, setting, drawn, sizes, knobs.unknown)
    cases = tuple(Case(database=database, wanted=tuple(drawn.answer(database, drawn.given))) for database in databases)
    order = "Give the rows in the order asked for." if drawn.ordered else "The order of the rows does not matter."
    prompt = (
        f"A DuckDB database has these tables:\n\n{render_schema(setting)}\n\nFor example, with these "
        f"rows:\n\n{render_rows(setting, example)}\n\n"
        f"{drawn.words}\n\nWrite one SELECT in DuckDB's SQL that returns exactly the columns asked for, in this order, on any such "
        f"database. The names of the columns do not matter. {order} Unknown values are NULL; a condition on an unknown value is not met. In the result, 1 "
        "equals 1.0 but not '1', and NULL equals only NULL. WITH, subqueries, UNION, window functions, QUALIFY, PIVOT and the like are allowed. Files, "
        "settings, recursion, sampling, dates, regular expressions and table functions in FROM are neither needed nor allowed."
    )
    return Task(prompt, Data(setting=number, tier=knobs.tier, ordered=drawn.ordered, reference=drawn.sql, other=drawn.other, cases=cases))


def solve(task: Task[Data]) -> str:
    # The expected rows are computed in Python; the reference query is an independent route to them.
    return task.data.reference


def verify(task: Task[Data], answer: str) -> Score:
    return judge(SETTINGS[task.data.setting], task.data.cases, answer, ordered=task.data.ordered)


def mistakes(task: Task[Data], right: str) -> list[str]:
    setting, sql = SETTINGS[task.data.setting], task.data.reference
    swaps = ((" >= ", " > "), (" <= ", " < "), (" > ", " >= "), (" DESC", ""), ("IS NOT NULL", "IS NULL"), ("LEFT JOIN", "JOIN"))
    changed = [sql.replace(old, new, 1) for old, new in swaps if old in sql][:1]
    return [f"SELECT * FROM {setting.children}", f"SELECT name FROM {setting.parents} WHERE 1 = 0", *changed]


def cost(task: Task[Data]) -> float:
    data = task.data
    return 400 * data.tier + len(data.reference) / 4 + 10 * len(data.cases[0].database.children)


def derive(task: Task[Data]) -> Derivation:
    yield from derive_query(task.data.reference)


def audit(task: Task[Data]) -> Audit:
    data = task.data
    return audit_query(SETTINGS[data.setting], data.reference, data.other, ordered=data.ordered, results=run_on_each, count=6, most=16)


environment = Environment(
    Knobs, Sql("one DuckDB query"), generate, solve, verify, mistakes, cost, solution=Solution(derive, QUERY),
    answers="many", solutions=lambda task: [task.data.reference, task.data.other], planted=True, audit=audit, version=8, needs=("duckdb",),
    concept="Say what one row of the result is, then choose the clause that makes it: a group, a window, a pivot or an island.",
)  # fmt: skip
