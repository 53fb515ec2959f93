"""Helpers that several solvers read prompts with."""

from __future__ import annotations

import re


def integers(text: str) -> list[int]:
    """All integers in a text, in order."""
    return [int(found) for found in re.findall(r"(?<![\w.])-?\d+(?![\w]|\.\d)", text)]


def after(text: str, marker: str) -> str:
    """What follows the first occurrence of a marker."""
    return text.split(marker, 1)[1]


def between(text: str, start: str, end: str) -> str:
    """What stands between the first occurrence of `start` and the next of `end`."""
    return after(text, start).split(end, 1)[0]
