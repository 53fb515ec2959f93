"""One of a few fixed words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable


@dataclass(frozen=True)
class Choice(Answer[str]):
    """One of the given options, in any letter case, with or without a full stop. Two options at once are unreadable."""

    options: tuple[str, ...]
    format: ClassVar[str] = "choice"

    @property
    def instructions(self) -> str:
        return f"one of: {', '.join(self.options)}"

    def parse(self, text: str) -> str:
        plain = " ".join(text[:400].split()).strip(".\"'*` ").casefold() if len(text) <= 400 else ""
        for option in self.options:
            if plain == option.casefold():
                return option
        raise Unreadable(f"expected {self.instructions}, got {text[:40]!r}")

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f" {value} ", f"{value}.", value.upper(), value.lower(), f"**{value}**", f'"{value}"')

    def near_misses(self, value: str) -> Iterator[str]:
        yield from (option for option in self.options if option != value)
