"""Statements of which all variants are judged rightly, from "DeepTheorem: Advancing LLM Reasoning for Theorem Proving"."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

VARIANT = "variant"
Key = tuple[Any, ...]


def statement_variants(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The metrics of each environment of which one statement was asked about in several variants, sorted by name.

    statements  statements (one seed, level and number of the sample) with several variants, none of them masked
    all_right   the share of them of which every variant was answered rightly: a model that guesses true or false seldom does
    accuracy    the share of right answers to the variants
    by_variant  the same for each variant
    """
    groups: dict[str, dict[Key, dict[str, Mapping[str, Any]]]] = {}
    for row in rows:
        knobs = json.loads(row.get("knobs") or "{}")
        variant = knobs.pop(VARIANT, None)
        if variant is not None:
            key = (row["level"], row["seed"], row["sample"], json.dumps(knobs, sort_keys=True))
            groups.setdefault(str(row["env"]), {}).setdefault(key, {})[variant] = row
    found = []
    for env, statements in sorted(groups.items()):
        whole = [each for each in statements.values() if len(each) > 1 and not any(row["masked"] for row in each.values())]
        if not whole:
            continue
        answers = [(variant, bool(row["right"])) for each in whole for variant, row in each.items()]
        found.append(
            {
                "environment": env,
                "statements": len(whole),
                "all_right": fmean(all(row["right"] for row in each.values()) for each in whole),
                "accuracy": fmean(right for _, right in answers),
                "by_variant": {
                    name: fmean(right for variant, right in answers if variant == name)
                    for name in dict.fromkeys(name for name, _ in answers)
                },
            }
        )
    return found
