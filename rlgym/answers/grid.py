"""A rectangular grid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import WRAPPERS, Layer
from rlgym.core.layout.layers import Layers

Cells = tuple[tuple[str, ...], ...]
_SPLIT = re.compile(r"[\s,|]+")
_ROWS_OF_JSON = re.compile(r"\]\s*,?\s*\[")


@dataclass(frozen=True)
class Grid(Answer[Cells]):
    """Rows of cells, one row a line, cells separated by spaces, commas or bars, or as a JSON list of lists.

    With `single_characters` every cell is one character and rows may be written without separators. `max_size` bounds
    rows and columns. All rows must be of one length; the verifier checks which.
    """

    instructions: str = "the grid, one row per line, with cells separated by spaces"
    max_size: int = 40
    single_characters: bool = False
    layers: Layers = WRAPPERS | {Layer.BULLETS, Layer.TABLE}
    format: ClassVar[str] = "grid"

    def parse(self, text: str) -> Cells:
        plain = text.strip()
        if len(plain) > 24 * self.max_size * self.max_size:
            raise Unreadable(f"expected at most {self.max_size} rows and columns, got {len(plain)} characters")
        if plain.startswith("[["):
            lines = _ROWS_OF_JSON.split(plain.strip("[] \n\t"))
        elif plain.startswith("[") and re.match(r"\[\s*\[", plain):
            lines = _ROWS_OF_JSON.split(plain[1:].strip().strip("[] \n\t"))
        else:
            lines = [line.strip().removeprefix("[").removesuffix(",").removesuffix("]") for line in plain.split("\n")]
        rows = tuple(row for row in (self._cells(line) for line in lines) if row)
        if not rows or len(rows) > self.max_size or len({len(row) for row in rows}) != 1 or len(rows[0]) > self.max_size:
            raise Unreadable(f"expected rows of equal length, one per line, got {text[:40]!r}")
        return rows

    def _cells(self, line: str) -> tuple[str, ...]:
        cells = tuple(cell.strip("\"'") for cell in _SPLIT.split(line.strip()) if cell)
        if any(not cell for cell in cells):
            raise Unreadable(f"a cell of the row {line[:40]!r} is empty")
        if self.single_characters and any(len(cell) > 1 for cell in cells):
            if len(cells) > 1:
                raise Unreadable(f"the row {line[:40]!r} has some cells joined and some separated")
            return tuple(cells[0])
        return cells

    def render(self, value: Cells) -> str:
        return "\n".join(" ".join(row) for row in value)

    def variants(self, value: Cells) -> Iterator[str]:
        yield "\n".join(", ".join(row) for row in value)
        yield "\n".join("| " + " | ".join(row) + " |" for row in value)
        yield "[" + ",\n ".join("[" + ", ".join(f'"{cell}"' for cell in row) + "]" for row in value) + "]"
        yield "\n" + "\n".join("   ".join(row) for row in value) + "\n\n"
        if self.single_characters and len(value[0]) > 1:
            yield "\n".join("".join(row) for row in value)

    def near_misses(self, value: Cells) -> Iterator[Cells]:
        other = next((cell for row in value for cell in row if cell != value[0][0]), "?")
        yield ((other, *value[0][1:]), *value[1:])
        yield (*value, value[-1])
        yield value[:-1] or (*value, value[-1])
        turned = tuple(zip(*value, strict=True))
        if turned != value:
            yield turned
        if value[0] != value[-1]:
            yield (value[-1], *value[1:-1], value[0])
