"""Judge tasks in several languages: accuracy by language, and agreement between languages on the same instance.

The share of equal judgements follows "M-RewardBench: Evaluating Reward Models in Multilingual Settings".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import rlgym
from rlgym.core.answer import STYLES, Unreadable
from rlgym.core.declare import Environment
from rlgym.core.errors import RlgymError
from rlgym.core.names import name_parts

ENGLISH = "en"


def languages(rows: Sequence[Mapping[str, Any]], kind: str) -> dict[str, Any]:
    """`by_language` and `agreement` of one kind of judge task; masked samples do not count, unreadable ones agree with none."""
    kept = [row for row in rows if name_parts(str(row["env"]))[1] == kind and not row["masked"]]
    by_language: dict[str, list[bool]] = {}
    for row in kept:
        by_language.setdefault(name_parts(str(row["env"]))[2] or ENGLISH, []).append(bool(row["right"]))
    if len(by_language) < 2:
        return {"by_language": {}, "agreement": None}
    said: dict[tuple[Any, ...], dict[str, tuple[str, ...]]] = {}
    for row in kept:
        base, _, language = name_parts(str(row["env"]))
        said.setdefault((base, row["level"], row["seed"], row["sample"]), {})[language or ENGLISH] = _verdicts(row)
    pairs = [pair for judged in said.values() for pair in combinations(judged.values(), 2)]
    shares = [_agreement(*pair) for pair in pairs]
    return {
        "by_language": {
            language: {"samples": len(found), "accuracy": sum(found) / len(found)} for language, found in sorted(by_language.items())
        },
        "agreement": {"share": sum(shares) / len(shares), "pairs": len(shares)} if shares else None,
    }


def _agreement(first: Sequence[str], second: Sequence[str]) -> float:
    """The share of items with the same verdict."""
    if not first or not second:
        return 0.0
    return sum(left == right for left, right in zip(first, second)) / max(len(first), len(second))


def _verdicts(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The verdict on each item in the words of the English task; empty where none can be read."""
    if not row["answer"]:
        return ()
    try:
        declared = rlgym.environment(str(row["env"]))
    except RlgymError:
        return ()
    assert isinstance(declared, Environment)
    for style in STYLES:
        try:
            found = declared.answer.parse_response(str(row["answer"]), style, "")
        except Unreadable:
            continue
        return tuple(found) if isinstance(found, tuple) else (str(found),)
    return ()
