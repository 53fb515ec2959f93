"""Runs one SELECT that a model wrote, on tables in memory, read-only and with limits that count work, not seconds."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

Value = int | float | str | None
Row = tuple[Value, ...]

MOST_CHARACTERS = 4_000
MOST_ROWS = 2_000
STEPS_AT_ONCE = 1_000
MOST_STEPS = 400_000

_READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}
_FUNCTIONS = frozenset(
    """count sum avg min max total abs round length lower upper substr substring coalesce ifnull nullif iif trim ltrim rtrim replace
    instr sign like row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value group_concat
    string_agg ceil ceiling floor mod power""".split()
)
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: MOST_CHARACTERS + 10,
    sqlite3.SQLITE_LIMIT_COLUMN: 60,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 60,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 12,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}


class Why(StrEnum):
    """Why a query gave no rows back."""

    ERROR = "error"
    FORBIDDEN = "forbidden"
    WORK = "work"
    ROWS = "rows"


class QueryFailed(ValueError):
    """A query did not run to its end; the message may be shown to the model."""

    def __init__(self, why: Why, message: str) -> None:
        super().__init__(message)
        self.why = why


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its name, its columns as in CREATE TABLE, and its rows."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Row]


def run_query(tables: Sequence[Table], query: str) -> list[Row]:
    """The rows of one SELECT. QueryFailed says why there are none.

    Only reading, and only the functions listed above, are authorised: no PRAGMA, ATTACH, writes, recursion, dates or
    extensions. Text is limited in length, expressions in depth, the work in virtual machine steps, the result in rows.
    """
    if len(query) > MOST_CHARACTERS or "\x00" in query:
        raise QueryFailed(Why.FORBIDDEN, f"a query has at most {MOST_CHARACTERS} characters, none of them NUL")
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for table in tables:
            connection.execute(f"CREATE TABLE {table.name} ({', '.join(table.columns)})")
            connection.executemany(f"INSERT INTO {table.name} VALUES ({', '.join('?' * len(table.columns))})", table.rows)
        return _guarded(connection, query)
    finally:
        connection.close()


def compiles(tables: Sequence[Table], query: str) -> bool:
    """Whether SQLite compiles a query within the limits of `run_query`; EXPLAIN does not run it.

    The time that compiling takes has no limit: expressions and common tables that are nested in each other can double at every level. Text of a
    model is therefore compiled in a sandbox: `sql_compile`.
    """
    try:
        run_query(tables, f"EXPLAIN {query}")
    except QueryFailed as failed:
        return failed.why is Why.ROWS
    return True


def _guarded(connection: sqlite3.Connection, query: str) -> list[Row]:
    refused: list[str] = []
    steps = 0

    def authorise(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action in _READS or (action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS):
            if action == sqlite3.SQLITE_READ and (first or "").lower().startswith(("sqlite_", "pragma_")):
                refused.append(f"the table {first}")
                return sqlite3.SQLITE_DENY
            return sqlite3.SQLITE_OK
        refused.append(f"the function {second}" if action == sqlite3.SQLITE_FUNCTION else "anything but a plain SELECT")
        return sqlite3.SQLITE_DENY

    def progress() -> int:
        nonlocal steps
        steps += STEPS_AT_ONCE
        return steps > MOST_STEPS

    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.set_authorizer(authorise)
    connection.set_progress_handler(progress, STEPS_AT_ONCE)
    try:
        cursor = connection.execute(query)
        rows = cursor.fetchmany(MOST_ROWS + 1)
    except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeError) as error:
        if refused:
            raise QueryFailed(Why.FORBIDDEN, f"{refused[0]} is not allowed here") from None
        if steps > MOST_STEPS:
            raise QueryFailed(Why.WORK, "the query takes too many steps") from None
        raise QueryFailed(Why.ERROR, str(error)[:200]) from None
    if cursor.description is None:
        raise QueryFailed(Why.FORBIDDEN, "a query must be a SELECT")
    if len(rows) > MOST_ROWS:
        raise QueryFailed(Why.ROWS, f"the result has more than {MOST_ROWS} rows")
    return rows


def same_rows(got: Sequence[Row], wanted: Sequence[Row], *, ordered: bool) -> bool:
    """Whether two results are equal: as lists if the order counts, else as multisets.

    Numbers are compared by value, rounded to six decimals; text, number and NULL are never equal to each other.
    """
    if len(got) != len(wanted):
        return False
    first, second = [tuple(map(_plain, row)) for row in got], [tuple(map(_plain, row)) for row in wanted]
    return first == second if ordered else sorted(first) == sorted(second)


def _plain(value: Value) -> tuple[int, float, str]:
    if value is None:
        return (0, 0.0, "")
    if isinstance(value, int | float):
        return (1, round(float(value), 6), "")
    return (2, 0.0, value if isinstance(value, str) else repr(value))


def fault_of(query: str, cases: Sequence[tuple[Sequence[Table], Sequence[Row]]], *, ordered: bool) -> tuple[Why | None, str]:
    """What is wrong with a query that should give these rows on these tables: ("", None) where nothing is.

    The words never hold the rows that were wanted.
    """
    for number, (tables, expected) in enumerate(cases, 1):
        try:
            got = run_query(tables, query)
        except QueryFailed as failed:
            return failed.why, str(failed)
        if not same_rows(got, expected, ordered=ordered):
            shape = f"{len(got)} rows of {len(got[0]) if got else 0} columns"
            return None, f"on test database {number} of {len(cases)} the query gives other rows than asked for (it gives {shape})"
    return None, ""
