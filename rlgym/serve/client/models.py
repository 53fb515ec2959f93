"""The responses of the service as values: session views, tasks, scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rlgym import Origin, Outcome, RlgymError, Score
from rlgym.serve.client.errors import InvalidResponse


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A task whose data, from which answers are scored, stays on the service."""

    prompt: str
    origin: Origin

    @property
    def data(self) -> Any:
        """Not available: the service never sends it."""
        raise RlgymError("the data of a remote task is hidden; the service keeps it and scores answers there")


@dataclass(frozen=True, slots=True)
class SessionView:
    """The state of an episode."""

    session_id: str
    observation: str
    turn: int
    max_turns: int
    done: bool
    feedback: str
    score: Score | None
    tools: list[dict[str, Any]]
    origin: Origin
    prompt: str | None
    expires_in: float | None


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task with what a player sees first: the observation, the tools' schemas, and the drawing if there is one."""

    task: RemoteTask
    observation: str
    tools: list[dict[str, Any]]
    svg: str | None


def parse_session_view(body: Any) -> SessionView:
    """Parse a session view; InvalidResponse if it is not one."""
    try:
        return SessionView(
            session_id=body["session"],
            observation=body["observation"],
            turn=body["turn"],
            max_turns=body["max_turns"],
            done=body["done"],
            feedback=body["feedback"],
            score=None if body["score"] is None else parse_score(body["score"]),
            tools=body["tools"],
            origin=parse_origin(body["task"]),
            prompt=body.get("prompt"),
            expires_in=body.get("expires_in"),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidResponse(f"expected a session view ({type(error).__name__}: {error}), got {str(body)[:200]!r}") from None


def parse_score(body: Mapping[str, Any]) -> Score:
    """Parse a score."""
    return Score(body["value"], Outcome(body["outcome"]), body["reason"], body["parts"])


def parse_origin(body: Mapping[str, Any]) -> Origin:
    """Parse the origin of a task. The split becomes a part of the name, as `rlgym.make` has it."""
    split = body.get("split") or "main"
    name = body["name"] if split == "main" or body["name"].endswith(f":{split}") else f"{body['name']}:{split}"
    return Origin(name, body["version"], body["seed"], body["knobs"], body.get("level"))


def parse_task_view(body: Any) -> TaskView:
    """Parse a task; InvalidResponse if it is not one."""
    try:
        return TaskView(RemoteTask(body["prompt"], parse_origin(body["task"])), body["observation"], body["tools"], body.get("svg"))
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidResponse(f"expected a task ({type(error).__name__}: {error}), got {str(body)[:200]!r}") from None
