"""Plain text: one line, or several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import VERBATIM, WRAPPERS, Layer
from rlgym.core.layout.layers import Layers


@dataclass(frozen=True)
class Text(Answer[str]):
    """One line of text, unchanged except for surrounding spaces, quotes and backticks.

    With `ignore_case` letter case does not matter: the text comes out in lower case. With `ignore_spaces` no space inside matters.
    """

    instructions: str = "the text on one line"
    max_characters: int = 4000
    ignore_case: bool = False
    ignore_spaces: bool = False
    layers: Layers = WRAPPERS | {Layer.NAME, Layer.BULLETS}
    format: ClassVar[str] = "text"

    def parse(self, text: str) -> str:
        plain = text.strip()
        if len(plain) > self.max_characters or "\n" in plain:
            raise Unreadable(f"expected one line of at most {self.max_characters} characters, got {text[:40]!r}")
        for quote in ('"', "`", "'"):
            if len(plain) > 1 and plain[0] == plain[-1] == quote:
                plain = plain[1:-1]
                break
        plain = "".join(plain.split()) if self.ignore_spaces else plain
        if not plain:
            raise Unreadable("expected one line of text, got an empty answer")
        return plain.lower() if self.ignore_case else plain

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f"  {value}\n", f'"{value}"', f"`{value}`")
        if self.ignore_case:
            yield value.upper()
        if self.ignore_spaces:
            yield " ".join(value)

    def near_misses(self, value: str) -> Iterator[str]:
        yield value + value[-1:]
        if len(value) > 1:
            yield value[:-1]
            if value[::-1] != value:
                yield value[::-1]


@dataclass(frozen=True)
class Lines(Answer[tuple[str, ...]]):
    """Several lines of text; spaces at their ends and empty lines do not count. `max_items` bounds their number."""

    instructions: str = "the lines, one below the other"
    max_items: int = 1000
    layers: Layers = WRAPPERS | {Layer.ITEMS, Layer.SEMICOLONS, Layer.BULLETS, Layer.LINE_BRACKETS}
    format: ClassVar[str] = "lines"

    def parse(self, text: str) -> tuple[str, ...]:
        if len(text) > 400 * self.max_items:
            raise Unreadable(f"expected at most {self.max_items} lines, got {len(text)} characters")
        lines = tuple(line for line in (" ".join(line.split()) for line in text.split("\n")) if line)
        if not lines or len(lines) > self.max_items:
            raise Unreadable(f"expected 1 to {self.max_items} lines, got {text[:40]!r}")
        return lines

    def render(self, value: tuple[str, ...]) -> str:
        return "\n".join(value)

    def variants(self, value: tuple[str, ...]) -> Iterator[str]:
        yield from ("\n" + "\n".join(f"  {line}  " for line in value) + "\n", "\r\n".join(value), "\n\n".join(value))

    def near_misses(self, value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(value) > 1:
            yield value[:-1]
            yield value[1:]
            if value[0] != value[1]:
                yield (value[1], value[0], *value[2:])


@dataclass(frozen=True)
class Passage(Answer[str]):
    """A text with its lines and paragraphs. Spaces at the end of lines and empty lines around the text do not count, several empty lines
    count as one; everything else is kept."""

    instructions: str = "the text"
    max_characters: int = 8000
    layers: Layers = VERBATIM
    format: ClassVar[str] = "passage"

    def parse(self, text: str) -> str:
        if len(text) > 2 * self.max_characters:
            raise Unreadable(f"expected at most {self.max_characters} characters, got {len(text)}")
        lines = list[str]()
        for line in (line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n")):
            if line or (lines and lines[-1]):
                lines.append(line)
        plain = "\n".join(lines)
        if not plain or len(plain) > self.max_characters:
            raise Unreadable(f"expected a text of 1 to {self.max_characters} characters, got {text[:40]!r}")
        return plain

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f"\n\n{value} \n", value.replace("\n", "\r\n"), value.replace("\n", "  \n"), value.replace("\n\n", "\n\n\n"))

    def near_misses(self, value: str) -> Iterator[str]:
        yield value + value[-1]
        if len(value) > 1:
            yield value[:-1].rstrip()
            yield value[1:].lstrip()
