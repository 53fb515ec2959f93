"""Rewards as scorers return them: numbers, numpy and torch scalars, dictionaries with a score."""

from __future__ import annotations

from typing import Any

KEYS = ("score", "reward", "value")


def read_reward(value: Any) -> tuple[float | None, str]:
    """The reward as a float, NaN and infinities included, or None and what was returned instead."""
    if isinstance(value, dict):
        found = next((value[key] for key in KEYS if key in value), None)
        return (None, f"returned {short(value)}") if found is None or isinstance(found, dict) else read_reward(found)
    if value is None or isinstance(value, str | bytes | complex) or hasattr(value, "__len__"):
        return None, f"returned {short(value)}"
    try:
        return float(value), ""
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return None, f"returned {short(value)}"


def short(value: object, width: int = 120) -> str:
    """The value as a text of limited width."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return text if len(text) <= width else f"{text[:width]}..."
