"""Pairs the tasks that two runs share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rlgym import RlgymError
from rlgym.evaluate.metrics.task_table import Array, Row, Tasks, task_table


class SuitesDiffer(RlgymError, ValueError):
    """Two runs cannot be compared because their tasks differ."""


@dataclass(frozen=True)
class Pairs:
    """The shared tasks of both runs in the same order; `notes` list what was excluded and how the runs differ."""

    a: Tasks
    b: Tasks
    notes: Sequence[str]

    def __len__(self) -> int:
        return len(self.a)

    @property
    def change(self) -> Array:
        """Per task the accuracy of B minus that of A."""
        return self.b.accuracy - self.a.accuracy

    @property
    def single(self) -> bool:
        """Whether each task has one sample in both runs."""
        return bool((self.a.n == 1).all() and (self.b.n == 1).all())

    def subset(self, mask: Array) -> Pairs:
        """The pairs where `kept` is true."""
        return replace(self, a=self.a.subset(mask), b=self.b.subset(mask))


def pair(a: tuple[Sequence[Row], Mapping[str, Any]], b: tuple[Sequence[Row], Mapping[str, Any]], common: bool = False) -> Pairs:
    """The shared tasks of two runs, each given as its rows and run.json.

    Raises SuitesDiffer if the suites differ, unless `common` restricts the comparison to shared tasks; also if no task is shared.
    """
    (rows_a, run_a), (rows_b, run_b) = a, b
    ids_a, ids_b = {row["id"] for row in rows_a}, {row["id"] for row in rows_b}
    same = _suite(run_a).get("hash") == _suite(run_b).get("hash")
    if not same and not common:
        raise SuitesDiffer(_describe_difference(run_a, run_b, ids_a, ids_b))
    tasks_a, tasks_b = task_table(rows_a), task_table(rows_b)
    shared = set(tasks_a.ids) & set(tasks_b.ids)
    if not shared:
        raise SuitesDiffer(
            f"the runs share no task that counts in both: A has {len(tasks_a)}, B has {len(tasks_b)}; choose runs of one suite"
        )
    kept_a = tasks_a.subset(np.array([name in shared for name in tasks_a.ids], dtype=bool))
    kept_b = _reorder(tasks_b, kept_a.ids)
    notes = [*_notes_on_tasks(tasks_a, tasks_b, shared, run_a, run_b, same), *_notes_on_sampling(run_a, run_b)]
    return Pairs(kept_a, replace(kept_b, level=kept_a.level), notes)


def _reorder(tasks: Tasks, ids: Sequence[str]) -> Tasks:
    place = {name: number for number, name in enumerate(tasks.ids)}
    at = [place[name] for name in ids]
    arrays = {name: getattr(tasks, name)[at] for name in ("env", "domain", "kind", "split", "level", "n", "right")}
    return Tasks(list(ids), [tasks.samples[number] for number in at], **arrays)


def _suite(run: Mapping[str, Any]) -> Mapping[str, Any]:
    return run.get("suite") or {}


def _describe_difference(run_a: Mapping[str, Any], run_b: Mapping[str, Any], ids_a: set[str], ids_b: set[str]) -> str:
    """The difference between two suites, in words."""
    suite_a, two = _suite(run_a), _suite(run_b)
    shared = ids_a & ids_b
    parts = [
        f"A ({run_a.get('label')!r}) has the suite {suite_a.get('name')!r}, hash {str(suite_a.get('hash'))[:12]}, {suite_a.get('tasks')} tasks"
    ]
    parts.append(f"B ({run_b.get('label')!r}) has {two.get('name')!r}, hash {str(two.get('hash'))[:12]}, {two.get('tasks')} tasks")
    parts.append(f"they share {len(shared)} tasks")
    for name, only in (("A", sorted(ids_a - ids_b)), ("B", sorted(ids_b - ids_a))):
        if only:
            parts.append(f"{len(only)} are only in {name}, such as {', '.join(only[:2])}")
    return f"the runs have different suites: {'; '.join(parts)}. Use --common (common=True) to compare the shared tasks only"


def _notes_on_tasks(a: Tasks, b: Tasks, shared: set[str], run_a: Mapping[str, Any], run_b: Mapping[str, Any], same: bool) -> list[str]:
    out = []
    if not same:
        out.append("The suites differ: only their common tasks are compared.")
    for name, tasks, run in (("A", a, run_a), ("B", b, run_b)):
        expected = int(_suite(run).get("tasks") or 0)
        if not run.get("finished"):
            out.append(f"{name} is unfinished: it has {len(tasks)} of {expected} tasks; only the tasks that both runs have are compared.")
        if remaining := len(tasks) - len(shared):
            out.append(f"{remaining} tasks of {name} are excluded: the other run has no unmasked sample of them.")
    return out


def _notes_on_sampling(run_a: Mapping[str, Any], run_b: Mapping[str, Any]) -> list[str]:
    sampling_a, two = ({**(run.get("sampling") or {}), "tools": run.get("tools"), "rlgym": run.get("rlgym")} for run in (run_a, run_b))
    named = ("samples", "temperature", "top_p", "max_tokens", "tools", "rlgym")
    differing = [f"{name} ({sampling_a.get(name)} and {two.get(name)})" for name in named if sampling_a.get(name) != two.get(name)]
    return [f"The runs have different settings: {', '.join(differing)}."] if differing else []
