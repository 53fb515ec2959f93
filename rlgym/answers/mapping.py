"""Names with a value each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import LIST, Layer
from rlgym.core.layout.layers import Layers

_NUMBERED = re.compile(r"^\s*(\d{1,4})[.)]\s+(?=[^:=]*$)")
_NUMBER = re.compile(r"\d{1,4}")
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Mapping(Answer[Pairs]):
    """`name: value` pairs, one per line or separated by commas or semicolons, each name once, in any order.

    Names and values are compared in lower case, with runs of spaces reduced to one. Pairs come out sorted by name.
    With `several_words` a value is several words, and commas may stand between them. A name that is a number may be written as in a numbered list
    (`1. value`), and after the word `item` (`Attempt 1: value`).
    """

    instructions: str = "one line `name: value` for each name"
    max_items: int = 200
    several_words: bool = False
    item: str = ""
    layers: ClassVar[Layers] = LIST - {Layer.NAME}
    format: ClassVar[str] = "mapping"

    def parse(self, text: str) -> Pairs:
        if len(text) > 200 * self.max_items:
            raise Unreadable(f"expected at most {self.max_items} lines, got {len(text)} characters")
        pairs: dict[str, str] = {}
        for piece in self._pieces(text.strip().strip("{}").replace(";", "\n")):
            if not piece.strip():
                continue
            piece = _NUMBERED.sub(r"\1: ", piece, count=1)
            name, colon, value = (_normalize(part) for part in piece.replace("=", ":").partition(":"))
            if self.item and _NUMBER.fullmatch(bare := name.removeprefix(self.item).strip()):
                name = bare
            if not (name and colon and value) or ":" in value:
                raise Unreadable(f"expected `name: value`, got {piece[:40]!r}")
            if name in pairs:
                raise Unreadable(f"{name[:40]!r} is given twice")
            pairs[name] = value
        if not pairs or len(pairs) > self.max_items:
            raise Unreadable(f"expected 1 to {self.max_items} lines `name: value`, got {text[:40]!r}")
        return tuple(sorted(pairs.items()))

    def _pieces(self, text: str) -> Iterator[str]:
        if not self.several_words:
            yield from text.replace(",", "\n").split("\n")
            return
        for line in text.split("\n"):
            pair = ""
            for piece in line.split(","):
                if pair and (":" in piece or "=" in piece):
                    yield pair
                    pair = piece
                else:
                    pair = f"{pair} {piece}" if pair else piece
            yield pair

    def render(self, value: Pairs) -> str:
        return "\n".join(f"{name}: {what}" for name, what in value)

    def variants(self, value: Pairs) -> Iterator[str]:
        yield ", ".join(f"{name}: {what}" for name, what in value)
        yield "\n".join(f"{name} = {what}" for name, what in reversed(value))
        yield "\n".join(f"- **{name.title()}**: {what.upper()}" for name, what in value)
        if all(_NUMBER.fullmatch(name) for name, _ in value):
            yield "\n".join(f"{name}. {what}" for name, what in value)
        if self.item:
            yield "\n".join(f"{self.item.title()} {name}: {what}" for name, what in value)
        if self.several_words:
            yield "\n".join(f"{name}: {what.replace(' ', ', ')}" for name, what in value)
        yield "{" + ", ".join(f'"{name}": "{what}"' for name, what in value) + "}"

    def near_misses(self, value: Pairs) -> Iterator[Pairs]:
        if len(value) > 1:
            yield value[:-1]
            (first, first_value), (second, two) = value[:2]
            if first_value != two:
                yield ((first, two), (second, first_value), *value[2:])
        yield (*value, ("nobody", value[0][1]))


def _normalize(part: str) -> str:
    return " ".join(part.strip().strip("\"'`*").removeprefix("- ").strip("\"'`* ").split()).lower()
