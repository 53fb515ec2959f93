"""The structural-shift gap: accuracy on an environment's own tasks less that on its structurally different family."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Resampling, ends_of, percentiles
from rlgym.evaluate.metrics.tasks import Tasks, codes


def shift_gap(tasks: Tasks, draws: int, seed: int) -> dict[str, Any] | None:
    """The gap over all places (environment and level) that have both splits, each place counted alike; None where none has."""
    groups, names = codes(tasks.env, tasks.level)
    shifted = tasks.split == "shift"
    both = np.bincount(groups[shifted], minlength=len(names)).astype(bool) & np.bincount(groups[~shifted], minlength=len(names)).astype(
        bool
    )
    kept = tasks.of(both[groups]) if len(tasks) else tasks
    if not len(kept):
        return None
    groups, names = codes(kept.env, kept.level)
    sides = groups * 2 + (kept.split == "shift")
    counts = np.bincount(sides, minlength=2 * len(names))
    means = (np.bincount(sides, weights=kept.accuracy, minlength=2 * len(names)) / counts).reshape(-1, 2)
    drawn = Resampling.of(kept, draws, seed).group_means(kept.accuracy, sides, 2 * len(names))
    drawn = np.where(np.isfinite(drawn), drawn, means.ravel()).reshape(len(drawn), -1, 2)
    gaps, drawn_gaps = means[:, 0] - means[:, 1], drawn[:, :, 0] - drawn[:, :, 1]
    low, high = ends_of(drawn_gaps.mean(axis=1))
    sides_mean = means.mean(axis=0)
    return {
        "gap": {"mean": float(gaps.mean()), "low": low, "high": high, "tasks": len(kept)},
        "main": float(sides_mean[0]),
        "shift": float(sides_mean[1]),
        "places": len(names),
        "environments": _by_environment(names, means, drawn_gaps, counts.reshape(-1, 2)),
    }


def _by_environment(names: Any, means: Any, drawn_gaps: Any, counts: Any) -> list[dict[str, Any]]:
    found = []
    envs = np.array([env for env, _ in names], dtype=object)
    for env in sorted(set(envs.tolist())):
        at = envs == env
        low, high = (float(end) for end in percentiles(drawn_gaps[:, at].mean(axis=1)))
        main, shift = means[at].mean(axis=0)
        tasks = counts[at].sum(axis=0)
        gap = {"gap": float(main - shift), "low": low, "high": high}
        found.append({"environment": env, **gap, "main": float(main), "shift": float(shift), "tasks": [int(n) for n in tasks]})
    return found
