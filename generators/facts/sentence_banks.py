"""Sentences from banks of phrasings, read back by the same phrasings, and texts of numbered sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.core.score import Score

_NUMBERED = re.compile(r"\[([0-9]+)\] ([^\[\n]+?)(?=\s*(?:\[|\n|$))")
NUMBERS = frozenset("number amount year more of day since until".split())
_LINED = re.compile(r"^([0-9]+)\. (.+)$", re.MULTILINE)


class Said(NamedTuple):
    """What a sentence says: its kind, and what fills its gaps."""

    kind: str
    gaps: dict[str, str]


class Bank:
    """Kinds of sentences, each in several phrasings: lines `kind: one way {who} | {who} another way`.

    A gap holds one word; one whose name ends in `_words` holds several, and those in `NUMBERS` hold digits. Where two kinds could read
    a sentence, the one that stands first does.
    """

    def __init__(self, text: str) -> None:
        self.phrasings: dict[str, tuple[str, ...]] = {}
        for line in text.strip().split("\n"):
            kind, _, ways = line.strip().partition(": ")
            self.phrasings[kind] = (*self.phrasings.get(kind, ()), *(phrasing.strip() for phrasing in ways.split(" | ")))

    def say(self, rng: Rng, form: str, /, **gaps: object) -> str:
        """A sentence of this kind."""
        return rng.choice(self.phrasings[form]).format(**gaps)

    def read(self, sentence: str) -> Said | None:
        """What a sentence says; None where it is of no kind of this bank."""
        for kind, pattern in self._patterns:
            if match := pattern.fullmatch(sentence):
                return Said(kind, match.groupdict())
        return None

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(kind, re.compile(_pattern(phrasing))) for kind, ways in self.phrasings.items() for phrasing in ways]


def _pattern(phrasing: str) -> str:
    parts = re.split(r"\{(\w+)\}", phrasing)
    seen: set[str] = set()
    out = []
    for i, part in enumerate(parts):
        if i % 2 == 0:
            out.append(re.escape(part))
        elif part in seen:
            out.append(f"(?P={part})")
        else:
            seen.add(part)
            group = "[0-9]+" if part in NUMBERS else ".+?" if part.endswith("_words") else r"\w[\w-]*"
            out.append(f"(?P<{part}>{group})")
    return "".join(out)


def passage(rng: Rng, sentences: Sequence[str], low: int = 4, high: int = 8) -> str:
    """Sentences as paragraphs, each with its number in square brackets before it, from 1."""
    out, at = [], 0
    while at < len(sentences):
        size = rng.integer(low, high)
        out.append(" ".join(f"[{i}] {sentence}" for i, sentence in enumerate(sentences[at : at + size], at + 1)))
        at += size
    return "\n\n".join(out)


def numbered_list(sentences: Iterable[str]) -> str:
    """Sentences as a list, one a line, numbered from 1."""
    return "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(sentences, 1))


def sentences(prompt: str) -> dict[int, str]:
    """The numbered sentences of a passage or a list."""
    numbered_lines = _NUMBERED.findall(prompt) or _LINED.findall(prompt)
    return {int(number): sentence for number, sentence in numbered_lines}


def read_statements(prompt: str, bank: Bank) -> Iterator[tuple[int, Said]]:
    """What the numbered sentences say that are of a kind of this bank, with their numbers, in order."""
    for number, sentence in sentences(prompt).items():
        if statement := bank.read(sentence):
            yield number, statement


def score_parts(answer: Sequence[object], right: Sequence[object]) -> Score:
    """1 for exactly these parts in this order; else the place of the first part that is wrong."""
    if len(answer) != len(right):
        return Score.wrong("the answer has too few or too many parts")
    wrong = next((i for i, (first, second) in enumerate(zip(answer, right), 1) if first != second), None)
    return Score.exact(wrong is None, f"part {wrong} of the answer is wrong")
