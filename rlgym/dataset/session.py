"""One episode, played from a row a text at a time: what is shared by all that plays many turns elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rlgym.core.declare import Environment
from rlgym.core.errors import EpisodeError
from rlgym.core.score import Score
from rlgym.episode.play import Event, advance, can_judge, feedback, opening, oracle_answer
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
    def feedback(self) -> str:
        """What the model may be told about its last turn; empty before the first. It never holds the answer."""
        return self._position.feedback if self.score is None else feedback(self.score)

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

    def say_message(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Give the model's message, as OpenAI's chat has it; returns the messages that answer it, none once there is a score.

        Each native call must have an answer of its own, but the environment's is one text: the first call's holds it.
        """
        seen = self.say(spoken(message))
        calls = message.get("tool_calls") or []
        if self.done or not calls:
            return [] if self.done else [{"role": "user", "content": seen}]
        told = [seen] + ["(told with the first call)"] * (len(calls) - 1)
        return [{"role": "tool", "tool_call_id": call.get("id"), "content": text} for call, text in zip(calls, told, strict=True)]

    def oracle(self) -> str:
        """What the oracle would say now."""
        return self._declared.answer.write(oracle_answer(self._declared, self._position), self._style)


def spoken(message: Mapping[str, Any]) -> str:
    """What a message of OpenAI's chat says: its text or, where it calls tools natively, these calls as `native` writes them."""
    if calls := message.get("tool_calls"):
        functions = [call.get("function", call) for call in calls]
        return native((function.get("name", ""), function.get("arguments", "{}")) for function in functions)
    return message.get("content") or ""


def native(calls: Iterable[tuple[str, Any]]) -> str:
    """Native calls as a response: of each the tool's name and its arguments, an object or the JSON of one.

    Nothing that the arguments hold is taken for an answer's mark, since the signs that marks begin with are written as numbers.
    """
    text = json.dumps({"tool_calls": [{"name": name, "arguments": given} for name, given in calls]}, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("`", "\\u0060").replace("\\\\", "\\u005c")
