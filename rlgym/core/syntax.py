"""Python's syntax trees, read by one thread at a time."""

from __future__ import annotations

import ast
import os
from threading import RLock
from typing import Any

# CPython 3.11 counts the depth of a tree that it makes in one place for all threads. Where the collector runs Python in
# the middle (`gc.callbacks`, a finalizer), another thread may come in, and either of them ends in a SystemError: "AST
# constructor recursion depth mismatch". One thread at a time cannot; a collector's own reading is balanced, hence RLock.
_ONE_AT_A_TIME = RLock()
# A child is forked while no other thread holds the lock: nobody would be left in it to let go.
if hasattr(os, "register_at_fork"):  # where processes can be forked
    os.register_at_fork(before=_ONE_AT_A_TIME.acquire, after_in_child=_ONE_AT_A_TIME.release, after_in_parent=_ONE_AT_A_TIME.release)


def program(source: str) -> ast.Module:
    """The syntax tree of a program; raises what `ast.parse` raises."""
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def expression(source: str) -> ast.expr:
    """The syntax tree of one expression; raises what `ast.parse` raises."""
    with _ONE_AT_A_TIME:
        return ast.parse(source, mode="eval").body


def literal(source: str) -> Any:
    """The value of a literal; raises what `ast.literal_eval` raises."""
    with _ONE_AT_A_TIME:
        return ast.literal_eval(source)
