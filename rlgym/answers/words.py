"""Words in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import LIST
from rlgym.core.layout.layers import Layers

_GLUED = re.compile(r"([A-Za-z0-9])([A-Za-z][0-9]{1,2})")
_LABEL = re.compile(r"[\[(]?(\d+)[\])]?[.:]?")
_LABELLED = re.compile(r"(?:[-*•]\s+)?(?:sentence|line)?\s*(?=[\[(]?\d)", re.IGNORECASE)
_ENCLOSED = re.compile(r"\[.*\]|\([^()]*\s[^()]*\)", re.DOTALL)
_BETWEEN = re.compile(r"\s*(?:,|->|→|;)\s*|\s+")


@dataclass(frozen=True)
class Words(Answer[tuple[str, ...]]):
    """Words in order, separated by spaces, commas, semicolons or arrows, with or without brackets and quotes.

    `max_items` bounds their number. With `ignore_case` letter case does not matter and words come out in lower case. With
    `allow_empty` the word none means no words. With `allow_joined` a sign and a square may be written together: Kb3 for K b3.
    With `allow_label` a number in first place may be written as the label of a sentence or a line: [3], (3), 3., 3: or Sentence 3: for 3.
    """

    instructions: str = "the words in order, separated by spaces"
    max_items: int = 2000
    ignore_case: bool = False
    allow_empty: bool = False
    allow_joined: bool = False
    allow_label: bool = False
    layers: Layers = LIST
    format: ClassVar[str] = "words"

    def parse(self, text: str) -> tuple[str, ...]:
        plain = text.strip()
        if len(plain) > 40 * self.max_items:
            raise Unreadable(f"expected at most {self.max_items} words, got {len(plain)} characters")
        if _ENCLOSED.fullmatch(plain):
            plain = plain[1:-1].strip()
        if self.allow_label and (label := _LABELLED.match(plain)):
            plain = plain[label.end() :]
        words = tuple(word.strip("\"'`") for word in _BETWEEN.split(plain.casefold() if self.ignore_case else plain) if word)
        if self.allow_joined and len(words) == 1 and (both := _GLUED.fullmatch(words[0])):
            words = both.groups()
        if self.allow_label and words and (label := _LABEL.fullmatch(words[0])):
            words = (label[1], *words[1:])
        if self.allow_empty and len(words) == 1 and words[0].casefold() == "none":
            return ()
        if not words or not all(words) or len(words) > self.max_items:
            raise Unreadable(f"expected 1 to {self.max_items} words, got {text[:40]!r}")
        return words

    def render(self, value: tuple[str, ...]) -> str:
        return " ".join(value) if value else "none"

    def variants(self, value: tuple[str, ...]) -> Iterator[str]:
        if not value:
            yield " None\n"
            return
        yield from (", ".join(value), " -> ".join(value), "\n".join(value), f"[{', '.join(map(repr, value))}]")
        if self.allow_joined:
            yield "".join(value)
        if self.allow_label and value[0].isdecimal():
            yield from (
                " ".join((label, *value[1:])) for label in (f"[{value[0]}]", f"({value[0]})", f"{value[0]}.", f"Sentence {value[0]}:")
            )
            yield f"({', '.join(value)})"
        if self.ignore_case:
            yield " ".join(value).upper()

    def near_misses(self, value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for i in range(min(len(value), 12)):
            yield (*value[:i], "nowhere", *value[i + 1 :])
            yield value[: i + 1] + value[i:]
        if len(value) > 1:
            yield value[:-1]
            yield value[1:]
            if value[0] != value[1]:
                yield (value[1], value[0], *value[2:])
