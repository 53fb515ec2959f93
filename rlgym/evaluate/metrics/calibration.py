"""Calibration: how well stated confidence agrees with accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlgym.core.intervals import wilson
from rlgym.evaluate.metrics.bootstrap import Resampling, centred, divided, percentiles
from rlgym.evaluate.metrics.task_table import Array, Row, Tasks

BINS = 10


def brier(confidence: Array, right: Array) -> float:
    """The mean squared difference between confidence and 1 (right) or 0 (wrong); 0 is perfect; always stating 0.5 gives 0.25."""
    return float(np.mean((confidence - right) ** 2))


def bin_of(confidence: Array) -> Array:
    """The bin of each confidence: ten of equal width, the upper end in the last."""
    return np.clip((confidence * BINS).astype(int), 0, BINS - 1)


def expected_calibration_error(confidence: Array, right: Array) -> float:
    """ECE: the difference between mean confidence and accuracy of each bin, weighted by the number of samples in the bin."""
    bins = bin_of(confidence)
    gaps = np.bincount(bins, weights=confidence - right, minlength=BINS)
    return float(np.abs(gaps).sum() / len(confidence))


def auroc(confidence: Array, right: Array) -> float | None:
    """The probability that a right sample has a higher confidence than a wrong one; ties count half. None if one kind is missing."""
    areas = _aurocs(confidence, right.astype(float), np.ones((1, len(right))))[0]
    return float(areas) if np.isfinite(areas) else None


def _aurocs(confidence: Array, right: Array, weights: Array) -> Array:
    """The AUROC under each row of weights."""
    order = np.argsort(confidence, kind="stable")
    starts = np.flatnonzero(np.diff(confidence[order], prepend=-1.0))
    good = np.add.reduceat(weights[:, order] * right[order], starts, axis=1)
    bad = np.add.reduceat(weights[:, order] * (1 - right[order]), starts, axis=1)
    below = np.cumsum(bad, axis=1) - bad
    return divided((good * (below + bad / 2)).sum(axis=1), good.sum(axis=1) * bad.sum(axis=1))


def calibration(tasks: Tasks, draws: int, seed: int) -> dict[str, Any] | None:
    """Brier score, ECE and AUROC with intervals, and the bins of a reliability diagram; None if no confidence was stated.

    `rlcr` is the mean of right - (confidence - right)^2, the reward of "Beyond Binary Rewards": accuracy minus Brier score.
    """
    answered = tasks.subset(np.array([any(row["confidence"] is not None for row in rows) for rows in tasks.samples], dtype=bool))
    if not len(answered):
        return None
    stated = [(place, row) for place, rows in enumerate(answered.samples) for row in rows if row["confidence"] is not None]
    task = np.array([place for place, _ in stated])
    confidence = np.clip(np.array([float(row["confidence"]) for _, row in stated]), 0.0, 1.0)
    right = np.array([float(bool(row["right"])) for _, row in stated])
    resampled = _measures_per_draw(answered, task, confidence, right, draws, seed)
    means = {"brier": brier(confidence, right), "ece": expected_calibration_error(confidence, right), "auroc": auroc(confidence, right)}
    resampled["ece"] = centred(means["ece"] or 0.0, resampled["ece"])
    figures: dict[str, Any] = {}
    for name, mean in means.items():
        low, high = (float(end) for end in percentiles(resampled[name]))
        sure = mean is not None and len(answered) > 1 and bool(np.isfinite(low))
        figures[name] = {"mean": mean, "low": low if sure else None, "high": high if sure else None, "tasks": len(answered)}
    silent = sum(row["confidence"] is None for rows in answered.samples for row in rows)
    facts = {"samples": len(stated), "without": silent, "accuracy": float(right.mean()), "confidence": float(confidence.mean())}
    facts["rlcr"] = facts["accuracy"] - brier(confidence, right)
    return {**figures, **facts, "vote": confidence_vote(answered), "bins": _bins(confidence, right)}


def confidence_vote(tasks: Tasks) -> dict[str, Any] | None:
    """The accuracy of a vote of all samples of a task, weighted by the stated confidence, and that of the plain vote.

    Tied answers share the win. Samples without an answer or a confidence have no vote. None if no task has two samples with both.
    """
    weighted, plain = [], []
    for rows in tasks.samples:
        voting = [row for row in rows if row["answer"] is not None and row["confidence"] is not None]
        if len(voting) > 1:
            weighted.append(_vote(voting, [float(row["confidence"]) for row in voting]))
            plain.append(_vote(voting, [1.0] * len(voting)))
    return {"weighted": float(np.mean(weighted)), "majority": float(np.mean(plain)), "tasks": len(weighted)} if weighted else None


def _vote(rows: Sequence[Row], weights: Sequence[float]) -> float:
    """The share of right rows among the answers of the largest total weight."""
    totals: dict[str, float] = {}
    for row, weight in zip(rows, weights, strict=True):
        totals[row["answer"]] = totals.get(row["answer"], 0.0) + weight
    # Sums of the same confidences in another order may differ by rounding.
    most = max(totals.values()) - 1e-9
    rates = [[float(bool(row["right"])) for row in rows if row["answer"] == answer] for answer, total in totals.items() if total >= most]
    return float(np.mean([np.mean(rate) for rate in rates]))


def _measures_per_draw(tasks: Tasks, task: Array, confidence: Array, right: Array, draws: int, seed: int) -> dict[str, Array]:
    """The three measures under each draw of tasks."""
    resampling = Resampling.of(tasks, draws, seed)
    bins = np.eye(BINS)[bin_of(confidence)]
    parts: dict[str, list[Array]] = {"brier": [], "ece": [], "auroc": []}
    for weights in resampling.weights():
        each = weights[:, task]
        total = each.sum(axis=1)
        parts["brier"].append(divided(each @ (confidence - right) ** 2, total))
        parts["ece"].append(divided(np.abs(each @ (bins * (confidence - right)[:, None])).sum(axis=1), total))
        parts["auroc"].append(_aurocs(confidence, right, each))
    return {name: np.concatenate(arrays) for name, arrays in parts.items()}


def _bins(confidence: Array, right: Array) -> list[dict[str, Any]]:
    """Each bin's ends, number of samples, mean confidence and accuracy with Wilson's interval."""
    bins = bin_of(confidence)
    found = []
    for number in range(BINS):
        inside = bins == number
        count = int(inside.sum())
        facts: dict[str, Any] = {"from": number / BINS, "to": (number + 1) / BINS, "samples": count}
        if count:
            low, high = wilson(float(right[inside].sum()), count)
            facts |= {"confidence": float(confidence[inside].mean()), "accuracy": float(right[inside].mean()), "low": low, "high": high}
        found.append(facts)
    return found
