"""A stricter reading of JSON objects."""

from __future__ import annotations

from typing import Any


def refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An `object_pairs_hook` for `json.loads`: ValueError for an object that gives a key twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key is given twice")
    return fields
