"""Sessions: one episode, played from a row one text at a time. The adapters for many-turn trainers and harnesses share this class."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterable, Mapping
from typing import Any

from rlgym.core.declare import Environment
from rlgym.core.errors import EpisodeError
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.core.user import UserModel
from rlgym.episode.images import IMAGE_SIZE, check_image_size, to_png
from rlgym.episode.images import to_image as to_image
from rlgym.episode.people import play_people
from rlgym.episode.play import Event, advance, check_requirements, feedback, oracle_response, render_svg, start_episode
from rlgym.episode.scoring import task_from_row
from rlgym.episode.turn_rewards import emotion_rewards, milestones, moods, turn_rewards
from rlgym.registry import environment


class Session:
    """The episode of a row. It holds no process and no clock, so it can be dropped at any time and used from any thread.

    image_size  with more than 0, `content` and `step_message` give the picture too, as a PNG of so many pixels a side
    user        a model that plays the people of a tool world, such as `rlgym.users.ModelUser`; EpisodeError where there are none

    RowError for a damaged row; PackageMissing or SandboxMissing if its answers cannot be scored here.
    """

    def __init__(self, row: Mapping[str, Any], *, image_size: int = 0, user: UserModel | None = None) -> None:
        task, self._style = task_from_row(row)
        assert task.origin is not None
        self.row, self._declared = row, play_people(task.origin.name, environment(task.origin.name), user)
        check_requirements(task.origin.name, self._declared)
        self._position = start_episode(self._declared, task, self._style)
        self._positions = [self._position]
        self._image_size = check_image_size(image_size) if image_size else 0

    @property
    def task(self) -> Task[Any]:
        """The task being played."""
        return self._position.task

    @property
    def observation(self) -> str:
        """What the model reads now; empty once the episode is over."""
        return self._position.observation

    @property
    def content(self) -> str | list[dict[str, Any]]:
        """What the model reads now, as the content of a message in OpenAI's chat format: a text, or a picture and a text as parts."""
        picture = self.image(self._image_size) if self._image_size else None
        if picture is None:
            return self.observation
        url = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        return [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": self.observation}]

    @property
    def score(self) -> Score | None:
        """The score, once the episode is over."""
        return self._position.score

    @property
    def feedback(self) -> str:
        """The feedback on the last turn that the model may be shown; empty before the first turn. It never holds the answer."""
        return self._position.feedback if self.score is None else feedback(self.score)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._position.score is not None

    @property
    def max_turns(self) -> int:
        """How many turns the model may take."""
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
    def turn_rewards(self) -> list[float]:
        """The reward of each turn so far: the progress over the environment's milestones. They sum to the score's value at the end."""
        return turn_rewards(self._declared, self._positions)

    @property
    def emotion_rewards(self) -> list[float]:
        """The change of the people's emotion in each turn so far, which sums to the last emotion; EpisodeError where no people take part."""
        return emotion_rewards(self._declared, self._positions)

    @property
    def moods(self) -> dict[str, float]:
        """The mood, from 0 to 1, of each person of the world; empty where no people take part."""
        return moods(self._declared, self._position)

    @property
    def milestones(self) -> dict[str, float]:
        """The share of each part of the final check that holds now; empty where the environment declares no milestones."""
        return milestones(self._declared, self._position)

    def image(self, size: int = IMAGE_SIZE) -> bytes | None:
        """The picture of what the model sees now, as a PNG of `size` by `size` pixels; None where the environment draws none.

        PackageMissing without the extra `images`.
        """
        if self._declared.picture is None or self.done:
            return None
        return to_png(render_svg(self._declared, self._position), check_image_size(size))

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The OpenAI function schemas of the tools; empty without tools."""
        schemas = getattr(self._declared.answer, "schemas", None)
        return list(schemas()) if schemas and not isinstance(self._declared, Environment) else []

    def step(self, response: str) -> str:
        """Submit the model's response; returns the next observation, or an empty text once the episode is over."""
        if self.done:
            raise EpisodeError("the episode is over: make another session")
        if not isinstance(response, str):
            raise EpisodeError(f"a response must be a string, got {type(response).__name__}")
        self._position = advance(self._declared, self._position, response, self._style)
        self._positions.append(self._position)
        return self._position.observation

    def step_message(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Submit the model's message in OpenAI's chat format; returns the messages that answer it, none once the episode is over.

        Each native call needs an answer, but the environment returns one text: the answer to the first call holds it.
        """
        seen = self.step(message_text(message))
        calls = message.get("tool_calls") or []
        if self.done or not calls:
            return [] if self.done else [{"role": "user", "content": self.content}]
        results = [seen] + ["(told with the first call)"] * (len(calls) - 1)
        return [{"role": "tool", "tool_call_id": call.get("id"), "content": text} for call, text in zip(calls, results, strict=True)]

    def fork(self) -> Session:
        """Another session in the same state: what is played in one does not change the other."""
        other = copy.copy(self)
        other._positions = list(self._positions)
        return other

    @property
    def state_key(self) -> str:
        """A text that is equal for sessions of a row that are in the same state after the same number of turns."""
        position, state = self._position, self._position.state
        known = state.model_dump(mode="json") if isinstance(state, TaskData) else repr(state)
        score = None if position.score is None else [position.score.value, position.score.outcome.name]
        return json.dumps([position.turn, known, position.observation, score], sort_keys=True)

    def oracle(self) -> str:
        """The oracle's response in this state."""
        return oracle_response(self._declared, self._position, self._style)


def message_text(message: Mapping[str, Any]) -> str:
    """The text of a message in OpenAI's chat format; native tool calls become the text of `tool_calls_text`."""
    if calls := message.get("tool_calls"):
        functions = [call.get("function", call) for call in calls]
        return tool_calls_text((function.get("name", ""), function.get("arguments", "{}")) for function in functions)
    return message.get("content") or ""


def tool_calls_text(calls: Iterable[tuple[str, Any]]) -> str:
    """Native tool calls as a response. Each call is the tool's name and its arguments, an object or its JSON.

    The first characters of all marks are escaped, so nothing in the arguments can be mistaken for an answer's mark.
    """
    text = json.dumps({"tool_calls": [{"name": name, "arguments": arguments} for name, arguments in calls]}, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("`", "\\u0060").replace("\\\\", "\\u005c")


def first_message(row: Mapping[str, Any], session: Session, native_tools: bool) -> str:
    """The first message of a task. With native tools it does not explain how to write calls as text."""
    if native_tools and session.tools:
        return f"{row['prompt']}\n\nYou have {session.max_turns} turns."
    return session.observation
