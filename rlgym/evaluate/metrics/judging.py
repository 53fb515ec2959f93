"""Metrics of judges, from the parts of scores in NAME:grade_solution, NAME:pairwise and NAME:best_of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.core.names import name_parts
from rlgym.evaluate.metrics.judge_languages import languages

CLASSES = {"grade_solution": ("right", "wrong", "invalid"), "pairwise": ("A", "B")}
"""The words of each kind of judge task."""
KINDS = (*CLASSES, "best_of")


def judging(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The metrics of each kind of judge task in the run; empty if there are none. Masked and unreadable samples do not count.

    accuracy       the share of items that are judged rightly; of best_of, of tasks
    f1             F1 of each verdict of grade_solution: 2 TP / (2 TP + FP + FN); None where it neither occurs nor is said
    position_bias  how often the first of a pair, or of the candidates, is said, minus how often it is right; 0 without bias
    length_bias    the same of the longer one, or of the longest candidate
    by_type        of grade_solution: samples, accuracy and F1 for each answer format of the judged tasks
    by_language    samples and accuracy for each language, `en` and those of names such as NAME:pairwise:de; empty in a run of one language
    agreement      how often the items of one instance get the same verdict in two languages, and the number of such pairs of languages
    """
    listed = list(rows)
    found: dict[str, list[tuple[dict[str, float], bool]]] = {}
    types: dict[str, list[tuple[dict[str, float], bool]]] = {}
    for row in listed:
        base, kind, _ = name_parts(str(row["env"]))
        parts = json.loads(row["parts"] or "{}")
        if kind in KINDS and parts and not row["masked"]:
            found.setdefault(kind, []).append((parts, bool(row["right"])))
            if kind == "grade_solution" and (answer_type := _answer_type(base)):
                types.setdefault(answer_type, []).append((parts, bool(row["right"])))
    by_type = {
        answer_type: {name: _metrics("grade_solution", samples)[name] for name in ("samples", "accuracy", "f1")}
        for answer_type, samples in sorted(types.items())
    }
    return [
        _metrics(kind, found[kind]) | {"by_type": by_type if kind == "grade_solution" else {}} | languages(listed, kind)
        for kind in KINDS
        if kind in found
    ]


def _answer_type(name: str) -> str:
    """The answer format of an environment; empty where it is not installed here."""
    try:
        return rlgym.environment(name).answer.format
    except RlgymError:
        return ""


def _metrics(kind: str, samples: Sequence[tuple[dict[str, float], bool]]) -> dict[str, Any]:
    def mean(name: str) -> float:
        return sum(parts.get(name, 0.0) for parts, _ in samples) / len(samples)

    out: dict[str, Any] = {"kind": kind, "samples": len(samples), "f1": {}, "position_bias": None, "length_bias": None}
    if kind == "best_of":
        out["accuracy"] = sum(right for _, right in samples) / len(samples)
        return out | {
            "position_bias": mean("first_said") - mean("first_right"),
            "length_bias": mean("longest_said") - mean("longest_right"),
        }
    words = CLASSES[kind]
    share = {(true, said): mean(f"{true}_as_{said}") for true in words for said in words}
    out["accuracy"] = sum(share[word, word] for word in words)
    if kind == "pairwise":
        return out | {"position_bias": share["B", "A"] - share["A", "B"], "length_bias": mean("longer_said") - mean("longer_right")}
    return out | {"f1": {word: _f1(word, words, share) for word in words}}


def _f1(word: str, words: Sequence[str], share: Mapping[tuple[str, str], float]) -> float | None:
    hits = share[word, word]
    occurs, said = sum(share[word, other] for other in words), sum(share[other, word] for other in words)
    return 2 * hits / (occurs + said) if occurs + said else None
