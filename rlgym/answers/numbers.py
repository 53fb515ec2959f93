"""Integers in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable

_ONE = re.compile(r"[+\-−]?[0-9]{1,400}")
_BETWEEN = re.compile(r"\s*[,;]\s*|\s+")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True)
class Numbers(Answer[tuple[int, ...]]):
    """Integers in order, parted by commas, semicolons or spaces, in brackets or not. No digits are grouped.

    `most` bounds how many are read. With `empty` the word none, or an empty pair of brackets, stands for no numbers.
    """

    asks: str = "the integers in order, separated by commas"
    most: int = 2000
    empty: bool = False
    format: ClassVar[str] = "numbers"

    def parse(self, text: str) -> tuple[int, ...]:
        plain = text.strip()
        if len(plain) > 40 * self.most + 800:
            raise Unreadable(f"expected at most {self.most} integers, got {len(plain)} characters")
        if plain and _BRACKETS.get(plain[0]) == plain[-1]:
            plain = plain[1:-1].strip()
            if not plain and self.empty:
                return ()
        if self.empty and plain.casefold() == "none":
            return ()
        pieces = _BETWEEN.split(plain)
        if len(pieces) > self.most or not all(_ONE.fullmatch(piece) for piece in pieces):
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

    def nearby(self, value: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for i in range(min(len(value), 12)):
            yield (*value[:i], value[i] + 1, *value[i + 1 :])
        if len(value) > 1:
            yield value[:-1]
            yield (*value, value[-1])
            if value[0] != value[1]:
                yield (value[1], value[0], *value[2:])
