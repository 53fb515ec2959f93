"""What an agent's words mean to a person at the other end: intents with slots, found by patterns over ordinary English.

A grammar is a set of intents. The words are read sentence by sentence. A question that no intent covers means `unknown`, and so do
words that are not English; beside others that are understood it means `rest`. A plain statement means `tell`. At most MOST_CHARACTERS are read, so that
any text takes a bounded time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    is_question,
    is_quiet,
    is_request,
    is_short,
    may_request,
    offers_time,
    patterns_of,
    sentence_intents,
    split_questions,
    starts_question,
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
    missed = False
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
        intents, overheard = _asked_by_part(
            patterns, grammar, sentence, sentence in requested or may_request(sentence), f"{so_far} {sentence}"
        )
        missed = missed or overheard
        refers = "?" in sentence or (grammar.actions and sentence in requested and has_pronoun(sentence))
        if not intents and before and refers:  # "A referral is needed. Do you have one?"
            intents = sentence_intents(patterns, f"{sentence} {before}" if grammar.actions else f"{before} {sentence}", True)
            if not intents and earlier and not grammar.actions:  # "The report says Tuesday. You said Monday. Are you sure?"
                intents = sentence_intents(patterns, f"{earlier} {before} {sentence}", True)
            intents = _settled(grammar, intents, f"{so_far} {sentence}")
        if grammar.vague and before and set(intents) <= set(grammar.vague):
            intents = _settled(grammar, differing_intents(patterns, before), f"{so_far} {sentence}") or intents
        missed = missed or (not intents and "?" in sentence and any(map(is_question, split_questions(sentence))) and not whens(plain))
        so_far = f"{so_far} {sentence}"
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
        missed = missed and not hinted
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
    if {"open", "anything_else"} & said:  # "Please go ahead, what is on your mind?"
        found.pop(Meaning("go_ahead"), None)
    if missed and any("?" in sentence for sentence in asking) and not said - set(SOCIAL):  # "Thank you for calling! Whose dog is that?"
        found = {meaning: None for meaning in found if meaning.intent in ("empathy", "rude")}
        said = {meaning.intent for meaning in found}
    elif missed and not amounts(plain):
        found |= {Meaning("rest"): None}
    if not said - {"empathy", "rude"}:
        found |= {Meaning("unknown" if requested or not is_english(plain) else "tell"): None}
    return tuple(found)


def _asked_by_part(patterns: Patterns, grammar: Grammar, sentence: str, requested: bool, so_far: str) -> tuple[list[str], bool]:
    """The intents of a sentence, question by question where each is understood alone, and whether one of them is not understood."""
    whole = _settled(grammar, sentence_intents(patterns, sentence, requested), so_far)
    parts = split_questions(sentence) if requested else [sentence]
    if len(parts) < 2:
        return whole, False
    by_part = {part: _settled(grammar, sentence_intents(patterns, part, True), so_far) for part in parts}
    understood = [part for part in parts if set(by_part[part]) - set(SOCIAL)]
    missed = False
    if len(understood) < len(parts):
        asking = list(filter(starts_question, understood))
        if not asking:
            return whole, False
        by_part |= {part: [] for part in understood if part not in asking}
        alone = {intent for part in understood for intent in by_part[part]}
        lost = [part for part in parts if is_question(part) and part not in understood]
        if len(lost) > 1 or not set(whole) - alone:  # otherwise the sentence as a whole says what that question asks for
            for part in lost:
                by_part[part] = [meaning.intent for meaning in _hinted(patterns, part, part) if meaning.intent.startswith("ask:")]
                missed = missed or not by_part[part]
    else:
        whole = []
    asked = dict.fromkeys((*whole, *(intent for part in parts for intent in by_part[part] if intent != "go_ahead" or is_question(part))))
    # "Are you insured, and with which one?", "How urgent is it, and what is the issue?"
    beside = {other for intent in asked for other in grammar.excludes.get(intent, ())}
    named = {intent for part in parts for intent in by_part[part] if not is_short(part)} - {"open", *grammar.excludes.get("open", ())}
    if any(intent.startswith("do:") and intent not in grammar.states for intent in asked):  # "Go to the fuse box and tell me what you see."
        asked.pop("open", None)
    return [intent for intent in asked if intent not in beside - named], missed


def _settled(grammar: Grammar, intents: Sequence[str], text: str) -> list[str]:
    """The intents of a question, turned by the words up to there, without those that are not meant beside another."""
    turned = [_turned(grammar, intent, text) for intent in intents]
    beside = {other for intent in turned for other in grammar.excludes.get(intent, ())}
    return ["open" if intent == "ask:wish" else intent for intent in turned if intent not in beside]


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
