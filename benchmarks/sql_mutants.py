"""Measures whether the hidden databases of the SQL environments tell right queries from queries that are nearly right.

    python benchmarks/sql_mutants.py [--tasks 40] [--json FILE] [NAME ...]

Every reference query is changed in one place at a time. A changed query that gives the same rows as the reference on some hundred further
random databases counts as equal to it, one that does not run is left out; all others must earn nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rlgym
from rlgym.generators.databases.parent_child import SETTINGS, Database, Setting
from rlgym.generators.databases.sql_verdicts import tables
from rlgym.generators.tables.duck import run_duck
from rlgym.generators.tables.query_mutants import mutants, wide_databases
from rlgym.sandbox.sqlite import QueryFailed, Row, run_query, same_rows

NAMES = ("sql_query", "sql_from_report", "sql_repair", "duckdb_analytics")
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
Run = Callable[[Setting, Database, str], list[Row]]


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
        more = list(wide_databases(rng, setting, sql, further))
        rights: dict[int, list[Row]] = {}
        total["tasks"] += 1
        changed = {query: kind for kind, query in mutants(sql, (*setting.kinds[:2], setting.groups[0])) if query != sql}
        for mutant, kind in changed.items():
            total["mutants"] += 1
            value = rlgym.score(task, f"<answer>{mutant}</answer>").value
            try:
                equal = True
                for i, database in enumerate(more):
                    if i not in rights:
                        rights[i] = run(setting, database, sql)
                    if not same_rows(run(setting, database, mutant), rights[i], ordered=ordered):
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


def sqlite(setting: Setting, database: Database, query: str) -> list[Row]:
    return run_query(tables(setting, database), query)


def duck(setting: Setting, database: Database, query: str) -> list[Row]:
    return run_duck(tables(setting, database), query)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--tasks", type=int, default=40, help="tasks of each environment, spread over the levels")
    parser.add_argument(
        "--further", type=int, default=300, help="further databases that decide whether two queries are equal; a fifth of it for DuckDB"
    )
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results: dict[str, Any] = {}
    print("| environment | tasks | changed queries | do not run | equal | wrong | fail | share |")
    print("|---|---|---|---|---|---|---|---|")
    for name in given.names or NAMES:
        slow = name.startswith("duckdb")
        line = survivors(name, given.tasks, given.further // 5 if slow else given.further, duck if slow else sqlite)
        results[name] = line
        print(
            f"| {name} | {line['tasks']} | {line['mutants']} | {line['broken']} | {line['equal']} | {line['wrong']} | {line['failed']} | {line['share']:.4f} |",
            flush=True,
        )
    kinds = sorted({kind for line in results.values() for kind in line["kinds"]})
    print("\n| change | " + " | ".join(results) + " |")
    print("|---|" + "---|" * len(results))
    for kind in kinds:
        cells = [line["kinds"].get(kind) for line in results.values()]
        print(f"| {kind} | " + " | ".join(f"{cell[1]} of {cell[0]}" if cell else "-" for cell in cells) + " |")
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
