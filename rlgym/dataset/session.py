"""One episode, played from a row a text at a time: what is shared by all that plays many turns elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlgym.core.declare import Environment
from rlgym.core.errors import EpisodeError
from rlgym.core.score import Score
from rlgym.episode.play import Event, advance, can_judge, opening, oracle_answer
from rlgym.episode.scoring import from_row
from rlgym.registry import environment


class Session:
    """The episode of a row. It holds no process and no clock: it may be dropped at any moment, and played in any thread.

    RowError for a damaged row, PackageMissing or SandboxMissing where its answers cannot be judged here.
    """

    def __init__(self, row: Mapping[str, Any]) -> None:
        task, self._style = from_row(row)
        assert task.origin is not None
        self.row, self._declared = row, environment(task.origin.name)
        can_judge(task.origin.name, self._declared)
        self._position = opening(self._declared, task, self._style)

    @property
    def observation(self) -> str:
        """What the model reads now; empty once the episode is over."""
        return self._position.observation

    @property
    def score(self) -> Score | None:
        """The score, once the episode is over."""
        return self._position.score

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._position.score is not None

    @property
    def turns(self) -> int:
        """The most turns that the model has."""
        return self._position.limit

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation so far, as chat messages."""
        return [{"role": role, "content": content} for role, content in self._position.transcript]

    @property
    def events(self) -> tuple[Event, ...]:
        """The environment's own log."""
        return self._position.events

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The OpenAI function schemas of the tools that there are, if any."""
        schemas = getattr(self._declared.answer, "schemas", None)
        return list(schemas()) if schemas and not isinstance(self._declared, Environment) else []

    def say(self, response: str) -> str:
        """Give the model's response; returns what it reads next, or an empty text once there is a score."""
        if self.done:
            raise EpisodeError("the episode is over: make another session")
        if not isinstance(response, str):
            raise EpisodeError(f"a response must be a string, got {type(response).__name__}")
        self._position = advance(self._declared, self._position, response, self._style)
        return self._position.observation

    def oracle(self) -> str:
        """What the oracle would say now."""
        return self._declared.answer.write(oracle_answer(self._declared, self._position), self._style)
