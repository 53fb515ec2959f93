"""The tasks that a model solves at certain rates, as rows, and weights of environments for a recipe."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from rlgym.core.errors import RowError, suggestion
from rlgym.dataset.files import write_atomically
from rlgym.dataset.pass_rates.store import Entry, PassRates
from rlgym.dataset.rows import Row, row_of
from rlgym.episode.sampling import configure, sample_task
from rlgym.registry import environment


def selected(store: PassRates, model: str, *, low: float = 0.2, high: float = 0.8, min_samples: int = 4) -> list[Entry]:
    """The tasks of current versions with a solve rate from `low` to `high`. RowError if the model is unknown, the band empty, or no task is in it."""
    if low > high:
        raise RowError(f"the least solve rate {low:g} is above the greatest, {high:g}")
    if model not in store.models():
        raise RowError(f"the store has no model {model!r}.{suggestion(model, store.models())}")
    found = list(store.entries(model, low=low, high=high, min_samples=min_samples, current=True))
    if not found:
        raise RowError(f"no task of {model!r} has {min_samples} samples and a solve rate from {low:g} to {high:g}")
    return found


def row_of_entry(entry: Entry) -> Row:
    """The row of a recorded task, generated again from its environment, knobs and seed; RowError if that is impossible."""
    key = entry.key
    declared = environment(key.env)
    if declared.version != key.version:
        raise RowError(f"{key.env} has version {declared.version}, and the task is of version {key.version}")
    config = configure(declared, None if key.level < 0 else key.level, json.loads(key.knobs))
    return row_of(declared, sample_task(key.env, declared, key.seed, config, None if key.level < 0 else key.level), "tag")


def write_selection(store: PassRates, model: str, file: Path, *, low: float, high: float, min_samples: int) -> dict[str, Any]:
    """Write the selected tasks as JSON lines with the columns of a dataset and `pass_rate`; returns the counts."""
    entries = selected(store, model, low=low, high=high, min_samples=min_samples)
    lines = [json.dumps(row_of_entry(entry) | {"pass_rate": entry.rate}) for entry in entries]
    write_atomically(file, ("\n".join(lines) + "\n").encode())
    return {"model": model, "tasks": len(entries), "by_env": dict(Counter(entry.key.env for entry in entries))}


def learnability_weights(store: PassRates, model: str, names: list[str]) -> dict[str, float]:
    """Weights of environments for a recipe or a mixture: the mean of p (1 - p) over the tasks of each, where p is the solve rate.

    It is proportional to the variance of a group's rewards; an environment without records has the mean weight of the others.
    """
    sums: dict[str, list[float]] = {}
    for entry in store.entries(model, current=True):
        smoothed = (entry.right + 0.5) / (entry.samples + 1)
        sums.setdefault(entry.key.env, []).append(smoothed * (1 - smoothed))
    known = {name: sum(sums[name]) / len(sums[name]) for name in names if name in sums}
    if not known:
        raise RowError(f"the store has no task of {model!r} in any of the environments {', '.join(names[:5])}")
    mean = sum(known.values()) / len(known)
    return {name: known.get(name, mean) for name in names}
