"""Plain text: one line, or several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable


@dataclass(frozen=True)
class Text(Answer[str]):
    """One line of text, taken as it stands but for spaces at its ends, and quotes or backticks around it.

    With `fold` letter case does not matter: the text comes out in lower case. With `compact` no space inside matters.
    """

    asks: str = "the text on one line"
    most: int = 4000
    fold: bool = False
    compact: bool = False
    format: ClassVar[str] = "text"

    def parse(self, text: str) -> str:
        plain = text.strip()
        if len(plain) > self.most or "\n" in plain:
            raise Unreadable(f"expected one line of at most {self.most} characters, got {text[:40]!r}")
        for quote in ('"', "`", "'"):
            if len(plain) > 1 and plain[0] == plain[-1] == quote:
                plain = plain[1:-1]
                break
        plain = "".join(plain.split()) if self.compact else plain
        if not plain:
            raise Unreadable("expected one line of text, got an empty answer")
        return plain.lower() if self.fold else plain

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f"  {value}\n", f'"{value}"', f"`{value}`")
        if self.fold:
            yield value.upper()
        if self.compact:
            yield " ".join(value)

    def nearby(self, value: str) -> Iterator[str]:
        yield value + value[-1:]
        if len(value) > 1:
            yield value[:-1]
            if value[::-1] != value:
                yield value[::-1]


@dataclass(frozen=True)
class Lines(Answer[tuple[str, ...]]):
    """Several lines of text; spaces at their ends and empty lines do not count. `most` bounds how many are read."""

    asks: str = "the lines, one below the other"
    most: int = 1000
    format: ClassVar[str] = "lines"

    def parse(self, text: str) -> tuple[str, ...]:
        if len(text) > 400 * self.most:
            raise Unreadable(f"expected at most {self.most} lines, got {len(text)} characters")
        lines = tuple(line for line in (" ".join(line.split()) for line in text.split("\n")) if line)
        if not lines or len(lines) > self.most:
            raise Unreadable(f"expected 1 to {self.most} lines, got {text[:40]!r}")
        return lines

    def render(self, value: tuple[str, ...]) -> str:
        return "\n".join(value)

    def variants(self, value: tuple[str, ...]) -> Iterator[str]:
        yield from ("\n" + "\n".join(f"  {line}  " for line in value) + "\n", "\r\n".join(value), "\n\n".join(value))

    def nearby(self, value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(value) > 1:
            yield value[:-1]
            yield value[1:]
            if value[0] != value[1]:
                yield (value[1], value[0], *value[2:])


@dataclass(frozen=True)
class Passage(Answer[str]):
    """A text with its lines and paragraphs. Spaces at the end of lines and empty lines around the text do not count, several empty lines
    count as one; all else is kept as it stands."""

    asks: str = "the text"
    most: int = 8000
    format: ClassVar[str] = "passage"

    def parse(self, text: str) -> str:
        if len(text) > 2 * self.most:
            raise Unreadable(f"expected at most {self.most} characters, got {len(text)}")
        kept = list[str]()
        for line in (line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n")):
            if line or (kept and kept[-1]):
                kept.append(line)
        plain = "\n".join(kept)
        if not plain or len(plain) > self.most:
            raise Unreadable(f"expected a text of 1 to {self.most} characters, got {text[:40]!r}")
        return plain

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f"\n\n{value} \n", value.replace("\n", "\r\n"), value.replace("\n", "  \n"), value.replace("\n\n", "\n\n\n"))

    def nearby(self, value: str) -> Iterator[str]:
        yield value + value[-1]
        if len(value) > 1:
            yield value[:-1].rstrip()
            yield value[1:].lstrip()
