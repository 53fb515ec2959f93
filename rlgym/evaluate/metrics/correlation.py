"""Correlations of two lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rlgym.evaluate.metrics.task_table import Array


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The linear correlation; None for fewer than three pairs, or where one list is constant."""
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The correlation of the ranks; None as for `pearson`."""
    return pearson(ranks(first).tolist(), ranks(second).tolist())


def ranks(values: Sequence[float]) -> Array:
    """Ranks from 1, equal values with their mean rank."""
    ordered = np.sort(values)
    return np.asarray((np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1) / 2)
