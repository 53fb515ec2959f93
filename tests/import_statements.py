"""The import statements of source files, each file parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class ImportStatement(NamedTuple):
    """An import, and whether only type checkers read it."""

    node: ast.Import | ast.ImportFrom
    for_type_checkers: bool


@cache
def import_statements(file: Path) -> tuple[ImportStatement, ...]:
    """The imports of a file in order, those inside functions included."""
    return tuple(_within(ast.parse(file.read_text(encoding="utf-8")), False))


def _within(node: ast.AST, for_type_checkers: bool) -> Iterator[ImportStatement]:
    """Statements stand in blocks alone, so that expressions, most of a file, need not be looked into."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield ImportStatement(node, for_type_checkers)
    for block in BLOCKS:
        # An `else` of `if TYPE_CHECKING` runs.
        checked = for_type_checkers or (block == "body" and isinstance(node, ast.If) and _is_type_checking(node.test))
        inside = getattr(node, block, ())
        for child in inside if isinstance(inside, list) else ():
            yield from _within(child, checked)


def _is_type_checking(test: ast.expr) -> bool:
    return "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))
