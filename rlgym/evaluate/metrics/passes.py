"""What several samples of a task tell: pass@k, avg@k, best-of-k."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.metrics.tasks import Array, Tasks

MOST_SHOWN = 1024
NEEDED = 0.9
"""A k is reported where at least this share of the tasks has so many samples."""


def pass_at_all(samples: int, right: int) -> Array:
    """pass@1 .. pass@samples of one task: 1 - C(n-c, k) / C(n, k), as a running product of factors in [0, 1], so nothing overflows."""
    left = np.arange(samples)
    return 1.0 - np.cumprod(np.clip((samples - right - left) / (samples - left), 0.0, 1.0))


def pass_at(k: int, samples: int, right: int) -> float:
    """The chance that one of k samples is right, without bias, from `samples` of which `right` were."""
    if not 1 <= k <= samples:
        raise ValueError(f"k must be from 1 to the {samples} samples, got {k!r}")
    return float(pass_at_all(samples, right)[k - 1])


def passes(tasks: Tasks, most: int) -> Array:
    """pass@k of every task for k = 1 .. most: [tasks, most]; NaN where a task has fewer samples."""
    found = np.full((len(tasks), most), np.nan)
    known: dict[tuple[int, int], Array] = {}
    for place, (samples, right) in enumerate(zip(tasks.n.tolist(), tasks.right.tolist())):
        if (samples, right) not in known:
            known[samples, right] = pass_at_all(samples, right)
        reach = min(samples, most)
        found[place, :reach] = known[samples, right][:reach]
    return found


def best_of(k: int, values: Array) -> float:
    """The expected highest score of k of a task's samples, drawn without replacement: exact, from the scores in order."""
    ordered = np.sort(values)
    samples = len(ordered)
    # The chance that the highest of k is at most the i-th score is C(i, k) / C(n, k) = product of (i - j) / (n - j) for j < k.
    upto = np.arange(samples + 1)
    below = np.prod([np.clip((upto - j) / (samples - j), 0.0, 1.0) for j in range(k)], axis=0)
    return float(np.dot(ordered, np.diff(below)))


def most_samples(tasks: Tasks) -> int:
    """The largest k for which at least NEEDED of the tasks have so many samples."""
    if not len(tasks):
        return 0
    ordered = np.sort(tasks.n)[::-1]
    return int(min(MOST_SHOWN, ordered[max(0, int(np.ceil(NEEDED * len(ordered))) - 1)]))


def ladder(most: int) -> list[int]:
    """The powers of two up to `most`, and `most` itself."""
    steps: list[int] = []
    k = 1
    while k <= most:
        steps.append(k)
        k *= 2
    return steps if not most or steps[-1] == most else [*steps, most]


def sample_values(rows: Any) -> Array:
    """The scores of a task's samples."""
    return np.array([float(row["value"]) for row in rows])
