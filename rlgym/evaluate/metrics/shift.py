"""The shift gap: accuracy on the main split minus accuracy on the structurally shifted family."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Resampling, ends_of, percentiles
from rlgym.evaluate.metrics.task_table import Tasks, group_codes


def shift_gap(tasks: Tasks, draws: int, seed: int) -> dict[str, Any] | None:
    """The gap over all cells (environment and level) that have both splits, with equal weights; None if no cell has both."""
    groups, names = group_codes(tasks.env, tasks.level)
    shifted = tasks.split == "shift"
    both = np.bincount(groups[shifted], minlength=len(names)).astype(bool) & np.bincount(groups[~shifted], minlength=len(names)).astype(
        bool
    )
    paired = tasks.subset(both[groups]) if len(tasks) else tasks
    if not len(paired):
        return None
    groups, names = group_codes(paired.env, paired.level)
    sides = groups * 2 + (paired.split == "shift")
    counts = np.bincount(sides, minlength=2 * len(names))
    means = (np.bincount(sides, weights=paired.accuracy, minlength=2 * len(names)) / counts).reshape(-1, 2)
    resampled = Resampling.of(paired, draws, seed).group_means(paired.accuracy, sides, 2 * len(names))
    resampled = np.where(np.isfinite(resampled), resampled, means.ravel()).reshape(len(resampled), -1, 2)
    gaps, drawn_gaps = means[:, 0] - means[:, 1], resampled[:, :, 0] - resampled[:, :, 1]
    low, high = ends_of(drawn_gaps.mean(axis=1))
    sides_mean = means.mean(axis=0)
    return {
        "gap": {"mean": float(gaps.mean()), "low": low, "high": high, "tasks": len(paired)},
        "main": float(sides_mean[0]),
        "shift": float(sides_mean[1]),
        "places": len(names),
        "environments": _environment_rows(names, means, drawn_gaps, counts.reshape(-1, 2)),
    }


def _environment_rows(names: Any, means: Any, drawn_gaps: Any, counts: Any) -> list[dict[str, Any]]:
    rows = []
    envs = np.array([env for env, _ in names], dtype=object)
    for env in sorted(set(envs.tolist())):
        at = envs == env
        low, high = (float(end) for end in percentiles(drawn_gaps[:, at].mean(axis=1)))
        main, shift = means[at].mean(axis=0)
        tasks = counts[at].sum(axis=0)
        gap = {"gap": float(main - shift), "low": low, "high": high}
        rows.append({"environment": env, **gap, "main": float(main), "shift": float(shift), "tasks": [int(n) for n in tasks]})
    return rows
