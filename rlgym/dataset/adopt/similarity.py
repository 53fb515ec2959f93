"""Finds texts that are the same question: exactly, with some words replaced or added, or inside a longer text. It uses no embeddings.

Two texts count as the same question if their common words stand in the same order, the numbers agree, the common words carry most of the weight,
and what differs is not specific to both. Words are weighted by how rare they are among all texts, so that the words of a template weigh little,
and two tasks of one template, which differ in their names or formulas, count as different.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

SIMILAR = 0.6
"""The least share of the weight of all words that two equal questions have in common."""
RARE = 0.02
"""A word is specific if at most this share of the texts, or two of them, have it."""
LONG = 20
"""From so many words on, a reference is found inside a longer text."""
MOST_REPLACED = 4
"""The most words that two equal questions may each have for themselves, unless one stands inside the other."""
PROBES, COMMON, CANDIDATES = 24, 200, 40

_TOKEN = re.compile(r"[.#_|@*+\-]{3,}|[0-9]+(?:\.[0-9]+)?|[^\W\d_]+|[^\w\s,;:.?()'\"`]")
_NUMBERED = re.compile(r"^\s*(?:(?:problem|question|exercise|example|task|q)\s*#?\s*[0-9]*\s*[.:)]+|[0-9]{1,3}\s*[.)])\s+", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:left|right|displaystyle|text|mathrm|mathbf|quad|qquad|[,;:!()\[\]])|[${}]|\\")
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≤": "<", "≥": ">"})


@dataclass(frozen=True)
class Text:
    """A text as what is compared: its words and signs in order."""

    words: tuple[str, ...]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word occurs."""
        return Counter(self.words)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers in order."""
        return tuple(word for word in self.words if word[0].isdigit())

    @cached_property
    def features(self) -> frozenset[tuple[str, ...]]:
        """The words and the pairs of neighbouring words, by which similar texts are looked up."""
        return frozenset([*((word,) for word in self.words), *zip(self.words, self.words[1:], strict=False)])


def read_text(text: str) -> Text:
    """A text without case, layout, LaTeX dress, punctuation and the number of the question. Rows of signs, as in a drawn grid, are words."""
    plain = _NUMBERED.sub("", text.translate(_SIGNS))
    plain = re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "", _LATEX.sub(" ", plain)).casefold()
    plain = re.sub(r"\b(?:cdot|times)\b", "*", plain)
    return Text(tuple(_TOKEN.findall(plain)))


class Index:
    """Texts that can be searched for the one most like another. How rare words are comes from all texts of `corpus`."""

    def __init__(self, corpus: Iterable[Text]) -> None:
        self.frequencies: Counter[str] = Counter()
        self.total = 0
        for text in corpus:
            self.total += 1
            self.frequencies.update(text.counts.keys())
        self.texts: dict[int, Text] = {}
        self.having: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        self.exact: dict[tuple[str, ...], int] = {}

    def add(self, key: int, text: Text) -> None:
        """Make a text searchable under a key."""
        self.texts[key] = text
        self.exact.setdefault(text.words, key)
        for feature in text.features:
            self.having[feature].append(key)

    def weight(self, word: str) -> float:
        """The logarithm of how rare a word is."""
        return math.log(1 + self.total / max(1, self.frequencies[word]))

    def similarity(self, one: Text, other: Text) -> float:
        """The share of the weight of both texts that they have in common if they can be the same question, else 0."""
        only_one, only_other = one.counts - other.counts, other.counts - one.counts
        few = max(only_one.total(), only_other.total()) <= MOST_REPLACED
        if few and not (self._is_specific(only_one) and self._is_specific(only_other)):
            changed = only_one.keys() | only_other.keys()
            if tuple(w for w in one.words if w not in changed) != tuple(w for w in other.words if w not in changed):
                return 0.0
        elif not (contains(one, other) or contains(other, one)):
            return 0.0
        whole = self._weight(one.counts | other.counts)
        return self._weight(one.counts & other.counts) / whole if whole else 0.0

    def _weight(self, counts: Counter[str]) -> float:
        return sum(count * self.weight(word) for word, count in counts.items())

    def _is_specific(self, counts: Counter[str]) -> bool:
        return any(self.frequencies[word] <= max(2, RARE * self.total) for word in counts)

    def duplicates(self, text: Text) -> list[int]:
        """The keys of texts with the same numbers and nearly the same words, most similar first."""
        near = [key for key in self._candidates(text) if self.texts[key].numbers == text.numbers]
        found = [(-score, key) for key in near if (score := self.similarity(text, self.texts[key])) >= SIMILAR]
        return [key for _, key in sorted(found)]

    def leak(self, text: Text) -> int | None:
        """The key of a reference that a text repeats: exactly, nearly, or as a part; None where there is none."""
        if text.words in self.exact:
            return self.exact[text.words]
        if near := self.duplicates(text):
            return near[0]
        long = (key for key in self._candidates(text) if len(self.texts[key].words) >= LONG)
        return next((key for key in long if contains(text, self.texts[key])), None)

    def _candidates(self, text: Text) -> list[int]:
        """The keys of texts that share rare words or pairs, most weight first."""
        known = [feature for feature in text.features if 0 < len(self.having.get(feature, ())) <= COMMON]
        shared: Counter[int] = Counter()
        for feature in sorted(known, key=lambda feature: (len(self.having[feature]), feature))[:PROBES]:
            for key in self.having[feature]:
                shared[key] += 1
        return [key for key, _ in shared.most_common(CANDIDATES)]


def contains(whole: Text, part: Text) -> bool:
    """Whether the words of a text stand in a row in another."""
    size, head = len(part.words), part.words[: LONG // 2]
    starts = (at for at in range(len(whole.words) - size + 1) if whole.words[at : at + len(head)] == head)
    return any(whole.words[at : at + size] == part.words for at in starts)
