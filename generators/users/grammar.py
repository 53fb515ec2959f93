"""What an agent's words mean to a person at the other end: intents with slots, found by patterns and content words of ordinary English.

A grammar is a set of intents. The words are read sentence by sentence: first what is taken back, read back or said around a request (`clauses`), then the
intents by the patterns of the grammar, then, where no pattern covers a question, by its content words (`scoring`). A question that is not understood means
`unknown`, and so do words that are not English; beside others that are understood it means `rest`, and `missed_clauses` has its words. A plain statement
means `tell`. At most MOST_CHARACTERS are read, so that any text takes a bounded time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.users.clauses import only_small_talk, without_conditions, without_corrections
from rlgym.generators.users.english import is_english, plain_text
from rlgym.generators.users.intents import ANY_DAY, Grammar, find_grammar
from rlgym.generators.users.matters import Matter
from rlgym.generators.users.reader import Meaning, Reader, is_done
from rlgym.generators.users.scoring import nearest_readings
from rlgym.generators.users.sentences import SOCIAL, is_quiet, offers_time
from rlgym.generators.users.slots import prices, whens
from rlgym.generators.users.vocabulary import is_foreign

__all__ = ["MOST_CHARACTERS", "Meaning", "missed_clauses", "readings", "understand"]
MOST_CHARACTERS = 1200
_FIGURE_OR_DAY = re.compile(rf"\d|{ANY_DAY}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_FOUND = dict[Meaning, None]


class _Read(NamedTuple):
    meanings: tuple[Meaning, ...]
    missed: tuple[str, ...]


def understand(grammar: str, text: str, matters: tuple[Matter, ...] = ()) -> tuple[Meaning, ...]:
    """What a text means under the grammar of this name in `rlgym.generators.users.grammars`, in the order of the text, each thing once.

    `confirm` stands alone for a read-back of nothing but a value, as in "So that is three, right?", and is about the line before it.
    `too_long` stands alone for a text of more than MOST_CHARACTERS, `unknown` alone for one of which nothing was understood.
    """
    if len(text) > MOST_CHARACTERS:
        return (Meaning("too_long"),)
    return _understand(grammar, text, matters).meanings


def missed_clauses(grammar: str, text: str, matters: tuple[Matter, ...] = ()) -> tuple[str, ...]:
    """The questions of a text that were not understood, in plain words."""
    return () if len(text) > MOST_CHARACTERS else _understand(grammar, text, matters).missed


def readings(grammar: str, text: str) -> tuple[str, ...]:
    """At most two intents that a text which was not understood may mean."""
    return () if len(text) > MOST_CHARACTERS else nearest_readings(grammar, plain_text(text))


@lru_cache(maxsize=4096)
def _understand(name: str, text: str, matters: tuple[Matter, ...]) -> _Read:
    grammar = find_grammar(name)
    plain = without_corrections(plain_text(text))
    reader = Reader(name, plain, matters)
    if grammar.offers and not is_done(plain) and (reader.requested or offers_time(plain)):
        reader.found |= dict.fromkeys(Meaning("offer", when) for when in whens(without_conditions(plain)))
    reader.read()
    found, missed = reader.found, reader.missed
    if _intents(found) - {*grammar.vague, *SOCIAL}:
        found = {meaning: None for meaning in found if meaning.intent not in grammar.vague}
    asking = [sentence for sentence in reader.requested if not is_quiet(sentence) and not only_small_talk(sentence)]
    if asking and not _intents(found) - set(SOCIAL):
        found |= reader.hinted(asking)
    found = _with_agreement(grammar, found, plain, bool(asking))
    said = _intents(found)
    if said - set(SOCIAL):
        # What an agent says beside a question only leads up to it.
        found = {meaning: None for meaning in found if meaning.intent not in ("hold", "bye", "tell")}
    if {"open", "anything_else"} & said:  # "Please go ahead, what is on your mind?"
        found.pop(Meaning("go_ahead"), None)
    if missed and any("?" in sentence for sentence in asking) and not said - set(SOCIAL):  # "Thank you for calling! Whose dog is that?"
        found = {meaning: None for meaning in found if meaning.intent in ("empathy", "rude")}
        said = _intents(found)
    elif missed and not prices(plain):
        found |= {Meaning("rest"): None}
    if not said - {"empathy", "rude"}:
        if _FIGURE_OR_DAY.search(reader.unclear_claim) and not is_foreign(reader.unclear_claim):
            return _Read((Meaning("confirm", claim=reader.unclear_claim),), ())
        unclear = bool(asking or missed) or not is_english(plain)
        found |= {Meaning("unknown" if unclear and not reader.only_small_talk else "tell"): None}
    return _Read(tuple(found), tuple(dict.fromkeys(missed)))


def _intents(found: _FOUND) -> set[str]:
    return {meaning.intent for meaning in found}


def _with_agreement(grammar: Grammar, found: _FOUND, plain: str, asking: bool) -> _FOUND:
    """The meanings with what is to be agreed to: the amount that is named, or nothing where something else is asked."""
    said, named = _intents(found), set(prices(plain, grammar.priced))
    others = (said - {"go_ahead", *SOCIAL} and "go_ahead" in grammar.states) or said.intersection(grammar.states) - {"go_ahead"}
    if others:  # "The report says Tuesday. Would you like to correct your account?"
        found = {meaning: None for meaning in found if meaning != Meaning("go_ahead")}
    if "go_ahead" in grammar.states and not is_done(plain) and not said - set(SOCIAL) and len(named) == 1:  # "My last offer is 160 coins."
        found |= {Meaning("go_ahead", None, min(named)): None}
    if len(named) == 1 and asking:  # "That costs 20 coins. What would you like me to do?"
        agree = Meaning("go_ahead", None, min(named))
        found = {agree if meaning.intent in ("open", "ask:times", "ask:name") else meaning: None for meaning in found}
    return found
