"""The matters that a person may be spoken to about: which of them a sentence names, and the parts of a sentence that names several."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.users.english import WORD

_ALL = re.compile(
    r"\b(?:both|each(?: one)?|all (?:of )?(?:them|these|those)|all (?:two|three|four|five|six|your)|respectively|every (?:one|item|order))\b"
)
_ORDINALS = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1, "latter": -1}
_PLACED = re.compile(
    rf"\bthe ({'|'.join(_ORDINALS)})(?: (?:one|order|item|request|wish|thing|file))?(?= ?(?:[,;:?.!]|$|\b(?:order|one|item)\b))(?! available| free)"
)
_CLAUSE = re.compile(
    r"(?:,|;| -|,? and|,? also)\s+(?=(?:also |then )?(?:what|which|why|how|do|does|is|are|would|could|can|should|for|as for|"
    r"regarding|about|concerning)\b)"
)


class Matter(NamedTuple):
    """One of several things that a person may be spoken to about: its key, and the names that a text in lower case may give it."""

    key: str
    names: tuple[str, ...]


EVERY = "*"
"""What a meaning is about that asks for the same of every matter, as in "What are the reasons for both?"."""
FOREIGN = "?"
"""What a meaning is about that names a matter which is none of the person's."""


def mentioned(matters: tuple[Matter, ...], text: str) -> tuple[str, ...]:
    """The keys of the matters that a text in lower case names, in its order; EVERY where it means all of them without a name."""
    places = [(match.start(), matter.key) for matter in matters if (match := _names(matter.names).search(text))]
    if not places and len(matters) > 1 and _ALL.search(text):
        return (EVERY,)
    return tuple(key for _, key in sorted(places))


def placed(matters: tuple[Matter, ...], text: str) -> tuple[str, ...]:
    """The key of the matter that a text means by its place, as in "the first one"; FOREIGN where there are not so many."""
    found = _PLACED.search(text) if len(matters) > 1 else None
    if found is None:
        return ()
    number = _ORDINALS[found[1]]
    return (matters[number].key,) if number < len(matters) else (FOREIGN,)


@lru_cache(maxsize=1024)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})\b")


def split_clauses(sentence: str, matters: tuple[Matter, ...]) -> list[str]:
    """A sentence that names several matters in its parts, a part for each question; other sentences stay whole."""
    if len(mentioned(matters, sentence)) < 2:
        return [sentence]
    parts = [part for part in _CLAUSE.split(sentence) if WORD.search(part)]
    end = "?" if "?" in sentence else ""
    named = [part for part in parts if mentioned(matters, part)]
    return [part if "?" in part else part + end for part in parts] if len(named) > 1 else [sentence]
