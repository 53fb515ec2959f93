"""What the SQL environments share: test databases with the rows wanted of them, and the verdict on a query."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.score import Outcome, Score
from rlgym.core.task import TaskData
from rlgym.generators.databases.parent_child import Database, Record, Setting, schema
from rlgym.generators.databases.questions import Question
from rlgym.sandbox.sql_compile import require_quick_compile
from rlgym.sandbox.sqlite import QueryFailed, Table, Why, fault_of, run_query, same_rows


class Case(TaskData):
    """A database and the rows that a right query gives on it."""

    database: Database
    wanted: tuple[Record, ...]


class Fails:
    """Whether a query gives other rows on a database than the question asks for."""

    def __init__(self, setting: Setting, asked: Question) -> None:
        self.setting, self.asked = setting, asked

    def __call__(self, database: Database, query: str) -> bool:
        try:
            rows = run_query(tables(self.setting, database), query)
        except QueryFailed:
            return True
        return not same_rows(rows, self.asked.answer(database), ordered=self.asked.ordered)


def tables(setting: Setting, database: Database) -> list[Table]:
    """The tables of a database, ready to be queried."""
    (parents, columns), (children, others) = schema(setting)
    return [Table(parents, columns, database.parents), Table(children, others, database.children)]


def judge(setting: Setting, cases: Sequence[Case], query: str, *, ordered: bool) -> Score:
    """1 if the query gives the wanted rows on every database. What it may not do is refused; too much work times out."""
    try:
        require_quick_compile(tables(setting, cases[0].database), query)
    except QueryFailed as failed:
        return Score.nothing(Outcome.TIMED_OUT, str(failed))
    why, message = fault_of(query, [(tables(setting, case.database), case.wanted) for case in cases], ordered=ordered)
    if why is Why.FORBIDDEN:
        return Score.nothing(Outcome.REFUSED, message)
    return Score.nothing(Outcome.TIMED_OUT, message) if why is Why.WORK else Score.exact(not message, message)
