"""A matrix of exact rational numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rlgym.answers import trees
from rlgym.answers.maths import bare, parts
from rlgym.answers.maths.layout import inside
from rlgym.answers.rational import Rational
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBER
from rlgym.core.layout.layers import Layers

Rows = tuple[tuple[Fraction, ...], ...]
_ONE = Rational()
_ENTRY = trees.Grammar(max_characters=120, max_nodes=30)
_LATEX = re.compile(r"\\begin\{([pbvB]?matrix|array)\}(?:\{[lcr| ]{0,60}\})?(.*)\\end\{\1\}", re.DOTALL)


@dataclass(frozen=True)
class Matrix(Answer[Rows]):
    """Rows of rational numbers: `[[1, 2], [3, 4/5]]`, one row per line, rows separated by semicolons, or a LaTeX matrix."""

    instructions: str = "the matrix as a list of rows, as in [[1, 2], [3, 4]]"
    max_items: int = 400
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "matrix"

    def parse(self, text: str) -> Rows:
        if len(text) > 60 * self.max_items:
            raise Unreadable(f"expected a matrix, got {len(text)} characters")
        rows = tuple(tuple(_entry(entry) for entry in row) for row in _rows(text))
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows) or len(rows) * len(rows[0]) > self.max_items:
            raise Unreadable("expected rows of equally many numbers")
        return rows

    def render(self, value: Rows) -> str:
        return f"[{', '.join('[' + ', '.join(map(_ONE.render, row)) + ']' for row in value)}]"

    def variants(self, value: Rows) -> Iterator[str]:
        plain = self.render(value)
        yield from (f" {plain}\n", plain.replace(" ", ""), plain.replace("], [", "],\n ["), plain.replace("[", "(").replace("]", ")"))
        entries = [[_ONE.render(entry) for entry in row] for row in value]
        yield "\n".join(" ".join(row) for row in entries)
        yield "; ".join(", ".join(row) for row in entries)
        for name in ("pmatrix", "bmatrix"):
            latex = " \\\\ ".join(" & ".join(trees.latex(trees.number(entry)) for entry in row) for row in value)
            yield f"$\\begin{{{name}}} {latex} \\end{{{name}}}$"

    def near_misses(self, value: Rows) -> Iterator[Rows]:
        for r in range(min(len(value), 4)):
            changed = (value[r][0] + 1, *value[r][1:])
            yield (*value[:r], changed, *value[r + 1 :])
        yield tuple(zip(*value))
        if len(value) > 1:
            yield (value[1], value[0], *value[2:])
            yield value[:-1]


def _rows(text: str) -> list[list[str]]:
    plain = bare(text.replace("\\\\", "\n"))
    match = _LATEX.search(plain)
    if match:
        rows = [row for row in match[2].split("\n") if row.strip()]
        return [[entry.strip() for entry in row.split("&")] for row in rows]
    inner = inside(plain)
    if inner is not None and inner[:1] in ("[", "("):
        rows = parts(inner, r"\s*[,;]\s*|\s*\n\s*")
        return [_row(inside(row)) for row in rows if row]
    plain = plain if inner is None else inner
    return [_row(inside(row) or row) for row in (part.strip() for part in parts(plain, r"\s*[;\n]\s*")) if row]


def _row(text: str | None) -> list[str]:
    if not text:
        raise Unreadable("expected rows of numbers in brackets")
    return parts(text, r"\s*,\s*") if "," in text else parts(text, r"\s+")


def _entry(text: str) -> Fraction:
    try:
        return _ONE.parse(text)
    except Unreadable:
        try:
            return trees.exact(trees.read(text, _ENTRY), max_bits=400)
        except ArithmeticError:
            raise Unreadable(f"expected a number, got {text[:40]!r}") from None
