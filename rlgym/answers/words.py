"""Words in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable

_GLUED = re.compile(r"([A-Za-z0-9])([A-Za-z][0-9]{1,2})")
_BETWEEN = re.compile(r"\s*(?:,|->|→|;)\s*|\s+")


@dataclass(frozen=True)
class Words(Answer[tuple[str, ...]]):
    """Words in order, parted by spaces, commas, semicolons or arrows, in square brackets and quotes or not.

    `most` bounds how many are read. With `fold` letter case does not matter and words come out in lower case. With
    `empty` the word none stands for no words at all. With `glued` a sign and a square may be written together: Kb3 for K b3.
    """

    asks: str = "the words in order, separated by spaces"
    most: int = 2000
    fold: bool = False
    empty: bool = False
    glued: bool = False
    format: ClassVar[str] = "words"

    def parse(self, text: str) -> tuple[str, ...]:
        plain = text.strip()
        if len(plain) > 40 * self.most:
            raise Unreadable(f"expected at most {self.most} words, got {len(plain)} characters")
        if plain.startswith("[") and plain.endswith("]"):
            plain = plain[1:-1].strip()
        words = tuple(word.strip("\"'`") for word in _BETWEEN.split(plain.casefold() if self.fold else plain) if word)
        if self.glued and len(words) == 1 and (both := _GLUED.fullmatch(words[0])):
            words = both.groups()
        if self.empty and len(words) == 1 and words[0].casefold() == "none":
            return ()
        if not words or not all(words) or len(words) > self.most:
            raise Unreadable(f"expected 1 to {self.most} words, got {text[:40]!r}")
        return words

    def render(self, value: tuple[str, ...]) -> str:
        return " ".join(value) if value else "none"

    def variants(self, value: tuple[str, ...]) -> Iterator[str]:
        if not value:
            yield " None\n"
            return
        yield from (", ".join(value), " -> ".join(value), "\n".join(value), f"[{', '.join(map(repr, value))}]")
        if self.glued:
            yield "".join(value)
        if self.fold:
            yield " ".join(value).upper()

    def nearby(self, value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for i in range(min(len(value), 12)):
            yield (*value[:i], "nowhere", *value[i + 1 :])
            yield value[: i + 1] + value[i:]
        if len(value) > 1:
            yield value[:-1]
            yield value[1:]
            if value[0] != value[1]:
                yield (value[1], value[0], *value[2:])
