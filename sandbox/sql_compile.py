"""Compiles SQL that a model wrote in a sandbox, since nothing else limits the time and memory of SQLite's compiler.

SQLite copies a common table wherever it is named, and the expression of a column wherever the column is. Each can double at every level of a query, so
that 600 characters take seconds to compile, and 1,000 more than there are. Its progress handler stops that from version 3.41 on, and its limits do not.
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
_ENTRY = """

def solve(tables, query):
    return compiles([Table(name, tuple(columns), ()) for name, columns in tables], query)
"""
_TOKEN = re.compile(r"--[^\n]*|/\*.*?(?:\*/|$)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|\w+|\S", re.DOTALL)
_RESERVED = frozenset(
    """select from where group having order limit distinct all and or not null is in as on using join case when then else between exists values union
    intersect except""".split()
)


def compiles_in(runner: Runner, tables: Sequence[sqlite.Table], query: str) -> bool:
    """Whether `sqlite.compiles` is true of a query on empty tables, in the sandbox of a runner. False where it fails or exceeds the limits."""
    try:
        return _compiled(runner, tables, query) == Returned(True)
    except SandboxError:
        return False


def require_quick_compile(tables: Sequence[sqlite.Table], query: str) -> None:
    """Raise QueryFailed for a query that would take long to compile: one with many copies of names is compiled in a sandbox first.

    Where no sandbox can be started, nothing is checked.
    """
    if len(query) > sqlite.MOST_CHARACTERS or most_copies(query) <= MOST_COPIES:
        return
    try:
        runner = get_runner(LIMITS)
    except SandboxMissing:
        return
    if not isinstance(_compiled(runner, tables, query), Returned):
        raise sqlite.QueryFailed(sqlite.Why.WORK, "the query takes too long to compile")


def most_copies(query: str) -> int:
    """An upper bound of the copies of names in a compiled query: the product over its SELECTs in brackets, and itself, of the names in each.

    A name in one SELECT stands for at most the names of those that it can refer to, and these form no circle.
    """
    counts, inner = [0], list[bool]()  # of the SELECTs that are open, the outermost first; for each open bracket, whether it holds one
    closed = list[int]()
    tokens = [token for token in _TOKEN.findall(query) if not token.startswith(("--", "/*"))]
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token == "(":
            is_select = following.lower() in ("select", "with", "values")
            inner.append(is_select)
            counts += [0] * is_select
        elif token == ")":
            if inner and inner.pop():
                closed.append(counts.pop())
        elif token == "*" or (token[0] not in "0123456789" and (token[0] in "'\"`[" or token[0].isalnum() or token[0] == "_")):
            counts[-1] += token.lower() not in _RESERVED
    return prod(max(1, count) for count in [*closed, *counts])


def _compiled(runner: Runner, tables: Sequence[sqlite.Table], query: str) -> object:
    return runner.run(_program(), [(tuple((table.name, table.columns) for table in tables), query)]).answer()


@cache
def _program() -> str:
    return inspect.getsource(sqlite) + _ENTRY
