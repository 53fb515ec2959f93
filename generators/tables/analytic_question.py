"""A question for DuckDB with its queries and parameters, and the rows that its Python answers start from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rlgym.generators.databases.parent_child import Database, Record, integer_cell

Rows = list[Record]


@dataclass(frozen=True)
class AnalyticQuestion:
    """One question: `answer(database, given)` computes the rows, `given` are its parameters, `others` such that are nearly right."""

    words: str
    sql: str
    other: str
    answer: Callable[[Database, dict[str, Any]], Rows]
    given: dict[str, Any]
    others: tuple[dict[str, Any], ...]
    ordered: bool = False


def children_in_order(db: Database, parent: Record) -> Rows:
    """A parent's children in the order of time and id."""
    return sorted((row for row in db.children if row[1] == parent[0]), key=lambda row: (integer_cell(row[4]), integer_cell(row[0])))


def with_known_amount(rows: Rows) -> Rows:
    return [row for row in rows if row[3] is not None]
