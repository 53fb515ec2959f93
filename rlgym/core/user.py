"""The protocol of a model that speaks for the people of a world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class UserModel(Protocol):
    """A model that plays the people of a world. The world's script decides what is true and what they say; the model chooses the words.

    Both methods must depend on their arguments alone (for a sampled model a cache does that), or a transcript does not replay.
    `rlgym.users.ModelUser` is one.
    """

    def interpret(self, message: str, choices: Sequence[str]) -> tuple[str, ...]:
        """Those of `choices` that the agent's message says in other words, in their order; none where it says none of them."""
        ...

    def say(self, message: str, words: str, alternatives: Sequence[str] = ()) -> str:
        """The words of the script as the person might put them in reply to a message.

        alternatives  replies with other facts, for which the result must not be taken
        """
        ...
