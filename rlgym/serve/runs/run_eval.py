"""Reads an evaluation run: its summary, its answers by environment and level, and its transcripts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rlgym.serve.runs.run_store import CorruptRun, RunDirectory

EPISODES_FILE, RESULTS_FILE = "episodes.jsonl", "results.parquet"
SMALL_COLUMNS = (
    "id env version domain kind split level seed sample value outcome reason right cot_right masked turns finish_reason error".split()
)
"""Small columns, enough for counting and filtering."""
LARGE_COLUMNS = [
    *"parts answer confidence requests prompt_tokens completion_tokens seconds cost messages difficulty certainty token_entropy".split(),
    "knobs",
    "answer_style",
]


class _RowGroup(NamedTuple):
    """A row group of the results table; `table` is None if it was not needed."""

    num_rows: int
    table: Any


def list_entry(run: RunDirectory) -> dict[str, Any]:
    """The run's entry in the list of runs."""
    config = run.read_json("run.json")
    suite, model = _section(config, "suite"), _section(config, "model")
    tasks, samples = suite.get("tasks"), _section(config, "sampling").get("samples", 1)
    return {
        "title": str(config.get("label") or run.path),
        "finished": bool(config.get("finished")) and run.has_file(RESULTS_FILE),
        "model": model.get("name"),
        "suite": suite.get("name"),
        "episodes": tasks * samples if isinstance(tasks, int) and isinstance(samples, int) else None,
        "started": config.get("started"),
    }


def summarize(run: RunDirectory) -> dict[str, Any]:
    """Everything except the transcripts."""
    rows = list(read_rows(run, SMALL_COLUMNS))
    return list_entry(run) | {
        "run": run.read_json("run.json"),
        "summary": run.read_json("summary.json") if run.has_file("summary.json") else None,
        "report": run.has_file("report.html"),
        "answers": len(rows),
        "outcomes": dict(Counter(str(row.get("outcome")) for row in rows).most_common()),
        "cells": aggregate_cells(rows),
    }


def aggregate_cells(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Scores by cell (environment, split and level). Masked answers are counted apart."""
    by_cell: dict[tuple[str, str, float], list[Mapping[str, Any]]] = {}
    for row in rows:
        by_cell.setdefault((str(row.get("env")), str(row.get("split") or "main"), float(row.get("level") or 0.0)), []).append(row)
    return [_aggregate(*cell, cell_rows) for cell, cell_rows in sorted(by_cell.items())]


def _aggregate(env: str, split: str, level: float, rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    scored = [row for row in rows if not row.get("masked")]
    by_task: dict[Any, list[bool]] = {}
    for row in scored:
        by_task.setdefault(row.get("id"), []).append(bool(row.get("right")))
    task_accuracies = [sum(right) / len(right) for right in by_task.values()]
    return {
        "env": env,
        "split": split,
        "level": level,
        "domain": rows[0].get("domain"),
        "kind": rows[0].get("kind"),
        "tasks": len(by_task),
        "answers": len(scored),
        "masked": len(rows) - len(scored),
        "right": sum(task_accuracies) / len(task_accuracies) if task_accuracies else None,
        "value": _mean([row.get("value") for row in scored]),
    }


def read_transcripts(run: RunDirectory, offset: int, limit: int, filters: Mapping[str, Any]) -> dict[str, Any]:
    """A page of the answers that match the filters, with all columns and messages."""
    matches = [number for number, row in enumerate(read_rows(run, SMALL_COLUMNS)) if _matches(row, filters)]
    page = _read_full_rows(run, matches[offset : offset + limit])
    return {"total": len(matches), "offset": offset, "transcripts": [_decode_row(number, row) for number, row in page]}


def read_rows(run: RunDirectory, columns: list[str]) -> Iterator[dict[str, Any]]:
    """The answers with these columns: from the table of a finished run, or from the log of an unfinished one."""
    if not run.has_file(RESULTS_FILE):
        for line in run.read_jsonl(EPISODES_FILE) if run.has_file(EPISODES_FILE) else ():
            yield {column: line.get(column) for column in columns}
        return
    for group in _read_row_groups(run, columns):
        yield from group.table.to_pylist()


def _read_row_groups(run: RunDirectory, columns: list[str], numbers: set[int] | None = None) -> Iterator[_RowGroup]:
    """The results table one row group at a time. A group without a requested row is counted but not read."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    with run.open(RESULTS_FILE) as file:
        try:
            parquet = ParquetFile(file)
            present = [column for column in columns if column in parquet.schema_arrow.names]
            start = 0
            for index in range(parquet.num_row_groups):
                num_rows = parquet.metadata.row_group(index).num_rows
                needed = numbers is None or not numbers.isdisjoint(range(start, start + num_rows))
                yield _RowGroup(num_rows, parquet.read_row_group(index, columns=present) if needed else None)
                start += num_rows
        except (pa.ArrowException, OSError) as error:
            raise CorruptRun(f"cannot read {RESULTS_FILE}: {str(error).splitlines()[0]:.200}") from None


def _read_full_rows(run: RunDirectory, numbers: list[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows with these numbers and all their columns."""
    selected = set(numbers)
    if not run.has_file(RESULTS_FILE):
        for number, line in enumerate(run.read_jsonl(EPISODES_FILE) if selected else ()):
            if number in selected:
                yield number, line
        return
    start = 0
    for group in _read_row_groups(run, SMALL_COLUMNS + LARGE_COLUMNS, selected) if selected else ():
        inside = [number for number in numbers if start <= number < start + group.num_rows]
        if group.table is not None and inside:
            yield from zip(inside, group.table.take([number - start for number in inside]).to_pylist(), strict=True)
        start += group.num_rows


def _matches(row: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    return all(row.get(column) == value for column, value in filters.items() if value is not None)


def _decode_row(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its JSON columns decoded."""
    decoded: dict[str, Any] = {"number": number, **{column: row.get(column) for column in SMALL_COLUMNS + LARGE_COLUMNS}}
    for column, empty in (("messages", []), ("parts", {})):
        value = decoded[column]
        try:
            decoded[column] = (json.loads(value) if isinstance(value, str) else value) or empty
        except ValueError:
            raise CorruptRun(f"the column {column} of answer {number} is not JSON") from None
    return decoded


def _section(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    section = config.get(name)
    return section if isinstance(section, dict) else {}


def _mean(values: list[Any]) -> float | None:
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return sum(numbers) / len(numbers) if numbers else None
