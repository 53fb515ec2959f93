"""The results of a run on disk: run.json, the table results.parquet, and reading both back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.dataset.files import write_atomically
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG, RunDamaged, read_log

RUN, RESULTS = "run.json", "results.parquet"
FORMAT = 1

COLUMNS = {
    "id": "string", "env": "string", "version": "int32", "domain": "string", "kind": "string", "split": "string", "level": "float64", "seed": "int64",
    "sample": "int32", "value": "float64", "outcome": "string", "reason": "string", "parts": "string", "right": "bool", "masked": "bool",
    "answer": "string", "confidence": "float64", "turns": "int32", "requests": "int32", "prompt_tokens": "int64", "completion_tokens": "int64",
    "seconds": "float64", "cost": "float64", "finish_reason": "string", "error": "string", "messages": "string", "difficulty": "float64",
    "cot_right": "bool", "certainty": "float64", "token_entropy": "float64", "knobs": "string", "answer_style": "string",
}  # fmt: skip
"""The columns of the results, and their Arrow types."""

LATER_COLUMNS = frozenset({"cot_right", "certainty", "token_entropy", "knobs", "answer_style"})
"""Columns that runs of earlier versions lack; they are read as None."""


@dataclass(frozen=True, slots=True)
class RunData:
    """A run read from disk: its result rows and the content of run.json."""

    folder: Path
    rows: list[dict[str, Any]]
    info: dict[str, Any]

    @property
    def finished(self) -> bool:
        """Whether all episodes are done: run.json says so, and none is missing."""
        return self.info["finished"] is not None and len(self.rows) >= self.expected

    @property
    def checked_info(self) -> dict[str, Any]:
        """The content of run.json, with `finished` None where an episode is missing all the same."""
        return self.info | {"finished": self.info["finished"] if self.finished else None}

    @property
    def expected(self) -> int:
        """The number of rows of the finished run."""
        return int(self.info["suite"]["tasks"]) * int(self.info["sampling"]["samples"])


def load(folder: str | Path) -> RunData:
    """Read a run. An unfinished run has the rows so far.

    Raises RunDamaged if the folder holds no run, or if one of its files cannot be read.
    """
    path = Path(folder)
    info = read_run_info(path)
    if info["finished"] is not None and (path / RESULTS).exists():
        return RunData(path, _read_table(path / RESULTS), info)
    return RunData(path, _sorted_rows(path), info)


def write_results(folder: str | Path) -> RunData:
    """Write results.parquet from the episode log of a finished or unfinished run."""
    path = Path(folder)
    info, rows = read_run_info(path), _sorted_rows(path)
    if not (path / EPISODE_LOG).exists():
        raise RunDamaged(f"{path} has no {EPISODE_LOG}, so {RESULTS} cannot be written")
    write_atomically(path / RESULTS, _table_bytes(rows))
    return RunData(path, rows, info)


def _sorted_rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of the log, sorted. If an episode was repeated, its last row counts."""
    rows = {(row["id"], row["sample"]): row for row in rows_in_log(folder)}
    return sorted(rows.values(), key=lambda row: (row["env"], row["level"], row["id"], row["sample"]))


def rows_in_log(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of the episode log in the order in which they finished. Raises RunDamaged for a row that lacks a column."""
    for number, row in enumerate(read_log(folder / EPISODE_LOG), 1):
        if missing := [column for column in COLUMNS if column not in row and column not in LATER_COLUMNS]:
            columns = ", ".join(missing)
            raise RunDamaged(f"line {number} of {folder / EPISODE_LOG} has no {columns}: was it written by another version of rlgym?")
        yield {column: row.get(column) for column in COLUMNS}


def read_run_info(folder: Path) -> dict[str, Any]:
    """The content of run.json. Raises RunDamaged if it is missing or unreadable."""
    file = folder / RUN
    try:
        info = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = "holds no run of `rlgym eval`: it has no run.json" if folder.is_dir() else "is not a folder"
        raise RunDamaged(f"{folder} {problem}") from None
    except (OSError, ValueError) as error:
        raise RunDamaged(f"{file} cannot be read ({error})") from None
    if not isinstance(info, dict) or info.get("format") != FORMAT:
        run_format = info.get("format") if isinstance(info, dict) else type(info).__name__
        raise RunDamaged(f"{file} must have format {FORMAT}, got {run_format!r}: it was written by another version of rlgym")
    for key, kind in (("suite", dict), ("model", dict), ("sampling", dict)):
        if not isinstance(info.get(key), kind):
            raise RunDamaged(f"{file} is damaged: it has no {key!r}")
    if "finished" not in info or "tasks" not in info["suite"] or "samples" not in info["sampling"]:
        raise RunDamaged(f"{file} is damaged: the number of tasks, the number of samples or 'finished' is missing")
    return info


def write_run_info(folder: Path, info: Mapping[str, Any]) -> None:
    """Write run.json atomically."""
    write_atomically(folder / RUN, (json.dumps(info, indent=2, ensure_ascii=False) + "\n").encode())


def schema() -> Any:
    """The Arrow schema of the results."""
    import pyarrow as pa

    return pa.schema([(name, pa.type_for_alias(kind)) for name, kind in COLUMNS.items()])


def _table_bytes(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema()), out, compression="zstd", row_group_size=2000)
    data: bytes = out.getvalue().to_pybytes()
    return data


def _read_table(file: Path) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with open(file, "rb") as opened:
            table = pq.read_table(opened)
    except (OSError, pa.ArrowException) as error:
        log = file.parent / EPISODE_LOG
        remedy = f"`rlgym eval report {file.parent}` writes it again from {EPISODE_LOG}" if log.exists() else "restore it from a backup"
        raise RunDamaged(f"{file} is damaged ({str(error)[:100]}): {remedy}") from None
    if missing := [name for name in COLUMNS if name not in table.column_names and name not in LATER_COLUMNS]:
        raise RunDamaged(f"{file} has no column {', '.join(missing)}: was it written by another version of rlgym?")
    known = [name for name in COLUMNS if name in table.column_names]
    return [dict.fromkeys(COLUMNS) | row for row in table.select(known).to_pylist()]
