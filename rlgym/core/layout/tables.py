"""Markdown tables in place of the rows of a grid."""

from __future__ import annotations

import re

from rlgym.core.layout.question import Question

_DASHES = r"\s{0,9}(?::?-{2,99}:?|:-:?|-:)\s{0,9}"  # a single dash may be a cell of the grid
_RULE = re.compile(rf"\|?{_DASHES}(?:\|{_DASHES}){{0,99}}\|?")
_ROW = re.compile(r"\s{0,9}\|.*\|\s{0,9}")
_HEADINGS = re.compile(r"\s{0,9}\|(?:\s{0,9}(?:c|col|column)\s?[0-9]{1,3}\s{0,9}\|){1,99}\s{0,9}", re.IGNORECASE)


def without_rule(text: str, question: Question) -> str | None:
    """A Markdown table without the row of dashes below its first row, and without this first row where it numbers the columns (`| c1 | c2 |`).

    Only rows between bars are a table. A first row of bare numbers or letters is the first row of the grid.
    """
    if "|" not in text:
        return None
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or "|" not in lines[1] or not _RULE.fullmatch(lines[1]) or not all(map(_ROW.fullmatch, (lines[0], *lines[2:]))):
        return None
    rows = lines[2:] if _HEADINGS.fullmatch(lines[0]) else [lines[0], *lines[2:]]
    return "\n".join(rows)
