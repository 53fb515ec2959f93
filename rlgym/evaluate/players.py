"""Built-in players, to try an evaluation out without a model: one is always right, one always makes a mistake."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from rlgym import RlgymError
from rlgym.dataset import Session, wrong_response
from rlgym.dataset.session import spoken
from rlgym.evaluate.episode import opening
from rlgym.evaluate.models import AskingFailed, Message, Said, Sampling

PLAYERS = ("oracle", "mistake")


class Player:
    """Plays the tasks that it was given, which it knows by their first message. Words are counted as tokens."""

    at_once = 4

    def __init__(self, kind: Literal["oracle", "mistake"], rows: Iterable[Mapping[str, Any]]) -> None:
        self.kind, self.name = kind, kind
        self._rows: dict[str, Mapping[str, Any]] = {}
        for row in rows:
            session = Session(row)
            self._rows |= {opening(row, session, native): row for native in (False, True)}

    def about(self) -> dict[str, Any]:
        """Nothing further."""
        return {}

    async def ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Said:
        """The player's next turn."""
        first = next(message["content"] for message in messages if message["role"] == "user")
        earlier = [message for message in messages if message["role"] == "assistant"]
        row = self._rows.get(first)
        if row is None:
            raise AskingFailed(f"the player {self.name!r} was not given this task")
        text = await asyncio.to_thread(_oracle if self.kind == "oracle" else _mistake, row, earlier)
        read = sum(len(str(message["content"]).split()) for message in messages)
        return Said({"role": "assistant", "content": text}, read, len(text.split()), requests=0)

    async def close(self) -> None:
        """Nothing is held."""


def _oracle(row: Mapping[str, Any], earlier: Sequence[Message]) -> str:
    session = Session(row)
    for message in earlier:
        session.say(spoken(message))
    return session.oracle()


def _mistake(row: Mapping[str, Any], earlier: Sequence[Message]) -> str:
    try:
        said = wrong_response(dict(row))
    except RlgymError:  # no mistake is declared for this task
        return "I do not know."
    turns = [said] if isinstance(said, str) else said
    return turns[min(len(earlier), len(turns) - 1)]
