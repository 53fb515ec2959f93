"""Aggregates over environments with equal weights: interquartile mean, optimality gap, performance profile.

After Agarwal and others, "Deep Reinforcement Learning at the Edge of the Statistical Precipice".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Estimate, Resampling, centred, ends_of, percentiles
from rlgym.evaluate.metrics.task_table import Array, Tasks, group_codes

THRESHOLDS = tuple(step / 20 for step in range(20))


def interquartile_mean(scores: Array) -> Array:
    """The mean of the middle half along the last axis; a score at its edge counts with the part inside."""
    ordered = np.sort(scores, axis=-1)
    count = ordered.shape[-1]
    ends = np.arange(count + 1)
    inside = np.clip(np.minimum(ends[1:], 0.75 * count) - np.maximum(ends[:-1], 0.25 * count), 0.0, 1.0)
    return ordered @ inside / inside.sum()


def profile(tasks: Tasks, resampling: Resampling) -> dict[str, Any] | None:
    """The three aggregates of the environments' accuracies; None without tasks."""
    if not len(tasks):
        return None
    groups, names = group_codes(tasks.env)
    sums = np.bincount(groups, weights=tasks.accuracy, minlength=len(names))
    scores = sums / np.bincount(groups, minlength=len(names))
    resampled = resampling.group_means(tasks.accuracy, groups, len(names))
    resampled = np.where(np.isfinite(resampled), resampled, scores)
    wholes = {
        "mean": (scores.mean(), resampled.mean(axis=1)),
        "iqm": (interquartile_mean(scores), interquartile_mean(resampled)),
        "median": (np.median(scores), np.median(resampled, axis=1)),
        "optimality_gap": (1 - scores.mean(), 1 - resampled.mean(axis=1)),
    }
    above = [(float((scores > bar).mean()), (resampled > bar).mean(axis=1)) for bar in THRESHOLDS]
    return {
        "environments": len(names),
        **{name: _estimate(float(mean), *ends_of(ends)) for name, (mean, ends) in wholes.items()},
        "profile": [
            {"threshold": bar, **_estimate(share, *(float(end) for end in percentiles(centred(share, shares))))}
            for bar, (share, shares) in zip(THRESHOLDS, above)
        ],
    }


def _estimate(mean: float, low: float | None, high: float | None) -> dict[str, Any]:
    fields = Estimate(mean, low, high, 0).to_dict()
    return {"mean": fields["mean"], "low": fields["low"], "high": fields["high"]}
