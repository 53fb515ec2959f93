"""Records the rows of a run in a pass-rate store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rlgym
from rlgym import RlgymError
from rlgym.dataset.pass_rates import PassRates
from rlgym.dataset.rows import knobs_of_row, knobs_text
from rlgym.evaluate.episodes.results import load


def record_run(folder: str | Path, store: str | Path, model: str = "") -> tuple[int, int]:
    """Record a finished or unfinished run, under the model's name; returns (tasks recorded, rows whose knobs are unknown).

    The source is the folder, so that recording a run again adds nothing twice. A row of another version, or with
    knobs that are not recorded, is left out.
    """
    run = load(folder)
    rows = [row | {"knobs": knobs} for row in run.rows if (knobs := _knobs(row)) is not None]
    with PassRates(store) as rates:
        tasks = rates.add_run(rows, model or str(run.info["model"]["name"]), str(Path(folder).resolve()))
    return tasks, len(run.rows) - len(rows)


def _knobs(row: Mapping[str, Any]) -> str | None:
    """The knobs of a row as text, if the hash in its id is theirs."""
    try:
        known = row["level"] is not None and rlgym.environment(row["env"]).version == row["version"]
        return knobs_text(knobs_of_row(row)) if known else None
    except RlgymError:
        return None
