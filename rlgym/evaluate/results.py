"""The results of a run on disk: what its journal holds as a table, and reading runs back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.dataset.files import write_whole
from rlgym.evaluate.journal import JOURNAL, RunDamaged, read_journal

RUN, RESULTS = "run.json", "results.parquet"
FORMAT = 1

COLUMNS = {
    "id": "string", "env": "string", "version": "int32", "domain": "string", "kind": "string", "split": "string", "level": "float64", "seed": "int64",
    "sample": "int32", "value": "float64", "outcome": "string", "reason": "string", "parts": "string", "right": "bool", "masked": "bool",
    "answer": "string", "confidence": "float64", "turns": "int32", "requests": "int32", "prompt_tokens": "int64", "completion_tokens": "int64",
    "seconds": "float64", "cost": "float64", "finish": "string", "error": "string", "messages": "string", "difficulty": "float64",
}  # fmt: skip
"""The columns of the results, and their Arrow types."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A run read back: its rows, what run.json says, and whether all its tasks have been played."""

    folder: Path
    rows: list[dict[str, Any]]
    info: dict[str, Any]

    @property
    def finished(self) -> bool:
        """Whether the run came to its end."""
        return self.info["finished"] is not None

    @property
    def expected(self) -> int:
        """How many rows the run has once it is finished."""
        return int(self.info["suite"]["tasks"]) * int(self.info["sampling"]["samples"])


def load(folder: str | Path) -> Loaded:
    """A run's rows and facts; half a run is loaded as far as it goes, and is marked as not finished.

    RunDamaged where the folder is no run, or where a file of it cannot be read.
    """
    place = Path(folder)
    info = read_info(place)
    if info["finished"] is not None and (place / RESULTS).exists():
        return Loaded(place, _read_table(place / RESULTS), info)
    return Loaded(place, journalled(place), info)


def finish(folder: str | Path) -> Loaded:
    """Write results.parquet from the journal, of a finished run or of half a one."""
    place = Path(folder)
    info, rows = read_info(place), journalled(place)
    if not (place / JOURNAL).exists():
        raise RunDamaged(f"{place} has no {JOURNAL}: there is nothing to make {RESULTS} from")
    write_whole(place / RESULTS, _table_bytes(rows))
    return Loaded(place, rows, info)


def journalled(folder: Path) -> list[dict[str, Any]]:
    """The rows of a journal in an order of their own, whichever was finished first. Of a task that was played again, the last row counts."""
    rows = {(row["id"], row["sample"]): row for row in lines(folder)}
    return sorted(rows.values(), key=lambda row: (row["env"], row["level"], row["id"], row["sample"]))


def lines(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a journal, in the order in which they were finished; RunDamaged for one that lacks a column."""
    for number, row in enumerate(read_journal(folder / JOURNAL), 1):
        if missing := [column for column in COLUMNS if column not in row]:
            raise RunDamaged(
                f"line {number} of {folder / JOURNAL} has no {', '.join(missing)}: was it written by another version of rlgym?"
            )
        yield {column: row[column] for column in COLUMNS}


def read_info(folder: Path) -> dict[str, Any]:
    """What run.json says; RunDamaged where there is none, or none that can be read."""
    file = folder / RUN
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "holds no run of `rlgym eval`: it has no run.json" if folder.is_dir() else "is no folder"
        raise RunDamaged(f"{folder} {what}") from None
    except (OSError, ValueError) as error:
        raise RunDamaged(f"{file} cannot be read ({error})") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        found = read.get("format") if isinstance(read, dict) else type(read).__name__
        raise RunDamaged(f"{file} must be of format {FORMAT}, got {found!r}: it was written by another version of rlgym")
    for key, kind in (("suite", dict), ("model", dict), ("sampling", dict)):
        if not isinstance(read.get(key), kind):
            raise RunDamaged(f"{file} is damaged: it says nothing of the {key}")
    if "finished" not in read or "tasks" not in read["suite"] or "samples" not in read["sampling"]:
        raise RunDamaged(f"{file} is damaged: it does not say how many tasks there are, or whether the run is finished")
    return read


def write_info(folder: Path, info: Mapping[str, Any]) -> None:
    """Write run.json, whole or not at all."""
    write_whole(folder / RUN, (json.dumps(info, indent=2, ensure_ascii=False) + "\n").encode())


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
        again = f"`rlgym eval report {file.parent}` makes it anew from {JOURNAL}" if (file.parent / JOURNAL).exists() else "restore it"
        raise RunDamaged(f"{file} is damaged ({str(error)[:100]}): {again}") from None
    if missing := [name for name in COLUMNS if name not in table.column_names]:
        raise RunDamaged(f"{file} has no column {', '.join(missing)}: was it written by another version of rlgym?")
    rows: list[dict[str, Any]] = table.select(list(COLUMNS)).to_pylist()
    return rows
