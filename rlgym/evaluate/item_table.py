"""Abilities of models and difficulties of tasks from a pass-rate store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.core.errors import suggestion
from rlgym.dataset.files import write_atomically
from rlgym.dataset.pass_rates import PassRates, TaskKey
from rlgym.evaluate.metrics.item_response import ItemFit, fit_items


@dataclass(frozen=True)
class ItemTable:
    """A fit over the tasks of a store.

    fit         abilities by model, and difficulties by the position of a task in `tasks`, as text
    tasks       the tasks, of current versions; their `model` is empty
    counts      of each model, its tasks and samples
    unconnected models that share no task with most others, directly or through further ones: their abilities lie on no common scale
    """

    fit: ItemFit
    tasks: list[TaskKey]
    counts: dict[str, tuple[int, int]]
    unconnected: list[str]


def item_table(store: PassRates, models: Sequence[str] = ()) -> ItemTable:
    """Fit the recorded tasks of some models, by default of all. RlgymError for an unknown model, and without two models."""
    names = list(models) or store.models()
    for name in names:
        if name not in store.models():
            raise RlgymError(f"the store has no model {name!r}.{suggestion(name, store.models())}")
    met = {
        name: {replace(entry.key, model=""): (entry.samples, entry.right) for entry in store.entries(name, current=True)} for name in names
    }
    known = [name for name in names if met[name]]
    if len(known) < 2:
        raise RlgymError(
            f"an item-response fit needs two models with tasks of current versions, got {len(known)} ({', '.join(known) or 'none'})"
        )
    tasks = sorted({task for name in known for task in met[name]}, key=lambda task: (task.env, task.level, task.knobs, task.seed))
    place = {task: str(number) for number, task in enumerate(tasks)}
    fit = fit_items({(name, place[task]): counts for name in known for task, counts in met[name].items()})
    counts = {name: (len(met[name]), sum(samples for samples, _ in met[name].values())) for name in known}
    groups: list[tuple[set[str], set[TaskKey]]] = []
    for name in known:
        joined = [group for group in groups if group[1] & met[name].keys()]
        members = {name}.union(*(group[0] for group in joined))
        groups = [group for group in groups if group not in joined] + [(members, set(met[name]).union(*(group[1] for group in joined)))]
    largest = max(groups, key=lambda group: len(group[0]))[0]
    return ItemTable(fit, tasks, counts, [name for name in known if name not in largest])


def write_items(table: ItemTable, file: Path) -> None:
    """Write the tasks with their difficulties and intervals as JSON lines, the easiest first."""
    rows: list[dict[str, Any]] = []
    for number, task in enumerate(table.tasks):
        known = {key: value for key, value in asdict(task).items() if key != "model"}
        measure = table.fit.difficulties[str(number)]
        rows.append(known | {"difficulty": measure.mean, "low": measure.low, "high": measure.high})
    rows.sort(key=lambda row: row["difficulty"])
    write_atomically(file, "".join(json.dumps(row) + "\n" for row in rows).encode())
