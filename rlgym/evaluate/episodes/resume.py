"""Opens the folder of a run: a new run, or the same run resumed; a different run is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rlgym
from rlgym import RlgymError
from rlgym.evaluate.episodes.episode import FAILED
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.episodes.progress import PROGRESS_COLUMNS
from rlgym.evaluate.episodes.results import FORMAT, RUN, read_run_info, rows_in_log
from rlgym.evaluate.plan import EvaluationPlan

FinishedEpisodes = dict[tuple[str, int], dict[str, Any]]
"""The finished episodes by (task id, sample), with the columns that `RunProgress` counts."""


def open_run(plan: EvaluationPlan, folder: Path) -> tuple[dict[str, Any], FinishedEpisodes]:
    """The content of run.json, and the finished episodes. Raises RlgymError if the folder holds anything else."""
    expected = run_info(plan)
    if not (folder / RUN).exists():
        others = sorted(file.name for file in folder.iterdir() if not file.name.startswith("."))
        if others := [name for name in others if not name.endswith(".unfinished")]:
            raise RlgymError(f"{folder} holds {', '.join(others[:3])} but no run: choose another folder with --out")
        return expected, {}
    stored_info = read_run_info(folder)
    if differences := list(_differences(stored_info, expected)):
        raise RlgymError(f"{folder} holds a different run ({'; '.join(differences)}): choose another folder with --out")
    info = expected | {
        "started": stored_info.get("started"),
        "finished": stored_info["finished"],
        "label": plan.label or stored_info.get("label", ""),
    }
    info |= {"notes": stored_info["notes"]} if "notes" in stored_info else {}
    rows: FinishedEpisodes = {}
    for row in rows_in_log(folder):
        rows[row["id"], row["sample"]] = {column: row[column] for column in PROGRESS_COLUMNS}
    rows = {key: row for key, row in rows.items() if row["outcome"] != FAILED}
    requested = {(row["id"], sample) for row in plan.suite.rows for sample in range(plan.config.sampling.samples)}
    if unknown := set(rows) - requested:
        raise RlgymError(
            f"{folder / EPISODE_LOG} holds the task {min(unknown)[0]!r}, which is not in the suite: choose another folder with --out"
        )
    return info, rows


def run_info(plan: EvaluationPlan) -> dict[str, Any]:
    """The content of run.json for a plan that has not started."""
    model, sampling = plan.model, asdict(plan.config.sampling)
    known = {} if plan.parameters is None else {"parameters": plan.parameters}
    return {
        "format": FORMAT,
        "label": plan.label or model.name,
        "suite": {"name": plan.suite.name, "hash": plan.suite.hash, "tasks": len(plan.suite.rows)},
        "model": {**model.metadata(), **known, "kind": model.kind, "name": model.name},
        "sampling": sampling | {"extra": dict(sampling["extra"])},
        "tools": "native" if plan.config.native_tools else "text",
        "limits": dict(plan.limits or {}),
        "prices": asdict(plan.config.prices),
        "user": plan.user.version if plan.user else None,
        "rlgym": rlgym.__version__,
        "started": now(),
        "finished": None,
    }


def now() -> str:
    """The current time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _differences(stored_info: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    """What makes two runs different, in words. The address of the model and the prices do not count."""
    for name, read in _IDENTITY.items():
        stored, requested = read(stored_info), read(expected)
        if stored != requested:
            yield f"{name}: stored {stored!r}, requested {requested!r}"
    old, new = stored_info["sampling"], expected["sampling"]
    for name in dict.fromkeys([*new, *old]):
        if old.get(name) != new.get(name):
            yield f"{name}: stored {old.get(name)!r}, requested {new.get(name)!r}"


_IDENTITY: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "suite": lambda info: info["suite"].get("name"),
    "suite hash": lambda info: str(info["suite"].get("hash"))[:12],
    "kind of model": lambda info: info["model"].get("kind"),
    "model": lambda info: info["model"].get("name"),
    "tools": lambda info: info.get("tools"),
    "limits": lambda info: info.get("limits"),
    "user model": lambda info: info.get("user"),
}
