"""Whether a difference between two runs could be chance: paired tests, and Holm's correction where there are many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rlgym.evaluate.metrics.tasks import Array

FLIPS = 10_000
SEED = 20030
EXACT = 14
"""Up to so many differences that are not zero all their signs are gone through."""


def mcnemar(gained: int, lost: int) -> float:
    """The exact two-sided p-value of McNemar's test: of the tasks that changed, how many did so in the rarer direction."""
    changed, fewer = gained + lost, min(gained, lost)
    if not changed:
        return 1.0
    term = tail = 1
    for count in range(fewer):
        term = term * (changed - count) // (count + 1)
        tail += term
    return min(1.0, float(2 * tail / 2**changed) if changed < 1000 else _ratio(2 * tail, 2**changed))


def _ratio(above: int, below: int) -> float:
    """One large whole number by another, which as floats would both be infinite."""
    return math.exp(min(0.0, math.log(above) - math.log(below)))


def sign_flips(changes: Array, seed: int = SEED) -> float:
    """The two-sided p-value of a mean change: how often it is as large where the sign of each task's change is a coin's.

    With few changes all signs are gone through, else FLIPS random ones and those that were found.
    """
    moved = changes[np.abs(changes) > 1e-12]
    if not len(moved):
        return 1.0
    found = abs(float(moved.sum())) - 1e-9  # sums of equal numbers in another order must count as equal
    if len(moved) <= EXACT:
        signs = 1 - 2 * ((np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))) & 1)
        return float((np.abs(signs @ moved) >= found).mean())
    rng = np.random.default_rng(seed)
    as_large, at_once = 0, max(1, 4_000_000 // len(moved))
    for begin in range(0, FLIPS, at_once):
        some = min(at_once, FLIPS - begin)
        signs = rng.integers(0, 2, size=(some, len(moved)), dtype=np.int8).astype(np.float32) * 2 - 1
        as_large += int((np.abs(signs @ moved) >= found).sum())
    return (as_large + 1) / (FLIPS + 1)


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for how many there are, by Holm's step-down: no one needs more than alpha for any of them to hold."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    corrected, highest = [1.0] * len(values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected
