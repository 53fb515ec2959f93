"""Matching of patterns, sentence templates and numbered lists in a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K")


def group(pattern: str, text: str) -> str:
    """The first group of the first match of a pattern; raises ValueError where the text has no match."""
    found = re.search(pattern, text)
    if found is None:
        raise ValueError(f"the prompt has nothing like {pattern!r}")
    return found[1]


def only(candidates: Iterable[T]) -> T:
    """The single distinct candidate; raises ValueError where the prompt leaves none or several."""
    distinct = list(dict.fromkeys(candidates))
    if len(distinct) != 1:
        raise ValueError(f"{len(distinct)} candidates fit the prompt: {distinct[:4]!r}")
    return distinct[0]


@cache
def template(text: str) -> re.Pattern[str]:
    """A pattern of a whole sentence in which {name} stands for one word; the words are its named groups."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[\\w-]+)", re.escape(text)))


def matched(sentence: str, templates: Mapping[str, K]) -> tuple[K, dict[str, str]] | None:
    """The value and the words of the first template that fits a sentence as a whole, or None."""
    for text, value in templates.items():
        found = template(text).fullmatch(sentence)
        if found:
            return value, found.groupdict()
    return None


def sentences(text: str) -> dict[int, str]:
    """The sentences of a story, numbered in square brackets, without their full stop."""
    parts = re.split(r"\[(\d+)\] ", text)[1:]
    return {int(number): re.split(r"\n\n", part)[0].strip().removesuffix(".") for number, part in zip(parts[::2], parts[1::2], strict=True)}


def listed(text: str) -> dict[int, str]:
    """The lines of a numbered list, without their full stop."""
    return {int(number): line.removesuffix(".") for number, line in re.findall(r"^(\d+)\. (.+)$", text, re.M)}
