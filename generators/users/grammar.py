"""What an agent's words mean to a person at the other end: intents with slots, found by patterns over ordinary English.

A grammar is a set of intents. The words are read sentence by sentence. A question that no intent covers means `unknown`, and so do
words that are not English; a plain statement means `tell`. At most MOST_CHARACTERS are read, so that any text takes a bounded time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.users.english import is_english, plain_text, split_sentences
from rlgym.generators.users.intents import Grammar, find_grammar
from rlgym.generators.users.matters import EVERY, FOREIGN, Matter, mentioned, split_clauses
from rlgym.generators.users.sentences import (
    SOCIAL,
    Patterns,
    differing_intents,
    has_pronoun,
    intents_by_part,
    is_quiet,
    is_request,
    offers_time,
    patterns_of,
    sentence_intents,
)
from rlgym.generators.users.slots import When, amounts, whens

MOST_CHARACTERS = 1200


class Meaning(NamedTuple):
    """One thing that was said: its intent, the day and time or the amount that it names, and the key of the matter that it is about."""

    intent: str
    when: When | None = None
    amount: int | None = None
    about: str = ""


def understand(grammar: str, text: str, matters: tuple[Matter, ...] = ()) -> tuple[Meaning, ...]:
    """What a text means under the grammar of this name in `rlgym.generators.users.grammars`, in the order of the text, each thing once.

    `too_long` stands alone for a text of more than MOST_CHARACTERS, `unknown` alone for one of which nothing was understood.
    """
    if len(text) > MOST_CHARACTERS:
        return (Meaning("too_long"),)
    return _understand(grammar, text, matters)


@lru_cache(maxsize=4096)
def _understand(name: str, text: str, matters: tuple[Matter, ...]) -> tuple[Meaning, ...]:
    patterns, grammar = patterns_of(name), find_grammar(name)
    plain = plain_text(text)
    sentences = [clause for sentence in split_sentences(plain) for clause in split_clauses(sentence, matters)]
    requested = [sentence for sentence in sentences if is_request(sentence)]
    found: dict[Meaning, None] = {}
    if grammar.offers and (requested or offers_time(plain)):
        found |= dict.fromkeys(Meaning("offer", when) for when in whens(plain))
    about: tuple[str, ...] = ()
    matters_named: list[str] = []
    so_far = ""
    for earlier, before, sentence in zip(["", "", *sentences], ["", *sentences], sentences):
        here = mentioned(matters, sentence) or ((FOREIGN,) if matters and patterns.things and patterns.things.search(sentence) else ())
        # "The mug and the bench cannot be exchanged. What would you like instead for each of them?" is about these two.
        about = tuple(dict.fromkeys(matters_named)) if here == (EVERY,) and len(matters_named) > 1 else here or about
        matters_named += [key for key in here if key not in (EVERY, FOREIGN)]
        intents = intents_by_part(patterns, sentence, sentence in requested)
        refers = "?" in sentence or (grammar.actions and sentence in requested and has_pronoun(sentence))
        if not intents and before and refers:  # "A referral is needed. Do you have one?"
            intents = sentence_intents(patterns, f"{sentence} {before}" if grammar.actions else f"{before} {sentence}", True)
            if not intents and earlier and not grammar.actions:  # "The report says Tuesday. You said Monday. Are you sure?"
                intents = sentence_intents(patterns, f"{earlier} {before} {sentence}", True)
        if grammar.vague and before and set(intents) <= set(grammar.vague):
            intents = differing_intents(patterns, before) or intents
        intents = [_turned(grammar, intent, f"{so_far} {sentence}") for intent in intents]
        so_far = f"{so_far} {sentence}"
        beside = {other for intent in intents for other in grammar.excludes.get(intent, ())}
        intents = [intent for intent in intents if intent not in beside]
        # A sentence that offers a time, or that asks about the one offered, asks for no times.
        if found and any(meaning.intent == "offer" for meaning in found):
            priced = "go_ahead" in intents and grammar.actions and amounts(sentence)
            intents = [intent for intent in intents if intent not in ("ask:times", "ask:doctor", "go_ahead", "open")]
            intents += ["go_ahead"] if priced else []
        for intent in intents:
            keys = about if about and intent.startswith("ask:") else ("",)
            found |= {Meaning(intent, None, _amount(intent, plain), key): None for key in keys}
    if {meaning.intent for meaning in found} - {*grammar.vague, *SOCIAL}:
        found = {meaning: None for meaning in found if meaning.intent not in grammar.vague}
    asking = [sentence for sentence in requested if not is_quiet(sentence)]
    if asking and not {meaning.intent for meaning in found} - set(SOCIAL):
        keys = about or ("",)
        hinted = _hinted(patterns, plain, " ".join(asking))
        hinted = [meaning._replace(intent=_turned(grammar, meaning.intent, plain)) for meaning in hinted]
        found |= {meaning._replace(about=key if meaning.intent.startswith("ask:") else ""): None for meaning in hinted for key in keys}
    said = {meaning.intent for meaning in found}
    if (said - {"go_ahead", *SOCIAL} and "go_ahead" in grammar.states) or said.intersection(grammar.states) - {
        "go_ahead"
    }:  # "The report says Tuesday. Would you like to correct your account?"
        found = {meaning: None for meaning in found if meaning != Meaning("go_ahead")}
    if "go_ahead" in grammar.states and not said - set(SOCIAL) and len(set(amounts(plain))) == 1:  # "My last offer is 160 coins."
        found |= {Meaning("go_ahead", None, amounts(plain)[0]): None}
        said = {meaning.intent for meaning in found}
    if len(named := set(amounts(plain))) == 1 and asking:  # "That costs 20 coins. What would you like me to do?"
        agree = Meaning("go_ahead", None, named.pop())
        found = {agree if meaning.intent in ("open", "ask:times") else meaning: None for meaning in found}
    if said - set(SOCIAL):
        # What an agent says beside a question only leads up to it.
        found = {meaning: None for meaning in found if meaning.intent not in ("hold", "bye", "tell")}
    if not said - {"empathy", "rude"}:
        found |= {Meaning("unknown" if requested or not is_english(plain) else "tell"): None}
    return tuple(found)


def _hinted(patterns: Patterns, text: str, requests: str) -> list[Meaning]:
    """What a request is about that no pattern knows: an amount of money that is to be agreed to, or the first hint that fits."""
    named = set(amounts(text))
    if len(named) == 1:
        return [Meaning("go_ahead", None, named.pop())]
    return [Meaning(intent) for intent, pattern in patterns.hints if pattern.search(requests)][:1]


def _turned(grammar: Grammar, intent: str, text: str) -> str:
    """The intent, or the one that it turns into beside certain words."""
    words, other = grammar.turns.get(intent, ("", intent))
    return other if words and re.search(words, text) else intent


def _amount(intent: str, text: str) -> int | None:
    named = amounts(text) if intent == "go_ahead" else ()
    return named[0] if len(set(named)) == 1 else None
