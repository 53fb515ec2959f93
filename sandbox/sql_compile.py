"""Compiles SQL that a model wrote in a sandbox, since nothing else limits the time and memory of SQLite's compiler.

SQLite copies a common table wherever it is named, and the expression of a column wherever the column is. Each can double at every level of a query, so
that the time to compile is exponential in the length of a query. Its limits do not stop that, nor does its progress handler before version 3.41.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from functools import cache
from math import prod

from rlgym.core.errors import SandboxMissing
from rlgym.core.limits import Limits
from rlgym.sandbox import get_runner, sqlite
from rlgym.sandbox.interface import Returned, Runner, SandboxError

LIMITS = Limits(seconds=1.0, memory_mb=128)
MOST_COPIES = 100_000
"""Queries that cannot have more copies of names than that compile in well under a second, and need no sandbox."""
_ENTRIES = """

def is_compiled(tables, query):
    return compiles([Table(name, tuple(columns), ()) for name, columns in tables], query)


def is_run(tables, query):
    try:
        run_query([Table(name, tuple(columns), ()) for name, columns in tables], query)
    except QueryFailed:
        return False
    return True
"""
_TOKEN = re.compile(r"--[^\n]*|/\*.*?(?:\*/|$)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|\w+|\S", re.DOTALL)
_RESERVED = frozenset(
    """select from where group having order limit distinct all and or not null is in as on using join case when then else between exists values union
    intersect except""".split()
)


def compiles_in(runner: Runner, tables: Sequence[sqlite.Table], query: str) -> bool:
    """Whether `sqlite.compiles` is true of a query on empty tables, in the sandbox of a runner. False where it fails or exceeds the limits."""
    try:
        return _answer(runner, "is_compiled", tables, query) == Returned(True)
    except SandboxError:
        return False


def require_quick_compile(tables: Sequence[sqlite.Table], query: str) -> None:
    """Raise QueryFailed for a query that would take long to compile: one with many copies of names is run on empty tables in a sandbox first.

    Where no sandbox can be started, nothing is checked.
    """
    if len(query) > sqlite.MOST_CHARACTERS or most_copies(query) <= MOST_COPIES:
        return
    try:
        runner = get_runner(LIMITS)
    except SandboxMissing:
        return
    if not isinstance(_answer(runner, "is_run", tables, query), Returned):
        raise sqlite.QueryFailed(sqlite.Why.WORK, "the query takes too long to compile")


def most_copies(query: str) -> int:
    """An upper bound of the copies of names in a compiled statement: the product over its SELECTs, generated columns, and itself, of the names in each.

    A name in one of them stands for at most the names of those that it can refer to, and these form no circle.
    """
    rest, selects, generated = _names(query)
    return prod(max(1, count) for count in (rest, *selects, *generated))


def generated_copies(script: str) -> int:
    """The same of the generated columns of a script alone, whose tables keep them from one statement to the next."""
    return prod(max(1, count) for count in _names(script)[2])


def _names(query: str) -> tuple[int, list[int], list[int]]:
    """How many names stand in each SELECT in brackets, and in each other bracket after AS, without those inside it; first how many stand in none."""
    counts, kinds = [0], list[str]()  # the names of what is open, the outermost first, and what each open bracket is
    closed: dict[str, list[int]] = {"select": [], "generated": []}
    tokens = [token for token in _TOKEN.findall(query) if not token.startswith(("--", "/*"))]
    for before, token, following in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if token == "(":
            kind = "select" if following.lower() in ("select", "with", "values") else "generated" if before.lower() == "as" else ""
            kinds.append(kind)
            counts += [0] * bool(kind)
        elif token == ")":
            if kinds and (kind := kinds.pop()):
                closed[kind].append(counts.pop())
        elif token == "*" or (token[0] not in "0123456789" and (token[0] in "'\"`[" or token[0].isalnum() or token[0] == "_")):
            counts[-1] += token.lower() not in _RESERVED
    return counts[0], [*closed["select"], *counts[1:]], closed["generated"]


def _answer(runner: Runner, entry: str, tables: Sequence[sqlite.Table], query: str) -> object:
    return runner.run(_program(), [(tuple((table.name, table.columns) for table in tables), query)], entry=entry).answer()


@cache
def _program() -> str:
    return inspect.getsource(sqlite) + _ENTRIES
