"""The moods of the people in a world, as its reward for emotion reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rlgym.generators.users.person import Chat

LOWEST, HIGHEST = -5, 5


class HasChats(Protocol):
    """A state with one conversation for each person."""

    @property
    def chats(self) -> Sequence[Chat]: ...


def moods(state: HasChats) -> dict[str, float]:
    """The mood of each person from 0 to 1, by the person's number; 0 of those who lost patience."""
    return {
        f"person {number}": 0.0 if chat.gone and chat.needless else (chat.mood - LOWEST) / (HIGHEST - LOWEST)
        for number, chat in enumerate(state.chats, 1)
    }
