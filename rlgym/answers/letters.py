"""A set of letters that stand for options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import LIST, Layer
from rlgym.core.layout.layers import Layers

_BETWEEN = re.compile(r"\s*(?:,|;|\band\b)\s*|\s+")


@dataclass(frozen=True)
class Letters(Answer[tuple[str, ...]]):
    """Letters of options in any order, each once, in either case; the word none is no letter. Values are capital and sorted."""

    options: str = "ABCDEFGH"
    instructions: str = "the letters of all right answers, separated by spaces, or the word none if there are none"
    layers: ClassVar[Layers] = LIST - {Layer.NAME}  # a letter before a colon or an equals sign is an option, too
    format: ClassVar[str] = "letters"

    def parse(self, text: str) -> tuple[str, ...]:
        plain = text.strip().rstrip(".") if len(text) < 400 else "?"
        if plain.casefold() == "none":
            return ()
        letters = [letter.upper() for letter in _BETWEEN.split(plain)]
        if any(len(letter) != 1 or letter not in self.options for letter in letters) or len(set(letters)) != len(letters):
            raise Unreadable(f"expected {self.instructions}; each letter once, got {text[:40]!r}")
        return tuple(sorted(letters))

    def render(self, value: tuple[str, ...]) -> str:
        return " ".join(value) if value else "none"

    def variants(self, value: tuple[str, ...]) -> Iterator[str]:
        if not value:
            yield " None\n"
            return
        yield from (", ".join(value), " ".join(value).lower(), " ".join(reversed(value)), "; ".join(value), f"{' '.join(value)}.")

    def near_misses(self, value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for letter in self.options[:6]:
            yield tuple(sorted({*value} ^ {letter}))
