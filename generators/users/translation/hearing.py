"""What is said to people who speak another language, in English: by a glossary where it is in their language, as it is where it is English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from rlgym.generators.users.english import plain_text
from rlgym.generators.users.translation.german_words import GERMAN
from rlgym.generators.users.translation.glossary import Glossary, gloss, plain
from rlgym.generators.users.translation.spanish_words import SPANISH
from rlgym.generators.users.translation.speech import spoken_words
from rlgym.generators.users.vocabulary import is_foreign
from rlgym.generators.worlds.catalogue import KINDS, MATERIALS

GLOSSARIES: Mapping[str, Glossary] = {
    language: glossary._replace(words={**{plain(word): english for word, english in spoken_words(language).items()}, **glossary.words})
    for language, glossary in (("german", GERMAN), ("spanish", SPANISH))
}
_ENGLISH = frozenset(
    "the a an and or but of to in on at for with from by is are was were be been am i you we they it he she this that there your my our their me us have has "
    "had do does did will would can could may not no yes so if please what which who when where why how many much long old any anything else tell give let "
    "know need want like get take more about coins days hello hi good great thanks thank sorry one moment".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE = re.compile(r"(?<=[.!?;:])\s+|,?\s+(?:und|oder|aber|y|e|o|u|pero)\s+|,\s+")
_OF_MATERIAL = re.compile(rf"\b({'|'.join(KINDS)}) (?:(?:from|of|out of|made of|made from) )+(?:the )?({'|'.join(MATERIALS)})\b")
"""A product by what it is and what it is made of, as in "chair of oak", which is the oak chair."""
LEAST = 0.5
"""The least share of a text's words that a glossary has, for the text to be in its language."""


@lru_cache(maxsize=4096)
def in_english(language: str, text: str) -> str:
    """A message in English; nothing where it is neither in this language nor in English."""
    if language not in GLOSSARIES:
        return text
    glossed, low = gloss(GLOSSARIES[language], text), plain_text(text)
    words = _WORD.findall(low)
    english = sum(word in _ENGLISH for word in words)
    if not words or (glossed.words and glossed.known >= LEAST * glossed.words and glossed.known > english):
        return _OF_MATERIAL.sub(r"\2 \1", glossed.text)
    return text if 4 * english >= len(words) or not is_foreign(low) else ""


def in_own_words(language: str, text: str, clause: str) -> str:
    """The part of a message that an English clause stands for: the one whose English shares the most words with it."""
    if language not in GLOSSARIES or in_english(language, text) == text:
        return clause
    wanted = set(_WORD.findall(clause))
    parts = [part.strip(" \u00bf\u00a1") for part in _CLAUSE.split(text) if _WORD.search(part)]

    def shared(part: str) -> float:
        words = set(_WORD.findall(gloss(GLOSSARIES[language], part).text))
        return len(words & wanted) / max(1, len(words | wanted))

    return max(parts, key=shared, default=clause)
