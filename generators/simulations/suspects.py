"""People in a house who are asked where somebody was: what they understand and how they answer."""

from __future__ import annotations

import re
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.core.user import UserModel
from rlgym.generators.simulations.witnesses import Case, Statement
from rlgym.generators.users.calls import exchange
from rlgym.generators.users.grammar import Meaning, understand
from rlgym.generators.users.matters import FOREIGN, Matter
from rlgym.generators.users.person import MOST_ANSWERED, Chat, Line, Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.users.translation.speech import LANGUAGES

PATIENCE = 99
_NUMBER = re.compile(r"(\[s\d+\] )")
_SELF = (
    *("were you", "you were", "yourself", "did you spend", "you spent", "did you stay", "did you go", "have you been", "you have been"),
    *("your alibi", "your location", "your whereabouts", "your room", "your position", "your own"),
)
"""Words that ask about the person who is spoken to; their name only addresses them."""
_ELSEWHERE = {
    "ask:thief": "I accuse nobody. Ask me where somebody was.",
    "ask:room": "I tell you where people were, one at a time, not who was in a room. About whom do you want to know?",
    "ask:doing": "I only know in which room everybody was. About whom do you want to know?",
    "ask:alone": "I only know in which room everybody was. About whom do you want to know?",
    "ask:truth": "I stand by what I said.",
    "open": "What do you want to know? Ask me where somebody was.",
    "anything_else": "No, nothing else.",
    "go_ahead": "That is up to you.",
}


class Answered(NamedTuple):
    """The statements so far and how many there may be; `before` is how many there were when the message was said."""

    before: int
    most: int
    seen: tuple[Statement, ...]


def question(who: str, about: str) -> str:
    """The plainest question."""
    return "Where were you?" if who == about else f"Where was {about}?"


def trace(case: Case, room: int) -> str:
    """What the traces in a room show."""
    return f"people who were in the {case.rooms[room]}: {case.at.count(room)}"


def reply(case: Case, who: int, chat: Chat, answers: Answered, text: str, language: str = LANGUAGES[0]) -> tuple[Chat, Answered, str]:
    """The conversation with a person after a message, the statements then, and the person's words."""
    name = case.people[who]
    rng = Rng("suspect", *case.people, name, chat.messages)

    def react(held: Answered, meaning: Meaning) -> tuple[Answered, Line]:
        if meaning.intent == "ask:name":
            return held, Line("", f"I am {name}.")
        if meaning.intent != "ask:where":
            return held, Line("", _ELSEWHERE.get(meaning.intent, "I could not tell you."))
        about = meaning.about
        if about in ("", FOREIGN):
            return held, Line("", "About whom do you want to know?")
        if len(held.seen) >= held.most:
            return held, Line("", "(No question is left.)")
        of = case.people.index(about)
        room = case.rooms[case.says[who][of]]
        held = held._replace(seen=(*held.seen, (who, of, case.says[who][of])))
        return held, Line("", f"[s{len(held.seen)}] {_words(rng, 'I' if of == who else about, room)}")

    answers, exchanged = exchange(witness(case, who, language), chat, text, answers, react)
    return exchanged.chat, answers, exchanged.words


def witness(case: Case, who: int, language: str = LANGUAGES[0]) -> Person:
    """One of the people of a case, who speaks a language."""
    name = case.people[who]
    persona = Rng("persona", *case.people, name).choice(PERSONAS)
    return Person(name, name, persona, "house", PATIENCE, matters=_matters(case, who)).speaking(language)


def heard(case: Case, who: int, text: str, user: UserModel, language: str = LANGUAGES[0]) -> str:
    """A message to a person, put in plain questions by a model where the person would not understand it."""
    if all(meaning.intent != "unknown" for meaning in understand("house", witness(case, who, language).hears(text), _matters(case, who))):
        return text
    chosen = user.interpret(text, [question(case.people[who], other) for other in case.people])
    return " ".join(chosen[:MOST_ANSWERED]) if chosen else text


def said(case: Case, text: str, words: str, user: UserModel) -> str:
    """The reply to a message in a model's words, one statement after the other, so that each keeps its number."""
    pieces = [piece if _NUMBER.fullmatch(piece) else _spoken(case, text, piece, user) for piece in _NUMBER.split(words)]
    return "".join(pieces)


def _spoken(case: Case, text: str, words: str, user: UserModel) -> str:
    """A statement as a model says it, which must not be taken for one about another room."""
    core = words.strip()
    if not core:
        return words
    named = [room for room in case.rooms if f"the {room}" in core]
    others = [core.replace(f"the {room}", f"the {other}") for room in named for other in case.rooms if other != room]
    return user.say(text, core, others) + words[len(words.rstrip()) :]


def _matters(case: Case, who: int) -> tuple[Matter, ...]:
    """The people that a person may be asked about."""
    return tuple(Matter(other, _SELF if place == who else (other.lower(),)) for place, other in enumerate(case.people))


def _words(rng: Rng, subject: str, room: str) -> str:
    return rng.choice(("{} was in the {}.", "{} was in the {}, all the time.", "In the {1}: that is where {0} was.")).format(subject, room)
