"""Write one SQLite query that answers a question about two tables.

The query is run on several hidden databases, read-only and within limits; its rows are compared as a multiset, or in order where
the question asks for one. Any query with the right rows is accepted.
"""

from rlgym import Audit, Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Sql
from rlgym.generators.databases.hidden_databases import distinguishing_databases, mutants
from rlgym.generators.databases.parent_child import SETTINGS, render_schema
from rlgym.generators.databases.questions import question
from rlgym.generators.databases.sql_verdicts import Case, Fails, judge
from rlgym.generators.tables.clauses import derive_query
from rlgym.generators.tables.query_mutants import audit_query
from rlgym.solutions import Derivation, Solution

QUERY = "In the order in which clauses are written: {answer}"


class Knobs(Config):
    tier: int = knob(
        3, easy=1, hard=5, doc="kind of question: one table, groups and joins, outer joins, absence and extremes, windows and pairs"
    )
    conditions: int = knob(2, easy=1, hard=3, doc="conditions on the rows that count")
    unknown: int = knob(10, easy=0, hard=25, doc="percent of values that are NULL")


class Data(TaskData):
    setting: int
    ordered: bool
    reference: str
    other: str
    cases: tuple[Case, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    setting = SETTINGS[number]
    drawn = question(rng, setting, knobs.tier, knobs.conditions)
    databases = distinguishing_databases(rng, setting, drawn, ((7, 14), (8, 24), (10, 40)), knobs.unknown, Fails(setting, drawn))
    cases = tuple(Case(database=database, wanted=tuple(drawn.answer(database))) for database in databases)
    order = "Give the rows in the order asked for." if drawn.ordered else "The order of the rows does not matter."
    prompt = (
        f"A SQLite database has these tables:\n\n{render_schema(setting)}\n\n{drawn.words}\n\n"
        f"Write one SELECT (a WITH clause is fine) that returns exactly the columns asked for, in this order, on any such database. "
        f"{order} "
        "Unknown values are NULL; a condition on an unknown value is not met. No dates, no recursion and no PRAGMA are needed or allowed."
    )
    return Task(prompt, Data(setting=number, ordered=drawn.ordered, reference=drawn.sql, other=drawn.other, cases=cases))


def solve(task: Task[Data]) -> str:
    # The expected rows are computed in Python; the reference query is an independent route to them.
    return task.data.reference


def verify(task: Task[Data], answer: str) -> Score:
    return judge(SETTINGS[task.data.setting], task.data.cases, answer, ordered=task.data.ordered)


def mistakes(task: Task[Data], right: str) -> list[str]:
    setting = SETTINGS[task.data.setting]
    return [f"SELECT * FROM {setting.children}", f"SELECT name FROM {setting.parents} WHERE 1 = 0", *mutants(task.data.reference)[:3]]


def cost(task: Task[Data]) -> float:
    sql = task.data.reference
    return len(sql) + 40 * sum(sql.count(word) for word in ("SELECT", "JOIN", "GROUP", "OVER", "EXISTS", "HAVING", "COALESCE", " AND "))


def derive(task: Task[Data]) -> Derivation:
    yield from derive_query(task.data.reference)


def audit(task: Task[Data]) -> Audit:
    data = task.data
    return audit_query(SETTINGS[data.setting], data.reference, data.other, ordered=data.ordered)


environment = Environment(
    Knobs, Sql("one SQLite query"), generate, solve, verify, mistakes, cost, solution=Solution(derive, QUERY),
    answers="many", solutions=lambda task: [task.data.reference, task.data.other], planted=True, audit=audit, version=7,
    concept="Decide which table gives one row per result, join or aggregate the other, and say what happens to rows without a match.",
)  # fmt: skip
