"""Integers in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBERS, Layer
from rlgym.core.layout.layers import Layers

_ONE = re.compile(r"[+\-−]?[0-9]{1,400}")
_BETWEEN = re.compile(r"\s*[,;]\s*|\s+")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True)
class Numbers(Answer[tuple[int, ...]]):
    """Integers in order, separated by commas, semicolons or spaces, with or without brackets. Digits must not be grouped.


    With `product` they may be the factors of a product, as in 2^2 * 7. `max_items` bounds their number. With `allow_empty` the word none,
    or an empty pair of brackets, means no numbers.
    """

    instructions: str = "the integers in order, separated by commas"
    max_items: int = 2000
    allow_empty: bool = False
    product: bool = False
    format: ClassVar[str] = "numbers"

    @property
    def layers(self) -> Layers:
        return NUMBERS | {Layer.PRODUCT} if self.product else NUMBERS

    def parse(self, text: str) -> tuple[int, ...]:
        plain = text.strip()
        if len(plain) > 40 * self.max_items + 800:
            raise Unreadable(f"expected at most {self.max_items} integers, got {len(plain)} characters")
        if plain and _BRACKETS.get(plain[0]) == plain[-1]:
            plain = plain[1:-1].strip()
            if not plain and self.allow_empty:
                return ()
        if self.allow_empty and plain.casefold() == "none":
            return ()
        pieces = _BETWEEN.split(plain)
        if len(pieces) > self.max_items or not all(_ONE.fullmatch(piece) for piece in pieces):
            raise Unreadable(f"expected integers separated by commas, got {text[:40]!r}")
        return tuple(int(piece.replace("−", "-")) for piece in pieces)

    def render(self, value: tuple[int, ...]) -> str:
        return ", ".join(map(str, value)) if value else "none"

    def variants(self, value: tuple[int, ...]) -> Iterator[str]:
        if not value:
            yield from ("None", "[]")
            return
        plain = ", ".join(map(str, value))
        yield from (
            f"[{plain}]",
            f"({plain})",
            " ".join(map(str, value)),
            ",".join(map(str, value)),
            f" {plain}\n",
            plain.replace("-", "−"),
        )

    def near_misses(self, value: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for i in range(min(len(value), 12)):
            yield (*value[:i], value[i] + 1, *value[i + 1 :])
        if len(value) > 1:
            yield value[:-1]
            yield (*value, value[-1])
            if value[0] != value[1]:
                yield (value[1], value[0], *value[2:])
