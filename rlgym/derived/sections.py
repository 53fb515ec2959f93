"""The answer format of NAME:several: one numbered section for each task."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from rlgym.core.answer import Answer, Style, Unreadable
from rlgym.core.layout import WRAPPERS, peeled, question_of
from rlgym.core.layout.layers import Layers

MOST_SECTIONS = 50
_HEADING = re.compile(
    r"^[ \t]{0,3}={2,6}[ \t]{0,3}(?:(?:Task|Answer)[ \t]{1,3})?([0-9]{1,2})[ \t]{0,3}={2,6}[ \t]{0,3}:?[ \t]{0,3}$", re.M | re.I
)
_OTHER_HEADING = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]{1,3})?[*_]{0,3}(?:Task|Answer)[ \t]{1,3}([0-9]{1,2})[ \t]{0,3}[*_]{0,3}(?::[*_]{0,3}|[ \t]{0,3}$)",
    re.M | re.I,
)


@dataclass(frozen=True)
class Sections(Answer[tuple[tuple[Any, ...], ...]]):
    """One section for each task: a line `=== Task 1 ===`, and below it the answer in the inner format.

    Values hold for each section the readings of its answer, which differ where a layout can be content; an answer that is given has one.
    Markdown headings and `Task 1:` are read too, where they number the sections from 1 in order.
    """

    inner: Answer[Any]
    format: ClassVar[str] = "sections"

    @property
    def instructions(self) -> str:
        return (
            "one section for each task, in order: a heading line such as `=== Task 1 ===`, and below it the answer to that task alone, which is "
            f"{self.inner.instructions}"
        )

    @property
    def layers(self) -> Layers:
        """The layout around all sections is that which may stand around one answer."""
        return self.inner.layers & WRAPPERS

    def parse(self, text: str) -> tuple[tuple[Any, ...], ...]:
        return tuple((self.inner.parse(piece),) for piece in _split(text))

    def read(self, text: str, prompt: str = "") -> list[tuple[tuple[Any, ...], ...]]:
        readings: list[list[Any]] = []
        problem: Unreadable | None = None
        for peel in peeled(text, self.layers, question_of(prompt, self.instructions)):
            try:
                found = [self._read_section(number, piece, prompt) for number, piece in enumerate(_split(peel), 1)]
            except Unreadable as why:
                problem = problem or why
                continue
            if not readings:
                readings = found
            elif len(readings) == len(found):
                for known, others in zip(readings, found, strict=True):
                    known += [other for other in others if other not in known]
        if not readings:
            raise problem or Unreadable(f"expected {self.instructions}")
        return [tuple(map(tuple, readings))]

    def _read_section(self, number: int, piece: str, prompt: str) -> list[Any]:
        try:
            return list(self.inner.read(piece, prompt))
        except Unreadable as why:
            raise Unreadable(f"task {number}: {why}") from None

    def render(self, value: tuple[tuple[Any, ...], ...]) -> str:
        return _join([self.inner.render(readings[0]) for readings in value])

    def variants(self, value: tuple[tuple[Any, ...], ...]) -> Iterator[str]:
        rendered = [self.inner.render(readings[0]) for readings in value]
        yield _join(rendered, "\n=== {} ===\n\n")
        if not any(_OTHER_HEADING.search(text) for text in rendered):
            yield _join(rendered, "### Task {}\n")
            yield _join(rendered, "**Task {}:**\n")
            yield _join(rendered, "Task {}:\n")
        spellings = [list(islice(self.inner.variants(readings[0]), 4)) for readings in value]
        yield from (_join(list(texts)) for texts in zip(*spellings))

    def near_misses(self, value: tuple[tuple[Any, ...], ...]) -> Iterator[tuple[tuple[Any, ...], ...]]:
        for place, readings in enumerate(value):
            for other in islice(self.inner.near_misses(readings[0]), 2):
                yield (*value[:place], (other,), *value[place + 1 :])

    def unknown_layout(self, response: str, style: Style) -> str:
        for text in self.extract(response, style):
            for peel in peeled(text, self.layers, question_of("", self.instructions)):
                try:
                    pieces = _split(peel)
                except Unreadable:
                    continue
                return next((what for piece in pieces if (what := self.inner.unknown_layout(f"<answer>{piece}</answer>", "tag"))), "")
        return ""


def _join(texts: list[str], heading: str = "=== Task {} ===\n") -> str:
    return "\n".join(heading.format(number) + text for number, text in enumerate(texts, 1))


def _split(text: str) -> list[str]:
    """The texts of the sections, or Unreadable."""
    for pattern in (_HEADING, _OTHER_HEADING):
        headings = list(islice(pattern.finditer(text), MOST_SECTIONS + 1))
        if not headings:
            continue
        if [int(match[1]) for match in headings] != list(range(1, len(headings) + 1)) or len(headings) > MOST_SECTIONS:
            raise Unreadable("the sections must be numbered 1, 2, 3 ... in order, each once")
        if text[: headings[0].start()].strip():
            raise Unreadable("there is text before the first section")
        ends = [match.start() for match in headings[1:]] + [len(text)]
        return [text[match.end() : end].strip("\n") for match, end in zip(headings, ends, strict=True)]
    raise Unreadable("there is no heading such as `=== Task 1 ===`")
