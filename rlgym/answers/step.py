"""The number of a step, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable

_PATTERN = re.compile(r"(?:step\s{0,3}#?\s{0,3})?([0-9]{1,6})\.?", re.IGNORECASE)


@dataclass(frozen=True)
class Step(Answer[int]):
    """The number of a step, counted from 1, with the word step before it or not; the word none is 0."""

    instructions: str = "the number of the first wrong step, or the word none if no step is wrong"
    format: ClassVar[str] = "step"

    def parse(self, text: str) -> int:
        plain = text.strip() if len(text) < 200 else ""
        if plain.rstrip(".").casefold() == "none":
            return 0
        match = _PATTERN.fullmatch(plain)
        if not match or int(match[1]) == 0:
            raise Unreadable(f"expected the number of a step, or none, got {text[:40]!r}")
        return int(match[1])

    def render(self, value: int) -> str:
        return str(value) if value else "none"

    def variants(self, value: int) -> Iterator[str]:
        yield from ((f"Step {value}", f" {value}\n", f"{value}.") if value else (" None\n", "none."))

    def near_misses(self, value: int) -> Iterator[int]:
        yield value + 1
        if value:
            yield value - 1
