"""DuckDB in a process of its own: answers requests on one connection until its other end closes. Standard library and duckdb only.

A request is a list in JSON, and so is its answer, ["ok", value] or ["failed", whether the engine can go on, whether it was the work, message]:

- ["begin", seconds]: forget what was there; end this process after so many more seconds of processor time, rounded up
- ["tree", query]: the syntax tree of a query, as DuckDB's own JSON
- ["run", tables, query, most rows]: fill the tables, created at the first run, and give the first rows of the query, one more than `most rows`
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import duckdb

CONFIG = {
    "enable_external_access": "false", "autoload_known_extensions": "false", "autoinstall_known_extensions": "false", "threads": "1",
    "memory_limit": "256MB", "lock_configuration": "true",
}  # fmt: skip
MEMORY = 384 << 20
"""Bytes of address space that queries may add to what the engine takes at its start. DuckDB's own limit does not count what its compiler builds."""
MOST_ANSWER = 8 << 20
"""Bytes of one answer."""
USUAL = (
    duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException, duckdb.ConversionException, duckdb.InvalidInputException,
    duckdb.OutOfRangeException, duckdb.NotImplementedException, duckdb.SyntaxException, duckdb.TypeMismatchException, duckdb.PermissionException,
)  # fmt: skip
"""What is wrong with a query alone; after anything else the engine is started anew."""


def main() -> None:
    channel = Connection(int(sys.argv[1]))
    engine = _Engine()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            request = json.loads(channel.recv_bytes())
            channel.send_bytes(_answer(engine, request))


def _answer(engine: _Engine, request: list[Any]) -> bytes:
    try:
        value = engine.answer(*request)
        answer = json.dumps(["ok", value]).encode()
        if len(answer) > MOST_ANSWER:
            return _failure("the result is too large", work=True)
        return answer
    except (duckdb.OutOfMemoryException, MemoryError):
        return _failure("the query takes too much memory", goes_on=False, work=True)
    except USUAL as error:
        return _failure(str(error))
    except Exception as error:
        return _failure(str(error), goes_on=False)


def _failure(message: str, *, goes_on: bool = True, work: bool = False) -> bytes:
    return json.dumps(["failed", goes_on, work, message.partition("\n")[0][:200]]).encode()


class _Engine:
    """One database in memory; every query gets a cursor, and temporary tables, of its own."""

    def __init__(self) -> None:
        self.database = duckdb.connect(":memory:", config=CONFIG)
        self.cursor = self.database.cursor()
        self.cursor.execute("SELECT json_serialize_sql('SELECT 1')").fetchall()  # whatever is set up at the first query
        self.filled = False
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":
            with open("/proc/self/statm", encoding="ascii") as file:
                size = int(file.read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))

    def answer(self, what: str, *arguments: Any) -> Any:
        """The value of a request; KeyError for one that there is not."""
        asked: dict[str, Callable[..., Any]] = {"begin": self.begin, "tree": self.tree, "run": self.run}
        return asked[what](*arguments)

    def begin(self, seconds: float) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, resource.RLIM_INFINITY))
        self.cursor.close()
        self.cursor, self.filled = self.database.cursor(), False

    def tree(self, query: str) -> Any:
        row = self.cursor.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
        self.cursor.execute("BEGIN TRANSACTION")  # or every statement would be committed by itself
        return row[0] if row else ""

    def run(self, tables: list[Any], query: str, most: int) -> list[list[Any]]:
        for name, columns, rows in tables:
            self._fill(name, columns, rows)
        self.filled = True
        return [[_plain_value(value) for value in row] for row in self.cursor.execute(query).fetchmany(most + 1)]

    def _fill(self, name: str, columns: list[str], rows: list[list[Any]]) -> None:
        parts = [column.split()[:2] for column in columns]
        self.cursor.execute(f"DELETE FROM {name}" if self.filled else f"CREATE TEMP TABLE {name} ({', '.join(map(' '.join, parts))})")
        if rows:
            lists = ", ".join(f"unnest(?::{kind}[])" for _, kind in parts)
            self.cursor.execute(f"INSERT INTO {name} SELECT {lists}", [list(column) for column in zip(*rows, strict=True)])


def _plain_value(value: object) -> int | float | str | None:
    """Booleans as 0 and 1, decimals as floats; lists and other things as their text, which no plain value is."""
    if value is None or isinstance(value, int | float | str):
        return int(value) if isinstance(value, bool) else value
    try:
        return float(str(value))
    except ValueError:
        return f"{type(value).__name__} {str(value)[:2000]}"


if __name__ == "__main__":
    main()
