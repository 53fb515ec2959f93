"""Write the SQLite query that prints a report: a sample of it is shown with its notes, and hidden databases must give it too."""

from rlgym import Audit, Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Sql
from rlgym.generators.databases.parent_child import SETTINGS, render_rows, render_schema
from rlgym.generators.databases.sql_verdicts import Case, judge
from rlgym.generators.tables.clauses import derive_query
from rlgym.generators.tables.instances import constants, edges, instance, sample_database_with_ties
from rlgym.generators.tables.probes import probes
from rlgym.generators.tables.query_mutants import audit_query
from rlgym.generators.tables.reports import report
from rlgym.solutions import Derivation, Solution

QUERY = "In the order in which clauses are written: {answer}"


class Knobs(Config):
    tier: int = knob(2, easy=1, hard=4, doc="kind of report: groups, with empty ones or crossed, subtotals and places, shares of a total")
    rows: int = knob(24, easy=12, hard=40, doc="rows of the second table in the hidden databases")
    unknown: int = knob(12, easy=6, hard=25, doc="percent of values that are NULL")
    shown: int = knob(16, easy=20, hard=8, doc="rows of the second table behind the sample")


class Data(TaskData):
    setting: int
    tier: int
    reference: str
    other: str
    cases: tuple[Case, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    setting = SETTINGS[number]
    report_drawn = report(rng, setting, knobs.tier)
    bounds = constants(report_drawn.sql)
    example = instance(rng, setting, 5, knobs.shown, knobs.unknown, bounds)
    sizes = ((7, knobs.rows), (11, knobs.rows), (11, knobs.rows + 10), (4, 3), (11, 30))
    databases = [instance(rng, setting, parents, rows, knobs.unknown, bounds) for parents, rows in sizes]
    databases += [sample_database_with_ties(rng, setting, parents, bounds) for parents in (9, 12, 16)]
    databases += [*(edges(rng, setting, report_drawn.sql, 10, most) for most in (1, 2, 4)), *probes(rng, setting, report_drawn.sql)]
    cases = tuple(Case(database=database, wanted=tuple(report_drawn.answer(database))) for database in databases)
    prompt = (
        f"A SQLite database has these tables:\n\n{render_schema(setting)}\n\nWith these rows:\n\n{render_rows(setting, example)}\n\n"
        f"this report is printed:\n\n{report_drawn.shown(example)}\n\n"
        "Write one SELECT (a WITH clause is fine) that gives the rows of the report, without title, headings and notes, with these "
        "columns in this "
        "order and the rows in this order, on any such database. Numbers in the report are integers. A condition on an unknown value "
        "(NULL) is not met. "
        "Dates, recursion and PRAGMA are not needed, and not allowed."
    )
    return Task(prompt, Data(setting=number, tier=knobs.tier, reference=report_drawn.sql, other=report_drawn.other, cases=cases))


def solve(task: Task[Data]) -> str:
    # The expected rows are computed in Python; the reference query is an independent route to them.
    return task.data.reference


def verify(task: Task[Data], answer: str) -> Score:
    return judge(SETTINGS[task.data.setting], task.data.cases, answer, ordered=True)


def mistakes(task: Task[Data], right: str) -> list[str]:
    sql = task.data.reference
    swaps = (
        (" ORDER BY g, name IS NULL, name", " ORDER BY g, name"),
        ("LEFT JOIN", "JOIN"),
        ("RANK()", "ROW_NUMBER()"),
        ("COUNT(DISTINCT ", "COUNT("),
    )
    return [
        f"SELECT * FROM {SETTINGS[task.data.setting].children}",
        *(sql.replace(old, new, 1) for old, new in swaps if old in sql),
        sql[: sql.rfind(" ORDER BY")],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return 400 * data.tier + len(data.reference) / 4 + 10 * len(data.cases[0].database.children)


def derive(task: Task[Data]) -> Derivation:
    yield from derive_query(task.data.reference)


def audit(task: Task[Data]) -> Audit:
    data = task.data
    return audit_query(SETTINGS[data.setting], data.reference, data.other, ordered=True)


environment = Environment(
    Knobs, Sql("one SQLite query"), generate, solve, verify, mistakes, cost, solution=Solution(derive, QUERY),
    answers="many", solutions=lambda task: [task.data.reference, task.data.other], planted=True, audit=audit, version=3,
    concept="Read from the lines and notes what one line stands for and which rows it counts; then which lines are listed and in which order.",
)  # fmt: skip
