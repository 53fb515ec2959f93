"""Selective answering under a shift: thresholds of certainty chosen on one set of verdicts, and what they admit and promise on another.

After "Similarity-Distance-Magnitude Universal Verification". Verdicts are those of a learned verifier, as scores with labels, or the answers of a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rlgym import RlgymError
from rlgym.core.intervals import wilson
from rlgym.evaluate.metrics.abstention import COVERAGES, selective_accuracy
from rlgym.evaluate.metrics.task_table import Array, rows_as_dicts

MOST_CLASSES, ALL = 4, "all"
"""Up to so many different answers are classes of their own; with more, all answers are one class."""


@dataclass(frozen=True)
class Verdicts:
    """Verdicts with their certainties, whether they are right, and the class that each names."""

    certainty: Array
    right: Array
    named: Array

    def __len__(self) -> int:
        return len(self.right)


def verdicts_of_scores(rows: Iterable[Mapping[str, Any]]) -> Verdicts:
    """From a verifier's scores: `score`, its probability of right, and `label`, whether it is. RlgymError names the first line without them."""
    scores, labels = [], []
    for number, row in enumerate(rows, 1):
        score, label = row.get("score"), row.get("label")
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1 or label not in (0, 1):
            raise RlgymError(
                f"line {number} needs `score`, a probability from 0 to 1, and `label`, true or false; got {score!r} and {label!r}"
            )
        scores.append(float(score))
        labels.append(bool(label))
    score_V, label_V = np.array(scores), np.array(labels, dtype=bool)
    accepted_V = score_V >= 0.5
    return Verdicts(np.maximum(score_V, 1 - score_V), accepted_V == label_V, np.where(accepted_V, "accepted", "refused").astype(object))


def verdicts_of_run(rows: Any) -> Verdicts:
    """From a run: each sample by its stated confidence, or each task's most frequent answer by its share of the samples.

    RlgymError for a run without stated confidences and without tasks of several samples.
    """
    counted = [row for row in rows_as_dicts(rows) if not row["masked"]]
    found = [(float(row["confidence"]), bool(row["right"]), row["answer"]) for row in counted if row["confidence"] is not None]
    if not found:
        by_task: dict[str, list[Mapping[str, Any]]] = {}
        for row in counted:
            by_task.setdefault(row["id"], []).append(row)
        for samples in by_task.values():
            answers = Counter(row["answer"] for row in samples if row["answer"] is not None)
            if len(samples) > 1 and answers:
                answer, votes = answers.most_common(1)[0]
                found.append((votes / len(samples), any(row["right"] for row in samples if row["answer"] == answer), answer))
    if not found:
        raise RlgymError("the run has no certainty: play NAME:with_confidence, or several samples of each task")
    certainty, right, answers_V = zip(*found, strict=True)
    named = [str(answer) for answer in answers_V] if len(set(answers_V)) <= MOST_CLASSES else [ALL] * len(found)
    return Verdicts(np.array(certainty), np.array(right, dtype=bool), np.array(named, dtype=object))


def read_verdicts(place: str | Path) -> Verdicts:
    """The verdicts in the folder of a run, or in a JSONL file of scores with labels."""
    from rlgym.dataset.score import read_responses
    from rlgym.evaluate.episodes.results import load

    return verdicts_of_run(load(place).rows) if Path(place).is_dir() else verdicts_of_scores(read_responses(Path(place)))


def selective(calibration: Verdicts, shifted: Verdicts, target: float = 0.9) -> dict[str, Any]:
    """Thresholds from `calibration` and what they do on `shifted`, as JSON-able data.

    For each class the threshold is the least certainty above which the lower end of the 95 percent interval (Wilson) of the accuracy on `calibration` reaches
    `target`; where none does, nothing of the class is admitted. `kept` says whether the accuracy on `shifted` can still be `target` by its interval, None
    where nothing is admitted. RlgymError for a side without verdicts or a target outside of 0 and 1.
    """
    if not 0 < target < 1:
        raise RlgymError(f"the target is an accuracy between 0 and 1, got {target}")
    for name, verdicts in (("calibration", calibration), ("shifted", shifted)):
        if not len(verdicts):
            raise RlgymError(f"the {name} side has no verdict")
    classes = sorted({*calibration.named, *shifted.named})
    thresholds = {name: _threshold(calibration, name, target) for name in classes}
    return {
        "format": 1,
        "target": target,
        "classes": [
            {
                "class": name,
                "threshold": thresholds[name],
                "calibration": _admitted(calibration, {name: thresholds[name]}, target),
                "shifted": _admitted(shifted, {name: thresholds[name]}, target),
            }
            for name in classes
        ],
        "calibration": _admitted(calibration, thresholds, target) | {"curve": _curve(calibration)},
        "shifted": _admitted(shifted, thresholds, target) | {"curve": _curve(shifted)},
        "notes": _notes(thresholds, calibration, shifted, target),
    }


def _threshold(verdicts: Verdicts, name: str, target: float) -> float | None:
    own = verdicts.named == name
    certainty, right = verdicts.certainty[own], verdicts.right[own]
    reached = [
        level
        for level in np.unique(certainty)
        if wilson(int(right[certainty >= level].sum()), int((certainty >= level).sum()))[0] >= target
    ]
    return float(min(reached)) if reached else None


def _admitted(verdicts: Verdicts, thresholds: Mapping[str, float | None], target: float) -> dict[str, Any]:
    """Coverage and accuracy of what the thresholds admit, among the verdicts of their classes."""
    own = np.isin(verdicts.named, list(thresholds))
    least = np.array([np.inf if thresholds.get(name) is None else thresholds[name] for name in verdicts.named], dtype=float)
    taken = own & (verdicts.certainty >= least)
    count, right = int(taken.sum()), int(verdicts.right[taken].sum())
    low, high = wilson(right, count) if count else (None, None)
    return {
        "verdicts": int(own.sum()),
        "accuracy_of_all": float(verdicts.right[own].mean()) if own.any() else None,
        "admitted": count,
        "coverage": count / int(own.sum()) if own.any() else None,
        "accuracy": {"mean": right / count if count else None, "low": low, "high": high},
        "kept": None if high is None else high >= target,
    }


def _curve(verdicts: Verdicts) -> list[dict[str, float]]:
    values = selective_accuracy(verdicts.certainty, verdicts.right)
    return [{"coverage": coverage, "accuracy": float(value)} for coverage, value in zip(COVERAGES, values, strict=True)]


def _notes(thresholds: Mapping[str, float | None], calibration: Verdicts, shifted: Verdicts, target: float) -> list[str]:
    notes = []
    for name, threshold in thresholds.items():
        if name not in calibration.named:
            notes.append(f"The class {name!r} occurs only among the shifted verdicts: none of its verdicts is admitted.")
        elif threshold is None:
            notes.append(
                f"No threshold of the class {name!r} reaches an accuracy of {target:g} on the calibration side, at the lower end of its interval: "
                "none of its verdicts is admitted."
            )
        if name not in shifted.named:
            notes.append(f"The class {name!r} does not occur among the shifted verdicts.")
    return notes
