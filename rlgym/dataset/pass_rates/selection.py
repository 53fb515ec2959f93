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


def prompt_of_entry(entry: Entry) -> Row:
    """The columns of a recorded task's row that decide its split, generated again from its environment, knobs and seed."""
    key = entry.key
    level = None if key.level < 0 else key.level
    task = sample_task(key.env, environment(key.env), key.seed, configure(environment(key.env), level, json.loads(key.knobs)), level)
    return {"env": key.env, "prompt": task.prompt}


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


def teacher_tasks(store: PassRates, student: str, teacher: str, count: int, *, min_samples: int = 1) -> list[Entry]:
    """The student's tasks for which a teacher's response is worth most, best first: the greatest (1 - p_student) p_teacher.

    That is the chance that the teacher's response is right times the chance that the student's is not, both smoothed by half a success and
    half a failure. After "Robust Active Distillation", whose measure of what the student lacks is its margin. RowError if the two models
    have no recorded task in common.
    """
    for name in (student, teacher):
        if name not in store.models():
            raise RowError(f"the store has no model {name!r}.{suggestion(name, store.models())}")
    taught = {
        (entry.key.env, entry.key.version, entry.key.knobs, entry.key.seed): _smoothed_rate(entry)
        for entry in store.entries(teacher, min_samples=min_samples, current=True)
    }
    gains = []
    for entry in store.entries(student, min_samples=min_samples, current=True):
        place = (entry.key.env, entry.key.version, entry.key.knobs, entry.key.seed)
        if place in taught:
            gains.append(((1 - _smoothed_rate(entry)) * taught[place], entry))
    if not gains:
        raise RowError(f"{student!r} and {teacher!r} have no task in common: record both on one suite")
    return [entry for _, entry in sorted(gains, key=lambda pair: -pair[0])[:count]]


def _smoothed_rate(entry: Entry) -> float:
    return (entry.right + 0.5) / (entry.samples + 1)


def write_teacher_tasks(store: PassRates, student: str, teacher: str, file: Path, count: int, min_samples: int) -> dict[str, Any]:
    """Write the tasks of `teacher_tasks` as JSON lines with the columns of a dataset and the student's `pass_rate`; returns the counts."""
    entries = teacher_tasks(store, student, teacher, count, min_samples=min_samples)
    lines = [json.dumps(row_of_entry(entry) | {"pass_rate": entry.rate}) for entry in entries]
    write_atomically(file, ("\n".join(lines) + "\n").encode())
    return {"model": student, "teacher": teacher, "tasks": len(entries), "by_env": dict(Counter(entry.key.env for entry in entries))}


def learnability_weights(store: PassRates, model: str, names: list[str]) -> dict[str, float]:
    """Weights of environments for a recipe or a mixture: the mean of p (1 - p) over the tasks of each, where p is the solve rate.

    It is proportional to the variance of a group's rewards; an environment without records has the mean weight of the others.
    """
    sums: dict[str, list[float]] = {}
    for entry in store.entries(model, current=True):
        smoothed = _smoothed_rate(entry)
        sums.setdefault(entry.key.env, []).append(smoothed * (1 - smoothed))
    known = {name: sum(sums[name]) / len(sums[name]) for name in names if name in sums}
    if not known:
        raise RowError(f"the store has no task of {model!r} in any of the environments {', '.join(names[:5])}")
    mean = sum(known.values()) / len(known)
    return {name: known.get(name, mean) for name in names}
