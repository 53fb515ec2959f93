"""One integer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBER
from rlgym.core.layout.layers import Layers

# Either plain digits or digits in groups of three; a closing full stop or `.0` does not change an integer.
PATTERN = re.compile(r"\$?\s{0,9}([+\-−]?)\s{0,9}([0-9]{1,3}(?:,[0-9]{3}){1,1400}|[0-9]{1,4200})(?:\.0{0,9})?\s{0,9}\$?")


@dataclass(frozen=True)
class Integer(Answer[int]):
    """One integer in decimal ASCII digits, at most 4,200 of them; grouping commas, `+` and `−` are read too."""

    instructions: str = "one integer in decimal digits"
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "integer"

    def parse(self, text: str) -> int:
        match = PATTERN.fullmatch(text.strip()) if len(text) < 6000 else None
        if not match:
            raise Unreadable(f"expected one integer, got {text[:40]!r}")
        size = int(match[2].replace(",", ""))
        return -size if match[1] in ("-", "−") else size

    def render(self, value: int) -> str:
        return str(value)

    def variants(self, value: int) -> Iterator[str]:
        yield from (f" {value}\n", f"{value}.0", f"{value}.", f"${value}$", f"{value:,}")
        yield f"−{-value}" if value < 0 else f"+{value}"

    def near_misses(self, value: int) -> Iterator[int]:
        yield from (value + 1, value - 1, value * 10, value + 10)
        if value:
            yield -value
