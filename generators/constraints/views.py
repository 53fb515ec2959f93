"""What constraints look at in a text: its words, sentences, lines and paragraphs, each read once, in time linear in the text."""

import json
import re
from collections import Counter
from functools import cached_property
from typing import Any

from rlgym.core.json_objects import refuse_duplicate_keys

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_END = re.compile(r"[.!?]+")
_MARKS = re.compile(r"^(?:#+ |- |\* |\d+\) )")
MOST = 8000

ASTERISKS = "but closing asterisks "
NOTES = {
    "word": "A word is a run of letters, possibly with hyphens or apostrophes inside it; words are compared without regard to letter case.",
    "sentence": "Every full stop, question mark or exclamation mark ends a sentence (several in a row end one sentence), each sentence holds at "
    f"least one word, and nothing {ASTERISKS}comes after the last sentence.",
    "line": "Empty lines do not count as lines.",
    "paragraph": "Paragraphs are separated by one or more empty lines.",
}
"""What the constraints mean by their terms."""


class View:
    """A text as constraints see it; one that is too long counts as empty."""

    def __init__(self, text: str) -> None:
        self.text = text.strip() if len(text) <= MOST else ""

    @cached_property
    def spelled(self) -> list[str]:
        """The words as they stand."""
        return _WORD.findall(self.text)

    @cached_property
    def words(self) -> list[str]:
        return [word.lower() for word in self.spelled]

    @cached_property
    def counted(self) -> Counter[str]:
        return Counter(self.words)

    @cached_property
    def lines(self) -> list[str]:
        return [line.strip() for line in self.text.split("\n") if line.strip()]

    @cached_property
    def by_line(self) -> list[list[str]]:
        """The words of each line."""
        return [[word.lower() for word in _WORD.findall(line)] for line in self.lines]

    @cached_property
    def paragraphs(self) -> list[str]:
        return [part for part in re.split(r"\n[ \t]*\n", self.text) if part.strip()]

    @cached_property
    def sentences(self) -> list[list[str]]:
        """The words of each sentence; none at all where something is no whole sentence."""
        *sentences, rest = _END.split(self.text)
        words = [[word.lower() for word in _WORD.findall(part)] for part in sentences]
        return [] if rest.strip(" *\n\t") or not all(words) else words

    @cached_property
    def starts(self) -> list[str]:
        """The first letter of each line, empty for a line that begins with none once a list mark is taken away."""
        firsts = [_MARKS.sub("", line).lstrip("*")[:1] for line in self.lines]
        return [first.lower() if first.isalpha() else "" for first in firsts]

    @cached_property
    def rows(self) -> list[list[str]]:
        """The cells of a table in Markdown without the line of dashes; none where the text is not one table."""
        rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in self.lines if line[0] == line[-1] == "|" and len(line) > 1]
        if len(rows) < 2 or len(rows) != len(self.lines) or not all(re.fullmatch(":?-{3,}:?", cell) for cell in rows[1]):
            return []
        return [rows[0], *rows[2:]] if len({len(row) for row in rows}) == 1 else []

    @cached_property
    def json(self) -> Any:
        """The JSON value that the text is, None where it is none."""
        try:
            return json.loads(self.text, object_pairs_hook=refuse_duplicate_keys)
        except (ValueError, RecursionError):
            return None
