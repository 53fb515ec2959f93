"""The answer format of judge tasks: one word for each item, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable

MOST = 20
_ITEM = re.compile(r"(?:[-*•]\s{0,3})?(?:(?:pair|solution)\s{0,3})?(?:[0-9]{1,2}\s{0,3}[.:)]\s{0,3})?([A-Za-z]{1,12})\.?", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[,;\n]\s*")


@dataclass(frozen=True)
class Verdicts(Answer[tuple[str, ...]]):
    """Words out of `options`, one for each item, separated by spaces, commas or lines; numbers of the items may stand before them."""

    options: tuple[str, ...]
    item: str = "solution"
    format: ClassVar[str] = "verdicts"

    @property
    def instructions(self) -> str:
        return f"one word for each {self.item}, in order, separated by spaces: {', '.join(self.options[:-1])} or {self.options[-1]}"

    def parse(self, text: str) -> tuple[str, ...]:
        plain = text.strip() if len(text) < 1000 else ""
        words = [word for word in _BETWEEN.split(plain) if word]
        found = self._words(words) or self._words(plain.split())
        if not found or len(found) > MOST:
            raise Unreadable(f"expected {self.instructions}, got {text[:40]!r}")
        return found

    def _words(self, words: list[str]) -> tuple[str, ...]:
        """The options that the words spell, or nothing if one spells none."""
        known = {option.casefold(): option for option in self.options}
        matches = [_ITEM.fullmatch(word) for word in words]
        found = [known.get(match[1].casefold()) if match else None for match in matches]
        return tuple(word for word in found if word) if all(found) else ()

    def render(self, value: tuple[str, ...]) -> str:
        return " ".join(value)

    def variants(self, value: tuple[str, ...]) -> Iterator[str]:
        yield ", ".join(value)
        yield "\n".join(value)
        yield "\n".join(f"{number}. {word}" for number, word in enumerate(value, 1))
        yield "\n".join(f"{self.item.capitalize()} {number}: {word}" for number, word in enumerate(value, 1))
        yield " ".join(value).upper()

    def near_misses(self, value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for place, word in enumerate(value):
            yield from ((*value[:place], other, *value[place + 1 :]) for other in self.options if other != word)
