"""Measures whether the hidden databases of the SQL environments tell right queries from queries that are nearly right.

    python benchmarks/sql_mutants.py [--tasks 40] [--json FILE] [NAME ...]

Every reference query is changed in one place at a time. A changed query that gives the same rows as the reference on some hundred further
random databases counts as equal to it, one that does not run is left out; all others must earn nothing.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import rlgym
from rlgym.generators.databases import SETTINGS, Database, Setting
from rlgym.generators.sql_tasks import tables
from rlgym.generators.tables.duck import run_duck
from rlgym.generators.tables.instances import constants, instance
from rlgym.sandbox.sqlite import QueryFailed, Row, run_query, same_rows

NAMES = ("sql_query", "sql_from_report", "sql_repair", "duckdb_analytics")
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
Run = Callable[[Setting, Database, str], list[Row]]

SWAPS = {
    "comparison": ((" >= ", " > "), (" > ", " >= "), (" <= ", " < "), (" < ", " <= "), (" = ", " <> "), (" <> ", " = "), (" > ", " < "), (" >= ", " <= ")),
    "and / or": ((" AND ", " OR "), (" OR ", " AND ")),
    "join": (("LEFT JOIN", "JOIN"), (" JOIN ", " LEFT JOIN "), (" ON ", " ON 1 = 1 OR ")),
    "distinct": (("DISTINCT ", ""), ("UNION ALL", "UNION"), ("SELECT ", "SELECT DISTINCT ")),
    "order": ((" DESC", ""), (" DESC", " ASC")),
    "aggregate": (
        ("SUM(", "COUNT("), ("SUM(", "MAX("), ("SUM(", "AVG("), ("COUNT(", "SUM("), ("MAX(", "MIN("), ("MIN(", "MAX("), ("AVG(", "MAX("), ("AVG(", "MIN("),
        ("COUNT(c.id)", "COUNT(*)"), ("sum(", "max("), ("count(", "sum("), ("max(", "min("), ("min(", "max("), ("last(", "first("), ("lag(", "lead("),
        ("RANK()", "ROW_NUMBER()"), ("RANK()", "DENSE_RANK()"), ("row_number()", "rank()"),
    ),
    "null": (
        (" IS NOT NULL", " IS NULL"), ("NOT EXISTS", "EXISTS"), (" EXISTS", " NOT EXISTS"), (" IN (", " NOT IN ("),
        ("COALESCE(", "NULLIF("), ("coalesce(", "nullif("), ("NULLIF(", "COALESCE("),
    ),
    "frame": (
        ("ROWS ", "RANGE "), ("RANGE ", "ROWS "), ("UNBOUNDED PRECEDING", "1 PRECEDING"), ("1 PRECEDING", "CURRENT ROW"),
        ("OVER (PARTITION BY", "OVER (ORDER BY"),
    ),
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.'\[])[0-9]+(?![\w.'])")
_LIST = re.compile(r"(GROUP BY|ORDER BY|PARTITION BY|ROLLUP \() ?([a-z_.0-9]+(?: DESC| ASC)?(?:, ?[a-z_.0-9]+(?: DESC| ASC)?)*)")
_CONDITION = re.compile(
    r" AND [\w.]+ (?:<>|=|>|<|<=|>=|BETWEEN \d+ AND) (?:'\w+'|[\w.]+)(?= |\)|$)|[\w.]+ IS NOT NULL AND | AND [\w.]+ IS NOT NULL"
)
_TEXT = re.compile(r"'(\w+)'")


def mutants(sql: str, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(kind of change, changed query), each change in one place."""

    def at(start: int, end: int, new: str) -> str:
        return sql[:start] + new + sql[end:]

    for kind, swaps in SWAPS.items():
        for old, new in swaps:
            for found in re.finditer(re.escape(old), sql):
                yield kind, at(*found.span(), new)
    for found in _NUMBER.finditer(sql):
        for step in (-1, 1, -10, 10):
            kind = "limit" if sql[: found.start()].endswith("LIMIT ") else "constant"
            yield kind, at(*found.span(), str(int(found[0]) + step))
    for found in _LIST.finditer(sql):
        keys = re.split(r", ?", found[2])
        for i, key in enumerate(keys):
            kind = "order" if found[1] == "ORDER BY" else "group"
            if len(keys) > 1:
                yield kind, at(*found.span(2), ", ".join(keys[:i] + keys[i + 1 :]))
            if kind == "order" and " " not in key:
                yield kind, at(*found.span(2), ", ".join([*keys[:i], f"{key} DESC", *keys[i + 1 :]]))
    for found in _CONDITION.finditer(sql):
        yield "condition dropped", at(*found.span(), "")
    for found in _TEXT.finditer(sql):
        for word in words[:3]:
            yield "text", at(*found.span(1), word)
    for found in re.finditer(r"(?:COALESCE|coalesce|NULLIF)\(((?:[^()]|\([^()]*\))*), (?:0|'all'|-1)\)", sql):
        yield "null", at(*found.span(), found[1])
    for found in re.finditer(r" LIMIT [0-9]+| HAVING [\w(*). <>=]+?(?= ORDER|$| UNION)| ORDER BY [\w., ]+$", sql):
        yield "clause dropped", at(*found.span(), "")


def survivors(name: str, tasks: int, further: int, run: Run) -> dict[str, Any]:
    """Counts over a number of tasks, and the changed queries that were paid although they are not equal to the reference."""
    counts: dict[str, list[int]] = {}
    total = {"tasks": 0, "mutants": 0, "broken": 0, "equal": 0, "wrong": 0, "failed": 0}
    paid: list[dict[str, Any]] = []
    for seed in range(tasks):
        task = rlgym.task(name, seed, level=LEVELS[seed % len(LEVELS)])
        setting, sql = SETTINGS[task.data.setting], task.data.reference
        ordered = getattr(task.data, "ordered", True)
        rng = rlgym.Rng("further", name, seed)
        bounds = constants(sql)
        more = [instance(rng, setting, rng.integer(2, 11), rng.integer(0, 45), rng.choice((0, 10, 25)), bounds) for _ in range(further)]
        rights: dict[int, list[Row]] = {}
        total["tasks"] += 1
        changed = {query: kind for kind, query in mutants(sql, (*setting.kinds[:2], setting.groups[0])) if query != sql}
        for mutant, kind in changed.items():
            total["mutants"] += 1
            value = rlgym.score(task, f"<answer>{mutant}</answer>").value
            try:
                equal = True
                for i, made in enumerate(more):
                    if i not in rights:
                        rights[i] = run(setting, made, sql)
                    if not same_rows(run(setting, made, mutant), rights[i], ordered=ordered):
                        equal = False
                        break
            except QueryFailed:
                total["broken"] += 1
                continue
            if equal:
                total["equal"] += 1
                continue
            line = counts.setdefault(kind, [0, 0])
            total["wrong"] += 1
            line[0] += 1
            if value == 0:
                total["failed"] += 1
                line[1] += 1
            else:
                paid.append({"seed": seed, "kind": kind, "reference": sql, "mutant": mutant})
    return {**total, "share": round(total["failed"] / max(total["wrong"], 1), 4), "kinds": counts, "paid": paid}


def sqlite(setting: Setting, made: Database, query: str) -> list[Row]:
    return run_query(tables(setting, made), query)


def duck(setting: Setting, made: Database, query: str) -> list[Row]:
    return run_duck(tables(setting, made), query)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--tasks", type=int, default=40, help="tasks of each environment, spread over the levels")
    parser.add_argument(
        "--further", type=int, default=300, help="further databases that decide whether two queries are equal; a fifth of it for DuckDB"
    )
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found: dict[str, Any] = {}
    print("| environment | tasks | changed queries | do not run | equal | wrong | fail | share |")
    print("|---|---|---|---|---|---|---|---|")
    for name in given.names or NAMES:
        slow = name.startswith("duckdb")
        line = survivors(name, given.tasks, given.further // 5 if slow else given.further, duck if slow else sqlite)
        found[name] = line
        print(
            f"| {name} | {line['tasks']} | {line['mutants']} | {line['broken']} | {line['equal']} | {line['wrong']} | {line['failed']} | {line['share']:.4f} |",
            flush=True,
        )
    kinds = sorted({kind for line in found.values() for kind in line["kinds"]})
    print("\n| change | " + " | ".join(found) + " |")
    print("|---|" + "---|" * len(found))
    for kind in kinds:
        cells = [line["kinds"].get(kind) for line in found.values()]
        print(f"| {kind} | " + " | ".join(f"{cell[1]} of {cell[0]}" if cell else "-" for cell in cells) + " |")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
