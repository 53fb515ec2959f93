"""Entropy of a model's answers and of its tokens.

The Invisible Leash: Why RLVR May or May Not Escape Its Origin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Resampling, columns, ratio
from rlgym.evaluate.metrics.majority import votable
from rlgym.evaluate.metrics.task_table import Row, Tasks


def answer_entropy(rows: Sequence[Row]) -> tuple[float, int]:
    """The entropy in nats of the distribution of a task's answers, and how many different ones there are.

    Miller and Madow's correction, (different - 1) / (2 samples), is added, since few samples show too little entropy; log(samples) is the
    most that is returned. Unreadable samples count as one answer.
    """
    counts = Counter(row["answer"] for row in rows)
    shares = np.array(list(counts.values())) / len(rows)
    plain = float(-(shares * np.log(shares)).sum())
    return min(plain + (len(counts) - 1) / (2 * len(rows)), float(np.log(len(rows)))), len(counts)


def entropy(tasks: Tasks, resampling: Resampling) -> dict[str, Any] | None:
    """Entropies with intervals; None without several samples of a single-turn task and without log-probabilities.

    answers    the mean over tasks of `answer_entropy`
    different  the mean number of different answers to a task
    tokens     the mean entropy of the distributions of tokens, over right and over wrong samples
    certainty  their mean self-certainty, likewise
    """
    answers, different = np.full(len(tasks), np.nan), np.full(len(tasks), np.nan)
    for place, rows in enumerate(tasks.samples):
        if votable(rows) and len(rows) > 1:
            answers[place], different[place] = answer_entropy(rows)
    known = any(row.get("token_entropy") is not None for rows in tasks.samples for row in rows)
    if not known and not np.isfinite(answers).any():
        return None
    estimated = columns(tasks, {"answers": answers, "different": different}, resampling, bounds=None)

    def mean(column: str, right: bool) -> dict[str, Any]:
        totals, counts = tasks.sums(lambda row: row.get(column), lambda row: bool(row["right"]) == right)
        return ratio(totals, counts, resampling).to_dict()

    kinds = {"right": True, "wrong": False}
    measured = {name: {kind: mean(column, right) for kind, right in kinds.items()} for name, column in _COLUMNS.items()}
    return {name: estimate.to_dict() for name, estimate in estimated.items()} | (measured if known else {"tokens": None, "certainty": None})


_COLUMNS = {"tokens": "token_entropy", "certainty": "certainty"}
