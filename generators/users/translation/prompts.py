"""The knob for the language of the people in a world, and its prompt: which language they speak."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rlgym.core.config import knob
from rlgym.generators.users.person import Person
from rlgym.generators.users.translation.speech import LANGUAGES

LANGUAGE: Any = knob(
    LANGUAGES[0],
    easy=LANGUAGES[0],
    hard=LANGUAGES[0],
    order=LANGUAGES,
    fixed=True,
    doc="the language that the people speak; they understand English as well",
)
_PLAIN = "in plain English"
S = TypeVar("S")


def speaking(language: str, people: Sequence[Person]) -> tuple[Person, ...]:
    """The same people, who speak a language."""
    return tuple(person.speaking(language) for person in people)


def _people(state: Any) -> Sequence[Person]:
    people: Sequence[Person] = state.people
    return people


def worded(show: Callable[[S], str], people: Callable[[S], Sequence[Person]] = _people) -> Callable[[S], str]:
    """What is shown of a state, which says the language of the people where that is not English.

    Only the first prompt tells in which language to speak; what people have said stays as it is.
    """

    def shown(state: S) -> str:
        text, language = show(state), people(state)[0].language
        if language == LANGUAGES[0] or str(getattr(state, "told", "")):
            return text
        name = language.capitalize()
        first = text.replace(_PLAIN, f"in plain {name}, which is the language they answer in, or in plain English", 1)
        before, found, after = first.partition(f"or {_PLAIN}")
        return before + found + after.replace(_PLAIN, f"in plain {name} or English")

    return shown
