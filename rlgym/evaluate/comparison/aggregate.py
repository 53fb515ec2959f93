"""Aggregates of several runs of each method, such as one for each training seed, with intervals over seeds and tasks together.

After Agarwal and others, "Deep Reinforcement Learning at the Edge of the Statistical Precipice". A draw takes n - 1 of a method's n runs with
replacement, and the same weights of the tasks for every run: seeds and tasks are crossed, so that each has a share in the variance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlgym import RlgymError
from rlgym.evaluate.metrics.bootstrap import DRAWS, SEED, Resampling, centred, ends_of, percentiles
from rlgym.evaluate.metrics.profile import THRESHOLDS, interquartile_mean
from rlgym.evaluate.metrics.task_table import Array, Tasks, group_codes, rows_as_dicts, task_table

Run = tuple[Any, Mapping[str, Any]]
"""The rows of a run and its run.json."""


@dataclass(frozen=True)
class _Method:
    """The accuracies of a method: by run and environment, and for every draw the same of the runs that were drawn."""

    scores_RE: Array
    draws_DRE: Array

    @property
    def runs(self) -> int:
        return len(self.scores_RE)


def aggregate(methods: Mapping[str, Sequence[Run]], common: bool = False, draws: int = DRAWS, seed: int = SEED) -> dict[str, Any]:
    """The aggregates of methods, each with its runs over one suite, as JSON-able data.

    Every environment has the same weight. `rank` is 1 plus the number of methods that are better beyond the 95 % interval of the difference; it is None
    for a method of one run, of which nothing is known about other training seeds. RlgymError for runs of different suites, unless `common` restricts
    them to the tasks that all have, for runs without a common task, and for a run that is named twice.
    """
    tables = {name: [_main(rows) for rows, _ in runs] for name, runs in methods.items()}
    if not tables or not all(tables.values()):
        raise RlgymError("an aggregate needs a method with a run or more")
    _check_suites(methods, common)
    every = [table for each in tables.values() for table in each]
    ids = set.intersection(*(set(table.ids) for table in every))
    if not ids:
        raise RlgymError("the runs have no unmasked task of the main split in common: aggregate runs of one suite")
    left_out = len(set.union(*(set(table.ids) for table in every)) - ids)
    shared = {name: [table.subset(np.array([task in ids for task in table.ids])) for table in each] for name, each in tables.items()}
    resampling = Resampling.of(next(iter(shared.values()))[0], draws, seed)
    rng = np.random.default_rng(seed)
    known = {name: _method(each, resampling, rng) for name, each in shared.items()}
    return {
        "format": 1,
        "suites": sorted({str(run["suite"].get("name")) for runs in methods.values() for _, run in runs}),
        "tasks": len(ids),
        "left_out": left_out,
        "environments": next(iter(known.values())).scores_RE.shape[1],
        "intervals": {"level": 0.95, "draws": draws, "seed": seed},
        "notes": _notes(methods, left_out),
        "methods": [_facts(name, known, [str(run["label"]) for _, run in methods[name]]) for name in known],
        "improvement": [_improvement(one, other, known) for one in known for other in known if one != other],
    }


def _main(rows: Any) -> Tasks:
    tasks = task_table(rows_as_dicts(rows))
    return tasks.subset(tasks.split != "shift") if len(tasks) else tasks


def _check_suites(methods: Mapping[str, Sequence[Run]], common: bool) -> None:
    infos = [run for runs in methods.values() for _, run in runs]
    hashes = {str(run["suite"].get("hash")) for run in infos}
    if len(hashes) > 1 and not common:
        named = ", ".join(f"{run['label']}: {run['suite'].get('name')} ({str(run['suite'].get('hash'))[:8]})" for run in infos)
        raise RlgymError(
            f"the runs have different suites, or other versions of their environments ({named}); --common takes their common tasks"
        )


def _notes(methods: Mapping[str, Sequence[Run]], left_out: int) -> list[str]:
    notes = []
    for name, runs in methods.items():
        if len(runs) == 1:
            notes.append(
                f"{name} has one run: its intervals are over tasks only, and it has no rank, since other training seeds may do otherwise."
            )
        if unfinished := [str(run["label"]) for _, run in runs if not run.get("finished")]:
            notes.append(f"{name}: unfinished runs ({', '.join(unfinished)}) limit the common tasks to what they have.")
    if left_out:
        notes.append(f"{left_out} tasks are left out: some run has none of their samples unmasked.")
    return notes


def _method(tables: Sequence[Tasks], resampling: Resampling, rng: np.random.Generator) -> _Method:
    groups, names = group_codes(tables[0].env)
    sizes = np.bincount(groups, minlength=len(names))
    scores = np.stack([np.bincount(groups, weights=table.accuracy, minlength=len(names)) / sizes for table in tables])
    by_run = [resampling.group_means(table.accuracy, groups, len(names)) for table in tables]
    draws_RDE = np.stack([np.where(np.isfinite(each), each, scores[place]) for place, each in enumerate(by_run)])
    count = len(tables)
    picked_DR = rng.integers(0, count, (draws_RDE.shape[1], max(1, count - 1)))
    return _Method(scores, draws_RDE[picked_DR, np.arange(len(picked_DR))[:, None]])


def _facts(name: str, known: Mapping[str, _Method], labels: Sequence[str]) -> dict[str, Any]:
    method = known[name]
    scores, drawn = method.scores_RE, method.draws_DRE
    flat, flat_draws = scores.ravel(), drawn.reshape(len(drawn), -1)
    ranked = [other for other in known if known[other].runs > 1]
    better = sum(_clearly_better(known[other], method) for other in ranked if other != name)
    above = [(float((flat > bar).mean()), (flat_draws > bar).mean(axis=1)) for bar in THRESHOLDS]
    return {
        "method": name,
        "runs": list(labels),
        "rank": 1 + better if method.runs > 1 else None,
        "mean": _estimate(flat.mean(), flat_draws.mean(axis=1)),
        "iqm": _estimate(interquartile_mean(flat), interquartile_mean(flat_draws)),
        "median": _estimate(np.median(flat), np.median(flat_draws, axis=1)),
        "optimality_gap": _estimate(1 - flat.mean(), 1 - flat_draws.mean(axis=1)),
        "by_run": [float(value) for value in scores.mean(axis=1)],
        "profile": [_profile_point(bar, *point) for bar, point in zip(THRESHOLDS, above)],
    }


def _clearly_better(one: _Method, other: _Method) -> bool:
    """Whether a method is better in at least 97.5 % of the draws; both have the same draws of the tasks."""
    return bool(np.quantile(one.draws_DRE.mean(axis=(1, 2)) - other.draws_DRE.mean(axis=(1, 2)), 0.025) > 0)


def _improvement(one: str, other: str, known: Mapping[str, _Method]) -> dict[str, Any]:
    """The probability that a run of `one` is more accurate in an environment than a run of `other`; equal ones count half."""
    a, b = known[one], known[other]
    shares = _probability(a.draws_DRE, b.draws_DRE)
    return {"method": one, "than": other} | _estimate(float(_probability(a.scores_RE[None], b.scores_RE[None])[0]), shares)


def _probability(a_DRE: Array, b_DRE: Array) -> Array:
    ahead = np.zeros(len(a_DRE))
    for run in range(a_DRE.shape[1]):
        difference = a_DRE[:, run, None, :] - b_DRE
        ahead += ((difference > 0) + 0.5 * (difference == 0)).mean(axis=(1, 2))
    return ahead / a_DRE.shape[1]


def _estimate(mean: Any, resampled: Array) -> dict[str, Any]:
    low, high = ends_of(resampled)
    return {"mean": float(mean), "low": low, "high": high}


def _profile_point(bar: float, mean: float, resampled: Array) -> dict[str, Any]:
    low, high = (float(end) for end in percentiles(centred(mean, resampled)))
    return {"threshold": bar, "mean": mean, "low": low, "high": high}
