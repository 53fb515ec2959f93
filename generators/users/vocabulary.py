"""The words that agents of these worlds use: which words are foreign to all of them, and which are misspelt."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files

from rlgym.generators import users
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.users.claims_phrases import PLACES, THINGS
from rlgym.generators.users.english import WORD, plain_text
from rlgym.generators.users.intents import find_grammar, grammar_names
from rlgym.generators.users.luggage_phrases import BRANDS, MARKS
from rlgym.generators.users.scoring import ASKING, content_words, examples, stem
from rlgym.generators.users.travel_phrases import FEATURES, TOWNS, WAYS
from rlgym.generators.worlds.catalogue import KINDS, MATERIALS
from rlgym.generators.worlds.desk import SURNAMES
from rlgym.generators.worlds.desk import TOWNS as HOME_TOWNS

_LITERAL = re.compile(r"(?<![\\a-z])([a-z]{3,})(?:[a-z](?=[?*{])|(?![a-z?*{+\\[]))")
_NAMES = " ".join(
    (*PEOPLE, *SURNAMES, *HOME_TOWNS, *TOWNS, *BRANDS, *MARKS, *PLACES, *THINGS, *FEATURES, *WAYS, *KINDS, *MATERIALS)
).lower()
_OF_THE_WORLDS = files("rlgym.generators.users").joinpath("common_words.txt").read_text(encoding="utf-8")
"""Words that are common in any conversation, or belong to one of the worlds."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"
LONG_WORD = 7
"""The length from which on a misspelt word is hardly ever another word."""
_FEWEST = 4
"""The length from which on a word may be taken for a misspelt one."""


@lru_cache(maxsize=1)
def _words() -> Counter[str]:
    """The words of all examples and of the patterns, with how often they occur."""
    counts: Counter[str] = Counter(WORD.findall(f"{_NAMES} {_OF_THE_WORLDS}"))
    counts.update(word for text in _phrases() for word in set(WORD.findall(text.lower())))
    for name in grammar_names():
        for intents, text in examples(name):
            if not intents & {"rest", "unknown"}:
                counts.update(WORD.findall(plain_text(text)))
        grammar = find_grammar(name)
        for pattern in (
            *grammar.asks.values(),
            *grammar.actions.values(),
            *grammar.hints.values(),
            *grammar.slots.values(),
            grammar.opening,
        ):
            counts.update(set(_LITERAL.findall(pattern)))
    return counts


def _phrases() -> Iterator[str]:
    """What people of these worlds say: the texts in the modules of phrases."""
    for module in pkgutil.iter_modules(users.__path__):
        if module.name.endswith("_phrases"):
            yield from _texts(vars(importlib.import_module(f"{users.__name__}.{module.name}")).values())


def _texts(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from _texts(value)
        elif isinstance(value, dict):
            yield from _texts(value.values())


@lru_cache(maxsize=1)
def _stems() -> frozenset[str]:
    return frozenset(map(stem, _words()))


def foreign_words(text: str) -> tuple[int, int]:
    """How many of the words that say what a plain text is about are foreign to every world, and how many there are."""
    words = {word for word in content_words(text) if word[0] != "<" and " " not in word and word not in ASKING}
    return sum(word not in _stems() for word in words), len(words)


def is_foreign(text: str) -> bool:
    """Whether at least half of what a plain text is about is foreign to every world, as in "Where do swallows spend the winter?"."""
    foreign, words = foreign_words(text)
    return foreign > 0 and 2 * foreign >= words


@lru_cache(maxsize=4096)
def _corrected(word: str) -> str:
    words = _words()
    if len(word) < _FEWEST or word in words or stem(word) in _stems():
        return word
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    near = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    cuts = cuts[2:-1]  # other slips than a swap are hardly ever at the beginning, and an ending may be another word's
    if len(word) > _FEWEST:
        near |= {left + right[1:] for left, right in cuts if right}
        near |= {left + letter + right[1:] for left, right in cuts if right for letter in _LETTERS}
    near |= {left + letter + right for left, right in cuts for letter in _LETTERS}
    known = [other for other in near if other in words and len(other) >= _FEWEST]
    return min(known, key=lambda other: (-words[other], other)) if known else word


def corrected(text: str, shortest: int = _FEWEST) -> str:
    """A plain text with its misspelt words put right: those of at least `shortest` letters that are a letter, or a swap of two, away from a known word."""
    return text if "@" in text else WORD.sub(lambda match: _corrected(match[0]) if len(match[0]) >= shortest else match[0], text)
