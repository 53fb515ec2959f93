"""Aggregates over environments, each counted alike: interquartile mean, optimality gap, performance profile.

After Agarwal and others, "Deep Reinforcement Learning at the Edge of the Statistical Precipice".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Estimate, Resampling, centred, ends_of, percentiles
from rlgym.evaluate.metrics.tasks import Array, Tasks, codes

THRESHOLDS = tuple(step / 20 for step in range(20))


def interquartile_mean(scores: Array) -> Array:
    """The mean of the middle half along the last axis; a score at the edge of it counts by the part that lies inside."""
    ordered = np.sort(scores, axis=-1)
    count = ordered.shape[-1]
    ends = np.arange(count + 1)
    inside = np.clip(np.minimum(ends[1:], 0.75 * count) - np.maximum(ends[:-1], 0.25 * count), 0.0, 1.0)
    return ordered @ inside / inside.sum()


def profile(tasks: Tasks, resampling: Resampling) -> dict[str, Any] | None:
    """The three aggregates of the environments' accuracies; None without tasks."""
    if not len(tasks):
        return None
    groups, names = codes(tasks.env)
    sums = np.bincount(groups, weights=tasks.accuracy, minlength=len(names))
    scores = sums / np.bincount(groups, minlength=len(names))
    drawn = resampling.group_means(tasks.accuracy, groups, len(names))
    drawn = np.where(np.isfinite(drawn), drawn, scores)
    wholes = {
        "mean": (scores.mean(), drawn.mean(axis=1)),
        "iqm": (interquartile_mean(scores), interquartile_mean(drawn)),
        "median": (np.median(scores), np.median(drawn, axis=1)),
        "optimality_gap": (1 - scores.mean(), 1 - drawn.mean(axis=1)),
    }
    above = [(float((scores > bar).mean()), (drawn > bar).mean(axis=1)) for bar in THRESHOLDS]
    return {
        "environments": len(names),
        **{name: _estimate(float(mean), *ends_of(found)) for name, (mean, found) in wholes.items()},
        "profile": [
            {"threshold": bar, **_estimate(share, *(float(end) for end in percentiles(centred(share, shares))))}
            for bar, (share, shares) in zip(THRESHOLDS, above)
        ],
    }


def _estimate(mean: float, low: float | None, high: float | None) -> dict[str, Any]:
    found = Estimate(mean, low, high, 0).to_dict()
    return {"mean": found["mean"], "low": found["low"], "high": found["high"]}
