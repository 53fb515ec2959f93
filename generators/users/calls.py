"""Calls with people who also act: which call is open, how a message changes what a call holds, and what a caller agrees to pay.

The worlds of records use `desk`; these are for worlds in which a message changes more than what was heard, such as the caller's phone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from rlgym.core.score import Score
from rlgym.core.task import TaskData
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.person import Chat, Line, Person, converse

NO_CALL = "there is no open call with this code"
HUNG_UP = "a caller lost patience and hung up"
NOTHING_ELSE = "No, that is all."
W = TypeVar("W")
S = TypeVar("S", bound=TaskData)
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
