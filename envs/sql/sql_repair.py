"""Repair a SQLite query that does almost, but not quite, what a question asks.

The given query is wrong on the hidden databases; any query that gives the right rows on all of them is accepted.
"""

from rlgym import Audit, Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Sql
from rlgym.generators.databases.hidden_databases import distinguishing_databases, mutants
from rlgym.generators.databases.parent_child import SETTINGS, render_rows, render_schema
from rlgym.generators.databases.questions import question
from rlgym.generators.databases.sql_verdicts import Case, Fails, judge
from rlgym.generators.tables.clauses import clauses, reason
from rlgym.generators.tables.query_mutants import audit_query
from rlgym.solutions import Derivation, Solution, Step

COMPARED = Step("{clause} is needed, because {reason}; the given query {comparison}")
QUERY = "With the clauses that are needed, the query is {answer}"


class Knobs(Config):
    tier: int = knob(3, easy=1, hard=5, doc="kind of question, from one table to windows and pairs")
    conditions: int = knob(2, easy=1, hard=3, doc="conditions on the rows that count")
    faults: int = knob(1, easy=1, hard=3, doc="small changes that were made to a right query")


class Data(TaskData):
    setting: int
    ordered: bool
    broken: str
    reference: str
    other: str
    cases: tuple[Case, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    setting = SETTINGS[number]
    while True:
        drawn = question(rng, setting, knobs.tier, knobs.conditions)
        fails = Fails(setting, drawn)
        databases = distinguishing_databases(rng, setting, drawn, ((5, 9), (8, 24), (10, 40)), 10, fails)
        broken = _inject_faults(rng, drawn.sql, knobs.faults)
        if any(fails(database, broken) for database in databases):
            break
    cases = tuple(Case(database=database, wanted=tuple(drawn.answer(database))) for database in databases)
    prompt = (
        f"A SQLite database has these tables:\n\n{render_schema(setting)}\n\nFor example with these "
        f"rows:\n\n{render_rows(setting, databases[0])}\n\n"
        f"The query should answer this question: {drawn.words}\n\nThis query returns wrong results on some databases:\n\n{broken}\n\n"
        "Write a correct query: one SELECT statement that returns exactly the requested columns, in the requested order, on any database with these tables. "
        f"{'The rows must be in the requested order.' if drawn.ordered else 'The order of the rows does not matter.'} "
        "Unknown values are NULL; a condition on an unknown value is not met."
    )
    data = Data(setting=number, ordered=drawn.ordered, broken=broken, reference=drawn.sql, other=drawn.other, cases=cases)
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    # The expected rows are computed in Python; the query before it was broken is an independent route to them.
    return task.data.reference


def verify(task: Task[Data], answer: str) -> Score:
    return judge(SETTINGS[task.data.setting], task.data.cases, answer, ordered=task.data.ordered)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [task.data.broken, *(mutant for mutant in mutants(task.data.broken)[:3] if mutant != right)]


def cost(task: Task[Data]) -> float:
    sql = task.data.reference
    return len(sql) + 40 * sum(sql.count(word) for word in ("SELECT", "JOIN", "GROUP", "OVER", "EXISTS", "HAVING", " AND "))


def derive(task: Task[Data]) -> Derivation:
    """Each clause that the question needs, compared with the given query."""
    given = clauses(task.data.broken)
    for keyword, text in clauses(task.data.reference):
        same_kind = [other for kind, other in given if kind == keyword]
        comparison = "has it" if text in same_kind else f"has {' and '.join(same_kind)} instead" if same_kind else f"has no {keyword}"
        yield COMPARED(clause=text, reason=reason(keyword, text), comparison=comparison)


def _inject_faults(rng: Rng, sql: str, faults: int) -> str:
    for _ in range(faults):
        choices = [mutant for mutant in mutants(sql) if mutant != sql]
        sql = rng.choice(choices) if choices else sql
    return sql


def audit(task: Task[Data]) -> Audit:
    data = task.data
    return audit_query(SETTINGS[data.setting], data.reference, data.other, ordered=data.ordered)


environment = Environment(
    Knobs, Sql("one SQLite query"), generate, solve, verify, mistakes, cost, solution=Solution(derive, QUERY),
    answers="many", solutions=lambda task: [task.data.reference, task.data.other], planted=True, audit=audit, version=9,
    concept="Read the question clause by clause and find the clause of the query that says something else.",
)  # fmt: skip
