"""Sentences of an invented language built rule after rule, and understood by trying what could have been said: a second route beside `tongues`."""

from collections.abc import Sequence

from rlgym.generators.constraints.tongues import BACK, Clause, Phrase, Tongue, words

Piece = tuple[str, str]
"""A word and its part of speech, which is empty for the small words."""


def build(tongue: Tongue, clause: Clause) -> list[Piece]:
    """The sentence, put together by rule after rule: words with their parts of speech."""
    tense, stem = tongue.tenses[clause.tense], tongue.verbs[clause.verb][1]
    verb: list[Piece] = [((tense + stem if tongue.tense_before else stem + tense) + tongue.many * bool(clause.subject.count), "verb")]
    denied: list[Piece] = [(tongue.not_, "")] * clause.negative
    subject, acted = _name(tongue, clause.subject, False), _name(tongue, clause.object, True)
    parts = {"S": subject, "O": acted, "V": verb + denied if tongue.not_after else denied + verb}
    return [word for part in tongue.order for word in parts[part]]


def _name(tongue: Tongue, phrase: Phrase, acted_on: bool) -> list[Piece]:
    """A noun with what belongs to it."""

    def grown(form: str, affixes: tuple[str, str]) -> str:
        vowels = [letter for letter in form if letter in "aeiou"]
        return form + affixes[vowels[-1] not in BACK]

    _, form, kind, irregular = tongue.nouns[phrase.noun]
    if phrase.count == 1 or (phrase.count and not tongue.counted_single):
        form = irregular if irregular else grown(form, tongue.plural)
    form = grown(form, tongue.object_) if acted_on else form
    noun: list[Piece] = [(tongue.definite * phrase.definite + form, "noun")]
    adjective: list[Piece] = [(tongue.adjectives[phrase.adjective][1] + tongue.agree[kind], "adjective")] * (phrase.adjective >= 0)
    number: list[Piece] = [(tongue.numbers[phrase.count - 2][1], "")] if phrase.count > 1 else []
    return number + (noun + adjective if tongue.adjective_after else adjective + noun)


def understand(tongue: Tongue, spoken: Sequence[Clause]) -> list[Clause]:
    """The clauses of a text in the language: each part is found by trying what could have been said; empty where several could."""
    clauses = list[Clause]()
    for clause in spoken:
        heard = [word.form for word in words(tongue, clause)]
        fits = [
            candidate
            for subject in _phrases(tongue, heard, False)
            for acted in _phrases(tongue, heard, True)
            for candidate in _clauses(tongue, subject, acted, heard)
            if [form for form, _ in build(tongue, candidate)] == heard
        ]
        if len(fits) != 1:
            return []
        clauses += fits
    return clauses


def _phrases(tongue: Tongue, heard: list[str], acted_on: bool) -> list[Phrase]:
    """The phrases whose words are among those heard."""
    text = " ".join(heard)
    adjectives = [-1, *(i for i, (_, stem) in enumerate(tongue.adjectives) if stem in text)]
    counts = [0, 1, *(i for i, (_, stem) in enumerate(tongue.numbers, 2) if tongue.many and stem in heard)]
    nouns = [i for i, (_, stem, _, plural) in enumerate(tongue.nouns) if stem in text or (plural and plural in text)]
    whether = (False, True) if tongue.definite else (True,)
    phrases = (Phrase(noun=n, adjective=a, count=c, definite=d) for n in nouns for a in adjectives for c in counts for d in whether)
    return [phrase for phrase in phrases if {form for form, _ in _name(tongue, phrase, acted_on)} <= set(heard)]


def _clauses(tongue: Tongue, subject: Phrase, acted: Phrase, heard: list[str]) -> list[Clause]:
    size = sum(1 + (phrase.adjective >= 0) + (phrase.count > 1) for phrase in (subject, acted)) + 1
    denied = bool(tongue.definite) and tongue.not_ in heard
    if size + denied != len(heard) or subject.noun == acted.noun:
        return []
    verbs = [
        (v, t)
        for v, (_, stem) in enumerate(tongue.verbs)
        for t in range(3)
        if any(stem in word and tongue.tenses[t] in word for word in heard)
    ]
    return [Clause(subject=subject, object=acted, verb=v, tense=t, negative=denied) for v, t in verbs]
