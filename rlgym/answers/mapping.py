"""Names with a value each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Mapping(Answer[Pairs]):
    """`name: value` pairs, one a line or parted by commas or semicolons, each name once, in any order.

    Names and values are compared in lower case, with runs of spaces made one. Pairs come out sorted by name.
    """

    asks: str = "one line `name: value` for each name"
    most: int = 200
    format: ClassVar[str] = "mapping"

    def parse(self, text: str) -> Pairs:
        if len(text) > 200 * self.most:
            raise Unreadable(f"expected at most {self.most} lines, got {len(text)} characters")
        pairs: dict[str, str] = {}
        for piece in text.strip().strip("{}").replace(";", "\n").replace(",", "\n").split("\n"):
            if not piece.strip():
                continue
            name, colon, value = (_plain(part) for part in piece.replace("=", ":").partition(":"))
            if not (name and colon and value) or ":" in value:
                raise Unreadable(f"expected `name: value`, got {piece[:40]!r}")
            if name in pairs:
                raise Unreadable(f"{name[:40]!r} is given twice")
            pairs[name] = value
        if not pairs or len(pairs) > self.most:
            raise Unreadable(f"expected 1 to {self.most} lines `name: value`, got {text[:40]!r}")
        return tuple(sorted(pairs.items()))

    def render(self, value: Pairs) -> str:
        return "\n".join(f"{name}: {what}" for name, what in value)

    def variants(self, value: Pairs) -> Iterator[str]:
        yield ", ".join(f"{name}: {what}" for name, what in value)
        yield "\n".join(f"{name} = {what}" for name, what in reversed(value))
        yield "\n".join(f"- **{name.title()}**: {what.upper()}" for name, what in value)
        yield "{" + ", ".join(f'"{name}": "{what}"' for name, what in value) + "}"

    def nearby(self, value: Pairs) -> Iterator[Pairs]:
        if len(value) > 1:
            yield value[:-1]
            (first, one), (second, two) = value[:2]
            if one != two:
                yield ((first, two), (second, one), *value[2:])
        yield (*value, ("nobody", value[0][1]))


def _plain(part: str) -> str:
    return " ".join(part.strip().strip("\"'`*").removeprefix("- ").strip("\"'`* ").split()).lower()
