"""What the imports of logs of all evaluation tools share: the columns of a task and of a value, and the new run's files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rlgym
from rlgym import Outcome, RlgymError
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.episodes.results import COLUMNS, FORMAT, RunData, write_results, write_run_info


def check_new_folder(folder: Path) -> None:
    """RlgymError where the folder of the new run holds files."""
    if folder.exists() and any(folder.iterdir()):
        raise RlgymError(f"{folder} holds files: give a new folder for the run")


def write_imported_run(folder: Path, rows: Sequence[Mapping[str, Any]], info: Mapping[str, Any]) -> RunData:
    """Write result rows and the content of run.json as a run."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps({name: row.get(name) for name in COLUMNS}) + "\n" for row in rows)
    (folder / EPISODE_LOG).write_text(lines, encoding="utf-8")
    write_run_info(folder, dict(info))
    return write_results(folder)


def run_info(
    *,
    label: str,
    suite: str,
    rows: Sequence[Mapping[str, Any]],
    model: Mapping[str, str],
    sampling: Mapping[str, Any],
    started: str,
    finished: str | None,
) -> dict[str, Any]:
    """The content of run.json for a log that another tool has written. `model` has kind and name, `sampling` the generation's parameters."""
    ids = sorted({row["id"] for row in rows})
    return {
        "format": FORMAT,
        "label": label,
        "suite": {"name": suite, "hash": hashlib.sha256("\n".join(ids).encode()).hexdigest(), "tasks": len(ids)},
        "model": dict(model),
        "sampling": {"samples": max(row["sample"] for row in rows) + 1, **sampling},
        "tools": None,
        "limits": {},
        "prices": {"prompt": None, "completion": None},
        "rlgym": rlgym.__version__,
        "started": started,
        "finished": finished,
    }


def value_columns(value: float | None, outcome: str | None = None) -> dict[str, Any]:
    """The columns of a score from 0 to 1, or of None for what was not scored."""
    found = outcome or ("error" if value is None else "right" if value == 1 else "partial" if value > 0 else "wrong")
    masked = value is None or found == Outcome.ERROR.value
    return {"value": value or 0.0, "outcome": found, "right": value == 1.0, "masked": masked}


def task_columns(task_json: str | None, name: str, domain: str) -> dict[str, Any]:
    """The known fields of the task: all of them for a task of rlgym (from its task JSON); for others the name, with the tool as the domain."""
    if task_json is not None:
        task = json.loads(task_json)
        declared = rlgym.environment(task["env"])
        split = "shift" if task["env"].endswith(":shift") else "main"
        known = {column: task[column] for column in ("env", "version", "level", "seed")}
        return known | {"domain": rlgym.spec(task["env"])["domain"], "kind": declared.kind, "split": split, "difficulty": 0.0}
    none = {"version": 1, "level": 0.0, "seed": 0, "kind": "environment", "split": "main", "difficulty": 0.0}
    return {"env": name, "domain": domain} | none


def unit_value(value: Any) -> float | None:
    """A score from 0 to 1; None for what is no number. RlgymError for a number outside."""
    if isinstance(value, int | float) and value == value:
        if not 0 <= value <= 1:
            raise RlgymError(f"scores are read from 0 to 1, got {value!r}: score the log with another scorer first")
        return float(value)
    return None
