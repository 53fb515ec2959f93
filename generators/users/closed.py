"""Closed questions: those that name the values of which one is the answer, as in "Is it the red or the blue one?" and "Morning or afternoon?"."""

from __future__ import annotations

import re

from rlgym.generators.users.english import WORD
from rlgym.generators.users.scoring import content_words, supported
from rlgym.generators.users.sentences import Patterns
from rlgym.generators.users.vocabulary import foreign_words

LONGEST_ELLIPSIS = 8
"""The most words of a question that consists of its values alone."""
_OPENER = re.compile(
    r"^(?:(?:and|so|ok|okay|well|then|now|also|great|thanks|thank you|alright|perfect|right|sorry)\b[ ,.!:-]*)*"
    r"(?:is|are|was|were|do|does|did|have|has|had|will|would|should|shall|can|could|may|might|which is it|what is it)\b"
)
_OR = re.compile(r"\bor\b(?! (?:so|else|not|anything|something)\b)|\bbetween\b.*\band\b")
_LEAD_IN = re.compile(r":\s+|\s-\s")
_BESIDE_OR = re.compile(r"(?:\w+ ){0,3}\bor\b(?: \w+){0,3}")
_NO_VALUE = ("open", "go_ahead")


def named_values(name: str, patterns: Patterns, sentence: str) -> list[str]:
    """The intents of the grammar with a name whose values a closed question names: by alternatives, or by one value where no word is about anything else."""
    if "?" not in sentence:
        return []
    *_, last = _LEAD_IN.split(sentence)  # "Quick question about the report: is it from Oslo or from Turin?"
    sentence = last if "?" in last else sentence
    several = _OR.search(sentence) is not None
    # A name that stands in no world may be among the alternatives.
    foreign, _ = foreign_words(_BESIDE_OR.sub(" or ", sentence))
    if not _OPENER.search(sentence) and not (several and len(WORD.findall(sentence)) <= LONGEST_ELLIPSIS):
        return []
    if foreign:
        return []
    found = [(intent, match) for intent, pattern in patterns.slots if intent not in _NO_VALUE and (match := pattern.search(sentence))]
    return [intent for intent, match in found if several or _is_about(name, intent, sentence[: match.start()] + sentence[match.end() :])]


def _is_about(name: str, intent: str, beside: str) -> bool:
    """Whether the words beside a value are about the same, or about nothing."""
    return not content_words(beside) or intent in supported(name, beside)
