"""What answers look like: the models from which the OpenAPI description is made. Answers themselves are written without them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from rlgym.serve.errors import CODES


class Problem(BaseModel):
    """What was refused, and whether the same request may be sent again."""

    code: str
    message: str
    retryable: bool
    retry_after: float | None


class Refusal(BaseModel):
    """Every error of the service."""

    error: Problem


class ScoreTold(BaseModel):
    """A score; `masked` where it says nothing about the model."""

    value: float
    outcome: str
    reason: str
    parts: dict[str, float]
    masked: bool


class OriginTold(BaseModel):
    """All that makes a task again."""

    name: str
    version: int
    seed: int
    level: float | None
    knobs: dict[str, Any]
    split: str


class TaskTold(BaseModel):
    """A task as a player sees it; `prompt` is the observation without the line that asks for the answer's format."""

    task: OriginTold
    prompt: str
    observation: str
    tools: list[dict[str, Any]]
    svg: str | None


class TasksTold(BaseModel):
    """Several tasks."""

    tasks: list[TaskTold]


class View(BaseModel):
    """Where an episode stands; `prompt` is told where an episode begins or is looked at, not with every step."""

    session: str
    observation: str
    turn: int
    turns: int
    done: bool
    reward: float
    terminated: bool
    truncated: bool
    feedback: str
    score: ScoreTold | None
    masked: bool
    tools: list[dict[str, Any]]
    task: OriginTold
    expires_in: float
    prompt: str | None = None


class Message(BaseModel):
    """One message of the conversation."""

    role: str
    content: str


class Event(BaseModel):
    """One line of the environment's own log."""

    turn: int
    kind: str
    what: str


class Look(View):
    """Where an episode stands, and how it came there."""

    messages: list[Message]
    events: list[Event]


class ScoresTold(BaseModel):
    """Scores in the order of the items; an error in the place of an item that could not be judged."""

    scores: list[ScoreTold | Refusal]


class StepsTold(BaseModel):
    """Views in the order of the steps; an error in the place of a step that was refused."""

    results: list[View | Refusal]


class EnvironmentTold(BaseModel):
    """An environment in a line."""

    name: str
    id: str
    domain: str
    kind: Literal["environment", "game", "match"]
    title: str
    format: str
    derived: list[str]
    shift: bool
    picture: bool


class EnvironmentsTold(BaseModel):
    """Environments, by name."""

    environments: list[EnvironmentTold]


class LawTold(BaseModel):
    """What was measured of one law."""

    passed: bool
    measured: dict[str, Any]


class CertificateTold(BaseModel):
    """What the suite of laws found."""

    version: int
    passed: bool
    laws: dict[str, LawTold]


class SpecTold(BaseModel):
    """All there is to know about an environment; more fields may come."""

    model_config = {"extra": "allow"}
    name: str
    id: str
    domain: str
    version: int
    doc: str
    kind: str
    title: str
    knobs: dict[str, Any]
    answer: dict[str, Any]
    derived: list[str]
    shift: bool
    picture: bool
    certificate: CertificateTold | None


class SnapshotTold(BaseModel):
    """The name of a snapshot."""

    snapshot: str


class ResponseTold(BaseModel):
    """What the oracle would say."""

    response: str


class MistakeTold(ResponseTold):
    """What a tempted model would say, one of `of`."""

    of: int


class HintTold(BaseModel):
    """A hint."""

    hint: str


class Svg(BaseModel):
    """A picture."""

    svg: str


class Plain(BaseModel):
    """A text."""

    text: str


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The statuses of these codes, and of those that every route may answer with, for a route's description."""
    always = ("invalid", "unauthorized", "quota", "full", "too_large", "broken")
    by_status: dict[int, list[str]] = {}
    for code in [*always, *codes]:
        by_status.setdefault(CODES[code][0], []).append(code)
    return {status: {"model": Refusal, "description": ", ".join(dict.fromkeys(found))} for status, found in sorted(by_status.items())}
