"""The answer format of judge tasks: one word for each item, in order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable

MOST = 20
_ITEM = r"(?:[-*•]\s{0,3})?(?:(?:pair|solution%s)\s{0,3})?(?:[0-9]{1,2}\s{0,3}[.:：)]\s{0,3})?([^\s\d.,:;]{1,20})[.。।]?"
_BETWEEN = re.compile(r"\s*[,;、，；،\n]\s*")


@dataclass(frozen=True)
class Verdicts(Answer[tuple[str, ...]]):
    """Words out of `options`, one for each item, separated by spaces, commas or lines; numbers of the items may stand before them.

    words      the options in the language of the prompt, in order; the options themselves are read too
    told       the instructions in that language, with the gaps {item} and {words}
    item_word  the item in that language
    """

    options: tuple[str, ...]
    item: str = "solution"
    words: tuple[str, ...] = ()
    told: str = ""
    item_word: str = ""
    format: ClassVar[str] = "verdicts"

    @property
    def instructions(self) -> str:
        if self.told:
            return self.told.format(item=self.item_word, words=", ".join(self.words))
        return f"one word for each {self.item}, in order, separated by spaces: {', '.join(self.options[:-1])} or {self.options[-1]}"

    def parse(self, text: str) -> tuple[str, ...]:
        plain = unicodedata.normalize("NFC", text.strip()) if len(text) < 1000 else ""
        words = [word for word in _BETWEEN.split(plain) if word]
        found = self._words(words) or self._words(plain.split())
        if not found or len(found) > MOST:
            raise Unreadable(f"expected {self.instructions}, got {text[:40]!r}")
        return found

    def _words(self, words: list[str]) -> tuple[str, ...]:
        """The options that the words spell, or nothing if one spells none."""
        known = {word.casefold(): option for word, option in zip((*self.options, *self.words), self.options * 2)}
        item = re.compile(_ITEM % (f"|{re.escape(self.item_word)}" if self.item_word else ""), re.IGNORECASE)
        matches = [item.fullmatch(word) for word in words]
        found = [known.get(match[1].casefold()) if match else None for match in matches]
        return tuple(word for word in found if word) if all(found) else ()

    def render(self, value: tuple[str, ...]) -> str:
        written = dict(zip(self.options, self.words or self.options))
        return " ".join(written[word] for word in value)

    def variants(self, value: tuple[str, ...]) -> Iterator[str]:
        if self.told:
            yield self.render(value).replace(" ", ", ")
            yield "\n".join(f"{self.item_word} {number}: {word}" for number, word in enumerate(self.render(value).split(), 1))
        yield ", ".join(value)
        yield "\n".join(value)
        yield "\n".join(f"{number}. {word}" for number, word in enumerate(value, 1))
        yield "\n".join(f"{self.item.capitalize()} {number}: {word}" for number, word in enumerate(value, 1))
        yield " ".join(value).upper()

    def near_misses(self, value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for place, word in enumerate(value):
            yield from ((*value[:place], other, *value[place + 1 :]) for other in self.options if other != word)
