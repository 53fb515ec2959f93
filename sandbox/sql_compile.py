"""Compiles SQL that a model wrote in a sandbox, since nothing else limits the time and memory of SQLite's compiler."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cache

from rlgym.core.limits import Limits
from rlgym.sandbox import sqlite
from rlgym.sandbox.interface import Returned, Runner, SandboxError

LIMITS = Limits(seconds=1.0, memory_mb=128)
_ENTRY = """

def solve(tables, query):
    return compiles([Table(name, tuple(columns), ()) for name, columns in tables], query)
"""


def compiles_in(runner: Runner, tables: Sequence[sqlite.Table], query: str) -> bool:
    """Whether `sqlite.compiles` is true of a query on empty tables, in the sandbox of a runner. False where it fails or exceeds the limits."""
    try:
        result = runner.run(_program(), [(tuple((table.name, table.columns) for table in tables), query)])
    except SandboxError:
        return False
    return result.answer() == Returned(True)


@cache
def _program() -> str:
    return inspect.getsource(sqlite) + _ENTRY
