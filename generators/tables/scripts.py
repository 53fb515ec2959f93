"""Runs SQL statements that define and change tables in SQLite, in memory, with limits that count work and not seconds."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence

from rlgym.sandbox.sql_compile import MOST_COPIES, generated_copies, most_copies
from rlgym.sandbox.sqlite import QueryFailed, Row, Why

MOST_STATEMENTS, MOST_STEPS, MOST_CHARACTERS, AT_ONCE = 30, 300_000, 6_000, 1_000
_ACTIONS = {
    getattr(sqlite3, f"SQLITE_{name}")
    for name in "SELECT READ INSERT UPDATE DELETE CREATE_TABLE CREATE_INDEX DROP_TABLE DROP_INDEX ALTER_TABLE REINDEX".split()
}
_FUNCTIONS = frozenset(
    """count sum avg min max total abs round length lower upper substr substring coalesce ifnull nullif iif trim replace instr like row_number
    rank dense_rank lag lead group_concat typeof unicode printf quote sqlite_rename_table sqlite_rename_column sqlite_rename_test
    sqlite_drop_column sqlite_rename_quotefix""".split()
)
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 40,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 60,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 50,
}


class Scratch:
    """A database in memory. Once a model's statements have run, all that follows is guarded like them."""

    def __init__(self, statements: Iterable[str] = ()) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.refused, self.steps = "", 0
        for statement in statements:
            self.connection.execute(statement)

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def fill(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            self.connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)

    def guarded(self, script: str) -> None:
        """Runs a model's statements one by one; QueryFailed says what stopped them.

        Those that could take long to compile are not run: nothing else limits the compiler. Tables keep their generated columns, whose expressions
        are copied wherever such a column is read.
        """
        statements = statements_of(script)
        if generated_copies(";".join(statements)) > MOST_COPIES or any(most_copies(statement) > MOST_COPIES for statement in statements):
            raise QueryFailed(Why.WORK, "the statements could take too long to compile")
        for statement in statements:
            self._guard()
            try:
                self.connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeError) as error:
                if self.refused:
                    raise QueryFailed(Why.FORBIDDEN, f"{self.refused} is not allowed here") from None
                if self.steps > MOST_STEPS:
                    raise QueryFailed(Why.WORK, "the statements take too many steps") from None
                raise QueryFailed(Why.ERROR, str(error)[:200]) from None

    def accepts(self, statement: str, values: Row) -> bool:
        """Whether a statement of the task goes through with these values. A constraint says no; too much work and anything else raises."""
        try:
            self.connection.execute(statement, values)
        except sqlite3.IntegrityError:
            return False
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise QueryFailed(Why.WORK if self.steps > MOST_STEPS else Why.ERROR, str(error)[:200]) from None
        return True

    def tables(self) -> dict[str, tuple[list[str], list[Row]]]:
        """All tables by name in lower case: the columns' names in lower case, and the rows."""
        tables = {}
        for (name,) in self.connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' LIMIT 40"
        ).fetchall():
            quoted = '"' + name.replace('"', '""') + '"'
            cursor = self.connection.execute(f"SELECT * FROM {quoted} LIMIT 3000")
            tables[name.lower()] = ([column[0].lower() for column in cursor.description], cursor.fetchall())
        return tables

    def _guard(self) -> None:
        def authorise(action: int, first: str | None, second: str | None, *_: str | None) -> int:
            named = action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS
            if named or action in _ACTIONS or action == sqlite3.SQLITE_SAVEPOINT:
                return sqlite3.SQLITE_OK
            self.refused = f"the function {second}" if action == sqlite3.SQLITE_FUNCTION else "what one of the statements does"
            return sqlite3.SQLITE_DENY

        def progress() -> int:
            self.steps += AT_ONCE
            return self.steps > MOST_STEPS

        for limit, value in _LIMITS.items():
            self.connection.setlimit(limit, value)
        self.connection.set_authorizer(authorise)
        self.connection.set_progress_handler(progress, AT_ONCE)


def statements_of(script: str) -> list[str]:
    """The statements of a script, parted by semicolons outside quotes; fences and comments on lines of their own are left out."""
    if len(script) > MOST_CHARACTERS or "\x00" in script:
        raise QueryFailed(Why.FORBIDDEN, f"the statements have at most {MOST_CHARACTERS} characters, none of them NUL")
    plain = "\n".join(line for line in script.split("\n") if not line.strip().startswith(("```", "--")))
    statements = [piece.strip() for piece in re.findall(r"(?:[^;'\"]|'[^']*'|\"[^\"]*\"|['\"])+", plain)]
    statements = [piece for piece in statements if piece]
    if not 1 <= len(statements) <= MOST_STATEMENTS:
        raise QueryFailed(Why.FORBIDDEN, f"expected 1 to {MOST_STATEMENTS} statements, got {len(statements)}")
    return statements
