"""Questions that the text may leave open: refusals apart from errors, EM and F1 of what can be answered, and a fitted threshold of confidence.

From the parts of scores that `rlgym.generators.facts.abstaining` names, such as those of abstain_when_unanswerable and fact_check_claims.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

CLOSED = ("closed_right", "closed_wrong", "closed_abstained")
OPEN = ("open_abstained", "open_answered")

Row = Mapping[str, Any]
Parts = dict[str, float]


def answerability(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The metrics of each environment whose tasks may be left open, sorted by name; masked samples do not count.

    samples           unmasked samples; `unreadable` is the share of them without an answer that could be compared, which count nowhere below
    error_rate        the share of items (questions, claims) that got a wrong answer, instead of the right one or of abstaining
    refusal_rate      the share of items that the text decides and the model left open
    exact_match, f1   over the items that the text decides (EM and F1 of SQuAD); abstaining there scores 0
    open_accuracy     the share of the items left open by the text where the model abstained
    abstention        precision, recall and F1 of abstaining
    threshold         with stated confidences, `fitted_threshold`, else None

    A share of nothing is None. "Retro-Reader for Machine Reading Comprehension" reports EM and F1 with and without answers, FactBench refusals
    apart from errors, "The Trilemma of Truth in Large Language Models" whether a model abstains on statements that are neither.
    """
    by_env: dict[str, list[Row]] = {}
    for row in rows:
        if not row["masked"]:
            by_env.setdefault(str(row["env"]), []).append(row)
    found = []
    for env, samples in sorted(by_env.items()):
        compared = [(row, parts) for row in samples if (parts := _parts(row))]
        if compared:
            facts = {"environment": env, "samples": len(samples), "unreadable": 1 - len(compared) / len(samples)}
            found.append(facts | _metrics([parts for _, parts in compared]) | {"threshold": fitted_threshold(compared)})
    return found


def _parts(row: Row) -> Parts:
    """The parts of a sample, empty where it has none of these."""
    parts: Parts = json.loads(row["parts"] or "{}")
    return parts if all(name in parts for name in (*CLOSED, *OPEN)) else {}


def _metrics(samples: Sequence[Parts]) -> dict[str, Any]:
    totals = {name: sum(parts.get(name, 0.0) for parts in samples) for name in (*CLOSED, *OPEN, "closed_f1")}
    closed, open_items = sum(totals[name] for name in CLOSED), sum(totals[name] for name in OPEN)
    abstained = totals["closed_abstained"] + totals["open_abstained"]
    return {
        "error_rate": (totals["closed_wrong"] + totals["open_answered"]) / len(samples),
        "refusal_rate": totals["closed_abstained"] / len(samples),
        "exact_match": _share(totals["closed_right"], closed),
        "f1": _share(totals["closed_f1"], closed),
        "open_accuracy": _share(totals["open_abstained"], open_items),
        "abstention": {
            "precision": _share(totals["open_abstained"], abstained),
            "recall": _share(totals["open_abstained"], open_items),
            "f1": _share(2 * totals["open_abstained"], abstained + open_items),
        },
    }


def fitted_threshold(samples: Sequence[tuple[Row, Parts]]) -> dict[str, Any] | None:
    """The threshold of confidence below which abstaining pays best on half of the tasks, and the accuracy that it gives on the other half.

    The accuracy of a sample is its share of items answered rightly, abstentions included; below the threshold all of its items are left
    open. A task's id decides its half. `unfitted` is the accuracy of the second half without a threshold. None without confidences in both halves.
    """
    halves: tuple[list[tuple[float, float, float]], ...] = ([], [])
    for row, parts in samples:
        if row["confidence"] is not None:
            kept, left_open = parts["closed_right"] + parts["open_abstained"], sum(parts[name] for name in OPEN)
            halves[_half(str(row["id"]))].append((float(row["confidence"]), kept, left_open))
    chosen, held_out = halves
    if not chosen or not held_out:
        return None
    candidates = sorted({0.0, *(confidence for confidence, _, _ in chosen)})
    candidates.append(float("inf"))
    best = max(candidates, key=lambda threshold: (_accuracy(chosen, threshold), -threshold))
    return {
        "threshold": None if best == float("inf") else best,
        "fitted_on": len(chosen),
        "fitted_accuracy": _accuracy(chosen, best),
        "samples": len(held_out),
        "accuracy": _accuracy(held_out, best),
        "unfitted": _accuracy(held_out, 0.0),
    }


def _half(task: str) -> int:
    return hashlib.sha256(task.encode()).digest()[0] % 2


def _accuracy(samples: Sequence[tuple[float, float, float]], threshold: float) -> float:
    return sum(kept if confidence >= threshold else left_open for confidence, kept, left_open in samples) / len(samples)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole > 1e-12 else None
