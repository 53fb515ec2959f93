"""Calls with people who also act: which call is open, how a message changes what a call holds, and what a caller agrees to pay.

The worlds of records use `desk`; these are for worlds in which a message changes more than what was heard, such as the caller's phone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from rlgym.answers import Calls, Tool
from rlgym.core.score import Score
from rlgym.core.task import TaskData
from rlgym.core.user import UserModel
from rlgym.generators.users.desk import plain_offers
from rlgym.generators.users.grammar import Meaning, understand
from rlgym.generators.users.person import MOST_ANSWERED, Chat, Line, Person, converse

NO_CALL = "there is no open call with this code"
NOTHING_ELSE = "No, that is all."
W = TypeVar("W")
S = TypeVar("S", bound=TaskData)
MOST_ALTERNATIVES = 4
Phrases = Mapping[str, Sequence[str]]
Step = Callable[[S, Tool], tuple[S, str]]
"""From a state and a call of a tool to the state after it and its result."""
React = Callable[[W, Meaning], tuple[W, Line | None]]
"""From what a call holds and one thing that was said to what it holds then and the answer; None where the person knows nothing of it."""


class Exchange(NamedTuple):
    """A conversation after a message, and what the person said."""

    chat: Chat
    words: str


def exchange(person: Person, chat: Chat, text: str, held: W, react: React[W]) -> tuple[W, Exchange]:
    """What a call holds after a message, with the reply: `react` answers the things that were said, one after the other."""

    def line(meaning: Meaning, so_far: Chat) -> Line | None:
        nonlocal held
        held, answer = react(held, meaning)
        return answer

    said = converse(person, chat, text, line)
    return held, Exchange(said.chat, said.words)


def hung_up(person: Person, chat: Chat) -> str:
    """What is wrong where a person has lost patience, or nothing."""
    return f"{person.name} lost patience and hung up" if chat.gone else ""


def of_call(problem: str, person: Person) -> str:
    """A problem with the person whose call it is about."""
    return f"{problem} ({person.name})" if problem else ""


def with_model(step: Step[S], grammar: str, sentences: Sequence[str], user: UserModel, tables: Sequence[Phrases] = ()) -> Step[S]:
    """A step of a world in which a model hears and speaks for the people, while the script decides what is true.

    sentences  what the people understand, in the plainest words; a message that the script does not understand is put in these by the model
    tables     phrases by what they mean: the model's words must not be taken for those of another meaning
    """

    def heard_and_said(state: S, call: Tool) -> tuple[S, str]:
        text = getattr(call, "text", None)
        if not isinstance(text, str):
            return step(state, call)
        if any(meaning.intent == "unknown" for meaning in understand(grammar, text)):
            chosen = user.interpret(text, (*sentences, *plain_offers(text)))
            call = call.model_copy(update={"text": " ".join(chosen[:MOST_ANSWERED])}) if chosen else call
        after, words = step(state, call)
        if words == NO_CALL or after is state:
            return after, words
        return after, user.say(text, words, other_meanings(tables, words)[:MOST_ALTERNATIVES])

    return heard_and_said


class Act(Protocol[S]):
    """The state after the calls of a turn, by a step."""

    def __call__(self, state: S, turn: Calls, step: Step[S] | None = None) -> S: ...


def with_people(
    act: Act[S], step: Step[S], grammar: str, sentences: Sequence[str], tables: Sequence[Phrases] = ()
) -> Callable[[UserModel], Callable[[S, Calls], S]]:
    """What a Game needs for people who are played by a model: from the model to the act in which it hears and speaks for them."""
    return lambda user: partial(act, step=with_model(step, grammar, sentences, user, tables))


def other_meanings(tables: Sequence[Phrases], words: str) -> tuple[str, ...]:
    """The words with a phrase of a table replaced by those of its other meanings."""
    found = dict[str, None]()
    for table in tables:
        for meaning, phrases in table.items():
            for phrase in phrases:
                if phrase and phrase in words:
                    others = [other for key, listed in table.items() if key != meaning for other in listed[:1]]
                    found |= dict.fromkeys(words.replace(phrase, other) for other in others)
    return tuple(found)


class Payment(NamedTuple):
    """What a person says when they are asked to pay.

    known     the amounts that the person knows the reason of
    agrees    whether they pay these
    asks      what they say where no amount is named
    wonders   what they say to another amount
    yes, no   what they say to a known one
    """

    known: Collection[int]
    agrees: bool
    asks: str
    wonders: str
    yes: str
    no: str

    def answer(self, amount: int | None) -> tuple[bool | None, str]:
        """Whether they agree, or None where they decide nothing, and their words."""
        if amount is None:
            return None, self.asks
        if amount not in self.known:
            return None, self.wonders
        return self.agrees, self.yes if self.agrees else self.no


def open_call(people: Sequence[Person], closed: Collection[int], code: str) -> int | None:
    """The place of the person with a code whose call is not closed."""
    low = code.strip().lower()
    return next((place for place, person in enumerate(people) if person.code.lower() == low and place not in closed), None)


def with_call(state: S, place: int, spoiled: str = "", **new: Any) -> S:
    """The state with other values for one call: each of `new` is a field that has a value for each call."""
    update = {field: (*(old := getattr(state, field))[:place], value, *old[place + 1 :]) for field, value in new.items()}
    return state.model_copy(update={**update, "spoiled": spoiled})


def count_turns(first: S, act: Callable[[S, Any], S], best: Callable[[S], Any], outcome: Callable[[S], Score | None]) -> int:
    """How many turns an oracle takes."""
    state, count = first, 0
    while outcome(state) is None:
        state, count = act(state, best(state)), count + 1
    return count


def settled(state: Any, people: Sequence[Any], closed: Collection[int], words: str = "every call ended rightly") -> Score | None:
    """The score of a state that is spoiled by a wrong step, or right once every call is closed."""
    if state.spoiled:
        return Score.wrong(state.spoiled)
    return Score.exact(True, words) if len(closed) == len(people) else None


def calls_settled(state: Any, people: Sequence[Any], closed: Collection[int], name: str) -> Mapping[str, float]:
    return {name: 0.0 if state.spoiled else len(closed) / len(people)}
