"""The words that agents of these worlds use: which words are foreign to all of them, and which are misspelt."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

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
_OF_THE_WORLDS = (
    "glazier locksmith plumber electrician courier deductible limit policy receipt customs police arbitration investigator ambulance engine unit district "
    "dispatcher landlord tenant firm visit warranty outage roaming suspension debt deposit trip voucher stock variant card payee balance hold fraud concierge "
    "agree agreement deal consent approve approval settle settlement forget forgot forgotten miss missed verify confirm proceed continue refund maker label "
    "repair mend fix replace swap order deliver delivery courier fetch collect arrange schedule reschedule convenient suitable available appointment urgent "
    "emergency danger safe calm quiet wait hold listen repeat explain describe spell figure number total sum amount fee charge price coin cheap dear spend "
    "afford limit maximum minimum latest earliest morning afternoon evening night today tomorrow yesterday week weekend month year date time clock hour minute "
    "identity identify security password secret code record file document account address email telephone mobile customer client caller guest patient pupil "
    "passenger traveller witness suspect colleague doctor nurse manager officer technician company office desk counter department form question answer reply "
    "exact exactly precise approximate roughly estimate guess detail information requirement preference restriction condition reason cause fault "
    "problem trouble "
    "issue matter concern accident incident event situation job task work project plan wish need want prefer like dislike enjoy avoid mind bother happy glad "
    "sorry welcome pleasure fine perfect lovely wonderful brilliant excellent correct wrong right sure certain possible impossible able unable "
    "allowed forbidden "
    "facade front roof ceiling gutter hedge fence wall trunk beam log branch trench pond pipe ladder excavator saw platform engine petrol diesel garage shed "
    "site field yard lane avenue square drive operate reach dig cut lift "
    "window pane glass lock key door sink basin tap boiler radiator heating switch breaker valve gauge leak drip crack "
    "suitcase backpack trunk handle wheel zip strap label belt carousel arrival departure airport gate terminal transfer "
    "hurt pain sore ache fever dose symptom check surgery prescription vaccination operation "
    "beach mountain lake city island coast village resort pool sauna lift garden kitchen balcony view train plane bus ferry boat ship car bike "
    "thief theft burglary robbery vandal fire smoke damage loss value worth camera laptop watch ring guitar "
    "massage concert museum offer colleague request vault attic hall library cellar kitchen garden trace witness evidence helmet licence insurance socket"
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"
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


def corrected(text: str) -> str:
    """A plain text with its misspelt words put right: those a letter, or a swap of two, away from a known word."""
    return WORD.sub(lambda match: _corrected(match[0]), text)
