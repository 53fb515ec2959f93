"""Why samples failed: by outcome, and by the reason that the verifier gave."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from rlgym.evaluate.metrics.tasks import Row, Tasks, environment_of

MOST_REASONS = 60
EXAMPLES = 3
_DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|-?\d+(?:[.,/]\d+)*")


def kind_of(reason: str) -> str:
    """A reason without its quotations and numbers, so that equal kinds of failure count together."""
    return _DETAIL.sub("…", " ".join(reason.split()))[:200] or "(no reason given)"


def outcomes(rows: Iterable[Row]) -> dict[str, int]:
    """How many samples had each outcome, the most frequent first."""
    return dict(Counter(str(row["outcome"]) for row in rows).most_common())


def failures(tasks: Tasks) -> dict[str, Any]:
    """Outcomes overall and by environment, and the reasons of what was not right with a few examples each."""
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
        "finish": dict(Counter(str(row["finish"]) for row in rows).most_common()),
        "reasons": [_reason(*item) for item in ordered[:MOST_REASONS]],
        "kinds_of_reasons": len(ordered),
        "by_environment": {env: dict(found.most_common()) for env, found in sorted(by_env.items())},
    }


def _reason(name: tuple[str, str], rows: list[Row]) -> dict[str, Any]:
    places = Counter(environment_of(row) for row in rows)
    shown = [{"id": row["id"], "sample": row["sample"], "reason": str(row["reason"] or "")[:300]} for row in _spread(rows)]
    return {"outcome": name[0], "reason": name[1], "samples": len(rows), "environments": dict(places.most_common(5)), "examples": shown}


def _spread(rows: list[Row]) -> list[Row]:
    """A few rows, of different environments as far as there are."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(environment_of(row), row)
    chosen = list(first.values())[:EXAMPLES]
    return chosen + [row for row in rows if row not in chosen][: EXAMPLES - len(chosen)] if len(chosen) < EXAMPLES else chosen


def masked(rows: Iterable[Row]) -> dict[str, Any]:
    """The samples that say nothing about the model, which no other number holds."""
    out = [row for row in rows if row["masked"]]
    said = Counter(kind_of(str(row["error"] or row["reason"] or "")) for row in out)
    places = Counter(environment_of(row) for row in out)
    return {
        "samples": len(out),
        "outcomes": outcomes(out),
        "reasons": dict(said.most_common(20)),
        "by_environment": dict(places.most_common()),
    }
