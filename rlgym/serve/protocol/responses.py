"""Models of the responses. They document the API in the OpenAPI schema; the responses themselves are encoded without them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from rlgym.serve.protocol.errors import CODES


class ErrorBody(BaseModel):
    """What was rejected, and whether the same request may be sent again."""

    code: str
    message: str
    retryable: bool
    retry_after: float | None


class ErrorResponse(BaseModel):
    """The format of every error."""

    error: ErrorBody


class ScoreResponse(BaseModel):
    """A score. `masked` means that it says nothing about the model, so training must skip it."""

    value: float
    outcome: str
    reason: str
    parts: dict[str, float]
    masked: bool


class TaskOrigin(BaseModel):
    """Everything needed to generate the same task again."""

    name: str
    version: int
    seed: int
    level: float | None
    knobs: dict[str, Any]
    split: str


class TaskResponse(BaseModel):
    """A task as a player sees it. `prompt` is the observation without the answer-format instructions."""

    task: TaskOrigin
    prompt: str
    observation: str
    tools: list[dict[str, Any]]
    svg: str | None


class TasksResponse(BaseModel):
    """Sampled tasks."""

    tasks: list[TaskResponse]


class SessionView(BaseModel):
    """The state of an episode. `prompt` is present when an episode starts or is read, not after each step."""

    session: str
    observation: str
    turn: int
    max_turns: int
    done: bool
    reward: float
    terminated: bool
    truncated: bool
    feedback: str
    score: ScoreResponse | None
    masked: bool
    tools: list[dict[str, Any]]
    task: TaskOrigin
    expires_in: float
    prompt: str | None = None


class Message(BaseModel):
    """One message of the transcript."""

    role: str
    content: str


class Event(BaseModel):
    """One entry of the environment's event log."""

    turn: int
    kind: str
    what: str


class SessionDetail(SessionView):
    """The state of an episode with its transcript and event log."""

    messages: list[Message]
    events: list[Event]


class ScoresResponse(BaseModel):
    """Scores in the order of the items, with an error in place of an item that could not be scored."""

    scores: list[ScoreResponse | ErrorResponse]


class BatchStepResponse(BaseModel):
    """Session views in the order of the steps, with an error in place of a rejected step."""

    results: list[SessionView | ErrorResponse]


class EnvironmentSummary(BaseModel):
    """An entry of the catalogue."""

    name: str
    id: str
    domain: str
    kind: Literal["environment", "game", "match"]
    title: str
    answer_format: str
    derived: list[str]
    has_shift: bool
    has_picture: bool


class EnvironmentsResponse(BaseModel):
    """Catalogue entries, sorted by name."""

    environments: list[EnvironmentSummary]


class LawResult(BaseModel):
    """Whether a law holds, and its measurements."""

    passed: bool
    measured: dict[str, Any]


class Certificate(BaseModel):
    """The results of the suite of laws."""

    version: int
    passed: bool
    laws: dict[str, LawResult]


class EnvironmentResponse(BaseModel):
    """The full specification of an environment; further fields may be added."""

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
    has_shift: bool
    has_picture: bool
    certificate: Certificate | None


class SnapshotResponse(BaseModel):
    """The id of a snapshot."""

    snapshot: str


class OracleResponse(BaseModel):
    """The oracle's response."""

    response: str


class MistakeResponse(BaseModel):
    """A plausible wrong response, one of `count`."""

    response: str
    count: int


class HintResponse(BaseModel):
    """A hint."""

    hint: str


class SvgResponse(BaseModel):
    """A drawing."""

    svg: str


class TextResponse(BaseModel):
    """The transcript as text."""

    text: str


def error_responses(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of these error codes, and of those that every route may return."""
    always = ("invalid_request", "unauthorized", "quota_exceeded", "overloaded", "too_large", "internal_error")
    by_status: dict[int, list[str]] = {}
    for code in [*always, *codes]:
        by_status.setdefault(CODES[code].status, []).append(code)
    return {
        status: {"model": ErrorResponse, "description": ", ".join(dict.fromkeys(descriptions))}
        for status, descriptions in sorted(by_status.items())
    }
