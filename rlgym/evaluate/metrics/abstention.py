"""Selective answering: accuracy against coverage when the least certain answers are withheld, and cover@tau."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Resampling, columns
from rlgym.evaluate.metrics.task_table import Array, Tasks

COVERAGES = tuple(step / 20 for step in range(1, 21))
TAUS = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def cover_at_tau(tasks: Tasks, resampling: Resampling) -> list[dict[str, Any]]:
    """cover@tau: the share of tasks of which at least the share tau of the samples is right, with intervals; empty for single samples.

    From "Beyond Pass@k: Breadth-Depth Metrics for Reasoning Boundaries".
    """
    if not len(tasks) or int(tasks.n.max()) < 2:
        return []
    named = {f"{tau}": (tasks.accuracy >= tau - 1e-9).astype(float) for tau in TAUS}
    return [{"tau": float(name), **estimate.to_dict()} for name, estimate in columns(tasks, named, resampling).items()]


def selective_accuracy(certainty: Array, right: Array) -> Array:
    """The accuracy of the most certain share of the answers, for each of COVERAGES. Equal certainties are ordered at random, in expectation."""
    order = np.argsort(-certainty, kind="stable")
    sorted_certainty, sorted_right = certainty[order], right[order].astype(float)
    # Within a run of equal certainties every answer counts with the mean of the run.
    starts = np.flatnonzero(np.diff(sorted_certainty, prepend=np.inf))
    sizes: Array = np.diff(np.append(starts, len(right)))
    expected: Array = np.repeat(np.add.reduceat(sorted_right, starts) / sizes, sizes)
    cumulative = np.concatenate([[0.0], np.cumsum(expected)])
    taken = np.array(COVERAGES) * len(right)
    return np.interp(taken, np.arange(len(right) + 1), cumulative) / taken


def abstention(tasks: Tasks) -> dict[str, dict[str, Any]]:
    """Curves of accuracy against coverage: by `confidence`, stated in each sample, and by `agreement`, the votes of a task's most frequent answer.

    Of `agreement` an answer is the majority vote of a task with two readable samples or more; its accuracy is the share of its right samples.
    `mean_accuracy` is the mean over all coverages, and `best` what it would be if certainty ordered the answers perfectly.
    """
    stated = [row for rows in tasks.samples for row in rows if row["confidence"] is not None]
    curves = {}
    if len(stated) > 1:
        confidence = np.array([float(row["confidence"]) for row in stated])
        curves["confidence"] = _curve(confidence, np.array([float(bool(row["right"])) for row in stated]))
    agreement, right = [], []
    for rows in tasks.samples:
        answers = [row["answer"] for row in rows if row["answer"] is not None]
        if len(answers) < 2:
            continue
        answer, votes = Counter(answers).most_common(1)[0]
        agreement.append(votes / len(rows))
        right.append(float(np.mean([bool(row["right"]) for row in rows if row["answer"] == answer])))
    if len(right) > 1:
        curves["agreement"] = _curve(np.array(agreement), np.array(right))
    return curves


def _curve(certainty: Array, right: Array) -> dict[str, Any]:
    accuracy, best = selective_accuracy(certainty, right), selective_accuracy(right, right)
    points = [{"coverage": coverage, "accuracy": float(value)} for coverage, value in zip(COVERAGES, accuracy, strict=True)]
    return {"answers": len(right), "mean_accuracy": float(accuracy.mean()), "best": float(best.mean()), "curve": points}
