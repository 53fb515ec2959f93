"""Why samples failed: by outcome, and by the reason that the verifier gives."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from rlgym.evaluate.metrics.task_table import Row, Tasks, environment_of

MAX_REASONS = 60
EXAMPLES = 3
_DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|-?\d+(?:[.,/]\d+)*")


def kind_of(reason: str) -> str:
    """A reason without quotations and numbers, so that failures of one kind are counted together."""
    return _DETAIL.sub("…", " ".join(reason.split()))[:200] or "(no reason given)"


def outcomes(rows: Iterable[Row]) -> dict[str, int]:
    """The number of samples per outcome, the most frequent first."""
    return dict(Counter(str(row["outcome"]) for row in rows).most_common())


def failures(tasks: Tasks) -> dict[str, Any]:
    """Outcomes overall and by environment, and the reasons of failed samples with a few examples each."""
    rows = [row for samples in tasks.samples for row in samples]
    wrong = [row for row in rows if not row["right"]]
    reasons: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in wrong:
        reasons[str(row["outcome"]), kind_of(str(row["reason"] or ""))].append(row)
    ordered = sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0]))
    by_env: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        by_env[environment_of(row)][str(row["outcome"])] += 1
    return {
        "samples": len(rows),
        "wrong": len(wrong),
        "outcomes": outcomes(rows),
        "finish_reason": dict(Counter(str(row["finish_reason"]) for row in rows).most_common()),
        "reasons": [_reason(*item) for item in ordered[:MAX_REASONS]],
        "kinds_of_reasons": len(ordered),
        "by_environment": {env: dict(counts.most_common()) for env, counts in sorted(by_env.items())},
    }


def _reason(name: tuple[str, str], rows: list[Row]) -> dict[str, Any]:
    places = Counter(environment_of(row) for row in rows)
    shown = [
        {"id": row["id"], "sample": row["sample"], "reason": str(row["reason"] or "")[:300]} for row in _spread_over_environments(rows)
    ]
    return {"outcome": name[0], "reason": name[1], "samples": len(rows), "environments": dict(places.most_common(5)), "examples": shown}


def _spread_over_environments(rows: list[Row]) -> list[Row]:
    """A few rows, from different environments if possible."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(environment_of(row), row)
    chosen = list(first.values())[:EXAMPLES]
    return chosen + [row for row in rows if row not in chosen][: EXAMPLES - len(chosen)] if len(chosen) < EXAMPLES else chosen


def masked(rows: Iterable[Row]) -> dict[str, Any]:
    """The masked samples, which say nothing about the model and are excluded from all other numbers."""
    out = [row for row in rows if row["masked"]]
    reason_counts = Counter(kind_of(str(row["error"] or row["reason"] or "")) for row in out)
    places = Counter(environment_of(row) for row in out)
    return {
        "samples": len(out),
        "outcomes": outcomes(out),
        "reasons": dict(reason_counts.most_common(20)),
        "by_environment": dict(places.most_common()),
    }
