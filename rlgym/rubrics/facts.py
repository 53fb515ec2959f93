"""Facts that a text may state, and how to tell that it states them, contradicts them, or makes figures up.

A sentence states a fact if it mentions all its terms, reads as a sentence, denies and hedges nothing, and holds no number and no word of the
vocabulary that does not belong to the fact. Such a reading is strict, so a prompt must say: one fact in a sentence, and its subject by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from rlgym.rubrics.prose import prose_fault
from rlgym.rubrics.sentences import Sentence, phrase_places, split_sentences, tokens_of

NEGATIONS = frozenset(
    "not never no none nobody nothing neither nor without hardly barely cannot maybe perhaps possibly supposedly allegedly either unless if could "
    "might unclear unknown doubt deny denies denied myth rumour rumor".split()
)
APPROXIMATE = frozenset("about around roughly almost nearly approximately over under than least most circa".split())
RETRACTIONS = tuple(
    tokens_of(phrase)
    for phrase in (
        "false", "untrue", "incorrect", "wrong", "ignore", "disregard", "lie", "lies about", "mistaken", "made up", "not true", "made-up", "fiction",
    )
)  # fmt: skip


class Term(BaseModel):
    """Something that a sentence can mention, with its aliases. Numbers match in digits and in words."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    aliases: tuple[str, ...]


class Fact(BaseModel):
    """A fact as the terms that a sentence must mention.

    name     what the fact is about, in words that may be shown: they must not give the value away
    terms    the terms, all of which a sentence must mention
    keys     how many of them, from the first, say what the fact is about; the others are its values
    ordered  how many of them, from the first, come in this order; 0 for any order
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    terms: tuple[Term, ...]
    keys: int = 1
    ordered: int = 0


class FactSheet(BaseModel):
    """All true facts that a text may state, and the words that may stand in a sentence with a fact only if they belong to it.

    facts       the true facts, required or not
    vocabulary  names of entities and words of attributes: one that a fact does not mention must not stand in its sentence
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    facts: tuple[Fact, ...]
    vocabulary: tuple[Term, ...] = ()


class Reading(BaseModel):
    """The facts that the sentences of a text state.

    stated  for each fact of the sheet the places (start, end) of the sentences that state it
    faults  (place, reason) of each sentence that contradicts a fact, or has a number that no fact supports
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    stated: dict[str, tuple[tuple[int, int], ...]]
    faults: tuple[tuple[tuple[int, int], str], ...]


@lru_cache(maxsize=16)
def read_facts(sheet: FactSheet, text: str) -> Reading:
    """The facts that the sentences of a text state, and the faults of the other sentences."""
    stated: dict[str, list[tuple[int, int]]] = {fact.name: [] for fact in sheet.facts}
    faults = list[tuple[tuple[int, int], str]]()
    for sentence in split_sentences(text):
        place = (sentence.start, sentence.end)
        found = [fact for fact in sheet.facts if not why_not_stated(sentence, fact, sheet.vocabulary)]
        for fact in found:
            stated[fact.name].append(place)
        if reason := retraction(sentence) or ("" if found else fault(sentence, sheet)):
            faults.append((place, reason))
    return Reading(stated={name: tuple(places) for name, places in stated.items()}, faults=tuple(faults))


def why_not_stated(sentence: Sentence, fact: Fact, vocabulary: Sequence[Term]) -> str:
    """Why a sentence does not state a fact; empty if it does."""
    words = sentence.words
    covered = covered_tokens(words, fact.terms, fact.ordered)
    if covered is None:
        return "it does not mention everything"
    if reason := stray(sentence, covered, vocabulary):
        return reason
    return prose_fault(sentence)


def covered_tokens(words: Sequence[str], terms: Sequence[Term], ordered: int = 0) -> set[int] | None:
    """The places of all mentions of the terms; None if one is not mentioned, or the first `ordered` ones do not come in order."""
    covered, at = set[int](), 0
    for place_of_term, term in enumerate(terms):
        places = mentions(words, term)
        if not places:
            return None
        if place_of_term < ordered:
            following = [place for place in places if min(place) >= at]
            if not following:
                return None
            at = max(min(following, key=min)) + 1
        for place in places:
            covered.update(place)
    return covered


def mentions(words: Sequence[str], term: Term) -> list[range]:
    """The places at which a term is mentioned, by any of its aliases."""
    found = list[range]()
    for alias in term.aliases:
        phrase = tokens_of(alias)
        found += [range(at, at + len(phrase)) for at in phrase_places(words, phrase)]
    return found


def stray(sentence: Sentence, covered: set[int], vocabulary: Sequence[Term]) -> str:
    """The part of a sentence, beyond the mentions of a fact, that changes its meaning; empty if there is none."""
    words = sentence.words
    if "?" in sentence.text:
        return "it is a question"
    if any(character.isnumeric() and not character.isascii() for character in sentence.text):
        return "it has a figure in other digits"
    for at, token in enumerate(sentence.tokens):
        if at in covered:
            if token.is_number and at and words[at - 1] in APPROXIMATE and at - 1 not in covered:
                return "its figure is only approximate"
        elif token.is_number:
            return "it has another figure"
        elif token.text in NEGATIONS or token.text.endswith("n't"):
            return "it denies or hedges"
    for term in vocabulary:
        if any(covered.isdisjoint(place) for place in mentions(words, term)):
            return "it mentions something else too"
    return ""


def retraction(sentence: Sentence) -> str:
    """Whether a sentence takes back what others say."""
    taken_back = any(True for phrase in RETRACTIONS for _ in phrase_places(sentence.words, phrase))
    return "a sentence takes back what others say" if taken_back else ""


def fault(sentence: Sentence, sheet: FactSheet) -> str:
    """The fault of a sentence that states no fact; empty if it makes no claim."""
    words = sentence.words
    if any(token.is_number for token in sentence.tokens) or any(character.isnumeric() for character in sentence.text):
        return "a sentence has a figure that it states no fact with"
    for fact in sheet.facts:
        covered = covered_tokens(words, fact.terms[: fact.keys])
        if covered is not None and stray(sentence, covered, sheet.vocabulary):
            return "a sentence contradicts a fact, or mixes several"
    return ""
