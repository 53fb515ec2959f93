"""Significance of differences between two runs: paired tests, and Holm's correction for multiple tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rlgym.evaluate.metrics.task_table import Array

FLIPS = 10_000
SEED = 20030
EXACT = 14
"""Up to this many non-zero differences, all sign patterns are enumerated."""


def mcnemar(gained: int, lost: int) -> float:
    """The exact two-sided p-value of McNemar's test: a binomial test of the tasks that changed."""
    changed, fewer = gained + lost, min(gained, lost)
    if not changed:
        return 1.0
    term = tail = 1
    for count in range(fewer):
        term = term * (changed - count) // (count + 1)
        tail += term
    return min(1.0, float(2 * tail / 2**changed) if changed < 1000 else _ratio(2 * tail, 2**changed))


def _ratio(above: int, below: int) -> float:
    """The ratio of two integers that are too large for floats."""
    return math.exp(min(0.0, math.log(above) - math.log(below)))


def sign_flips(changes: Array, seed: int = SEED) -> float:
    """The two-sided p-value of a mean change: how often random signs of the tasks' changes give one at least as large.

    Few changes are enumerated; otherwise the test uses FLIPS random sign patterns and the observed one.
    """
    moved = changes[np.abs(changes) > 1e-12]
    if not len(moved):
        return 1.0
    observed = abs(float(moved.sum())) - 1e-9  # tolerance, since summation order changes the last bits
    if len(moved) <= EXACT:
        signs = 1 - 2 * ((np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))) & 1)
        return float((np.abs(signs @ moved) >= observed).mean())
    rng = np.random.default_rng(seed)
    as_large, max_concurrency = 0, max(1, 4_000_000 // len(moved))
    for begin in range(0, FLIPS, max_concurrency):
        some = min(max_concurrency, FLIPS - begin)
        signs = rng.integers(0, 2, size=(some, len(moved)), dtype=np.int8).astype(np.float32) * 2 - 1
        as_large += int((np.abs(signs @ moved) >= observed).sum())
    return (as_large + 1) / (FLIPS + 1)


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for multiple tests by Holm's step-down procedure, which controls the family-wise error rate."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    corrected, highest = [1.0] * len(values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected
