"""A whole program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import PROGRAM
from rlgym.core.layout.layers import Layers

_FENCED = re.compile(r"```[A-Za-z0-9+]{0,12}[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)


@dataclass(frozen=True)
class Code(Answer[str]):
    """A program of at most `max_characters` characters, with or without a fence.

    This format only reads the text. The sandbox finds out whether it is a valid program.
    """

    instructions: str = "the whole Python program"
    language: str = "python"
    max_characters: int = 20_000
    layers: ClassVar[Layers] = PROGRAM
    format: ClassVar[str] = "code"

    def parse(self, text: str) -> str:
        if len(text) > self.max_characters + 200:
            raise Unreadable(f"expected a program of at most {self.max_characters} characters, got {len(text)}")
        plain = text.replace("\r\n", "\n").strip("\n").rstrip()
        if fenced := _FENCED.fullmatch(plain.strip()):
            plain = fenced[1].strip("\n").rstrip()
        if not plain.strip():
            raise Unreadable("expected a program, got an empty answer")
        if len(plain) > self.max_characters:
            raise Unreadable(f"expected a program of at most {self.max_characters} characters, got {len(plain)}")
        if "\0" in plain:
            raise Unreadable("a program cannot hold a null character")
        try:
            plain.encode()
        except UnicodeEncodeError as error:
            raise Unreadable(f"a program cannot hold the character {plain[error.start]!r}") from None
        return plain

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f"\n{value}\n\n", f"```{self.language}\n{value}\n```", f"```\n{value}\n```\n", value.replace("\n", "\r\n"))

    def near_misses(self, value: str) -> Iterator[str]:
        lines = value.split("\n")
        if len(lines) > 1:
            yield "\n".join(lines[:-1])
        yield value[: len(value) // 2]
