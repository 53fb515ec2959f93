"""The service's answers as values: where an episode stands, its task, a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rlgym import Origin, Outcome, RlgymError, Score
from rlgym.serve.client.errors import Garbled


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A task that the service keeps: what the player may know of it. Its data, from which answers are judged, stays there."""

    prompt: str
    origin: Origin

    @property
    def data(self) -> Any:
        """Not here: the service never sends it."""
        raise RlgymError("the task's data is hidden: the service that made the task keeps it, and judges answers there")


@dataclass(frozen=True, slots=True)
class View:
    """Where an episode stands."""

    session: str
    observation: str
    turn: int
    turns: int
    done: bool
    feedback: str
    score: Score | None
    tools: list[dict[str, Any]]
    origin: Origin
    prompt: str | None
    expires_in: float | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A task with what a player sees first: the observation, schemas of tools, and a drawing where there is one."""

    task: RemoteTask
    observation: str
    tools: list[dict[str, Any]]
    svg: str | None


def read_view(told: Any) -> View:
    """A View from the service's answer; Garbled where it is none."""
    try:
        return View(
            session=told["session"],
            observation=told["observation"],
            turn=told["turn"],
            turns=told["turns"],
            done=told["done"],
            feedback=told["feedback"],
            score=None if told["score"] is None else read_score(told["score"]),
            tools=told["tools"],
            origin=read_origin(told["task"]),
            prompt=told.get("prompt"),
            expires_in=told.get("expires_in"),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Garbled(f"this is not where an episode stands ({type(error).__name__}: {error}): {str(told)[:200]!r}") from None


def read_score(told: Mapping[str, Any]) -> Score:
    """A Score from the service's answer."""
    return Score(told["value"], Outcome(told["outcome"]), told["reason"], told["parts"])


def read_origin(told: Mapping[str, Any]) -> Origin:
    """Where a task comes from; a split is part of the name, as it is for `rlgym.make`."""
    split = told.get("split") or "main"
    name = told["name"] if split == "main" or told["name"].endswith(f":{split}") else f"{told['name']}:{split}"
    return Origin(name, told["version"], told["seed"], told["knobs"], told.get("level"))


def read_drawn(told: Any) -> Drawn:
    """A drawn task from the service's answer; Garbled where it is none."""
    try:
        return Drawn(RemoteTask(told["prompt"], read_origin(told["task"])), told["observation"], told["tools"], told.get("svg"))
    except (KeyError, TypeError, AttributeError) as error:
        raise Garbled(f"this is not a task ({type(error).__name__}: {error}): {str(told)[:200]!r}") from None
