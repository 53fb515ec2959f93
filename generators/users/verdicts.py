"""Whether what an agent reads back is what a person said: by the numbers, days and words that both name."""

from __future__ import annotations

import re
from enum import Enum

from rlgym.generators.users.english import plain_text
from rlgym.generators.users.scoring import content_words

_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_NUMBER = re.compile(rf"\d+(?:[:.]\d+)*|\b(?:{'|'.join(_NUMBERS)})\b")
_DAY = re.compile(
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december)\b"
)
_DECIDES = re.compile(r"\b(?:yes|no|not|never|none|nothing|nobody|cannot|without|neither)\b")
_ENOUGH = 0.6
"""The share of a line's words that a claim must have to be confirmed."""


class Verdict(Enum):
    """RIGHT where a claim agrees with a line, WRONG where it contradicts it, OPEN where the words decide neither."""

    RIGHT = "Yes."
    WRONG = "No."
    OPEN = ""


def verdict(claim: str, words: str) -> Verdict:
    """Whether a claim in plain text agrees with the words of a line."""
    line = plain_text(words)
    if _DECIDES.search(line) or _DECIDES.search(claim):
        return Verdict.OPEN
    decided = [found for found in (_compared(_numbers(claim), _numbers(line)), _compared(_days(claim), _days(line))) if found]
    if decided:
        return decided[0] if len(set(decided)) == 1 else Verdict.OPEN
    if _numbers(claim) | _days(claim) and _numbers(line) | _days(line):
        return Verdict.OPEN
    said, heard = _content(line), _content(claim)
    return Verdict.RIGHT if said and len(said & heard) >= _ENOUGH * len(said) else Verdict.OPEN


def _compared(claim: set[str], line: set[str]) -> Verdict | None:
    """What values of one sort decide: nothing where the claim or the line names none."""
    if not claim or not line:
        return None
    return Verdict.RIGHT if line <= claim else Verdict.WRONG if not line & claim else Verdict.OPEN


def _numbers(text: str) -> set[str]:
    return {_NUMBERS.get(number, number).rstrip(".").removesuffix(":00") for number in _NUMBER.findall(text)}


def _days(text: str) -> set[str]:
    return set(_DAY.findall(text))


def _content(text: str) -> set[str]:
    return {word for word in content_words(text) if word[0] != "<"}
