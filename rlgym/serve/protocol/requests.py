"""Models of the requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema


def _check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return value


def _integral_float_to_int(value: Any) -> Any:
    # JSON has one number type, so 3.0 is an integer.
    return int(value) if type(value) is float and value.is_integer() else value


# Pydantic's own string type rejects lone surrogates, which a model may produce and every verifier accepts.
Text = Annotated[str, PlainValidator(_check_text), WithJsonSchema({"type": "string"})]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**63), BeforeValidator(_integral_float_to_int)]
Count = Annotated[int, Field(ge=0), BeforeValidator(_integral_float_to_int)]
Level = Annotated[float, Field(ge=0, le=1)]
Knobs = Annotated[dict[Name, int | float | str], Field(max_length=100)]
Split = Literal["main", "shift"]
AnswerStyle = Literal["tag", "boxed", "fence"]
HintTier = Literal["concept", "plan", "partial", "solution"]
DatasetRow = Annotated[dict[str, Any], Field(description="A dataset row.")]


class Request(BaseModel):
    """Base of all requests; unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class TaskRequest(Request):
    """Selects a task. A missing seed is drawn at random; knobs override those of the level."""

    name: Name
    seed: Seed | None = None
    level: Level | None = None
    knobs: Knobs = {}
    split: Split = "main"
    answer_style: AnswerStyle = "tag"


class OpenRequest(TaskRequest):
    """Opens a session on a task. Over a WebSocket, a persistent session outlives the connection."""

    persistent: bool = False


class ScoredTask(TaskRequest):
    """The task that a response answers. A version other than the server's is rejected."""

    seed: Seed
    version: Count | None = None


class SampleRequest(Request):
    """Samples tasks from environments, domains or patterns such as "poly*"."""

    names: Name | Annotated[list[Name], Field(min_length=1, max_length=1000)]
    count: Annotated[int, Field(ge=1, le=1024), BeforeValidator(_integral_float_to_int)]
    levels: Annotated[list[Level], Field(min_length=1, max_length=100)] = [0.0, 0.25, 0.5, 0.75, 1.0]
    seed: Seed = 0
    split: Split = "main"
    answer_style: AnswerStyle = "tag"


class ScoreItem(Request):
    """A response to score, with its task or its dataset row."""

    task: ScoredTask | None = None
    row: DatasetRow | None = None
    response: Text | list[Text]


_SCORE_ITEM_DOC = (
    'An object with "task" (name and seed, plus level, knobs, split, answer_style and version where they apply) or "row", and with '
    '"response": a string, or the list of all turns. An invalid item has an error in its place in the response.'
)
_STEP_DOC = 'An object with "session", "response" and optionally "turn". An invalid step has an error in its place in the response.'


class ScoreRequest(Request):
    """Scores responses."""

    items: Annotated[list[Annotated[dict[str, Any], Field(description=_SCORE_ITEM_DOC)]], Field(min_length=1)]


class BatchStepRequest(Request):
    """Steps several sessions."""

    steps: Annotated[list[Annotated[dict[str, Any], Field(description=_STEP_DOC)]], Field(min_length=1)]


class ResetRequest(Request):
    """Starts the next episode. Without a seed it is the next task of the session's stream; level and knobs apply to this episode only."""

    seed: Seed | None = None
    level: Level | None = None
    knobs: Knobs | None = None


class StepRequest(Request):
    """A model response. The turn that the client believes the episode is at prevents a step from being taken twice."""

    response: Text
    turn: Count | None = None


class RestoreRequest(Request):
    """A snapshot of this session."""

    snapshot: Name


class MistakeRequest(Request):
    """The index of a mistake, from 0."""

    index: Count = 0


class HintRequest(Request):
    """The strength of the hint."""

    tier: HintTier


class RenderRequest(Request):
    """A drawing or text."""

    mode: Literal["svg", "ansi"] = "svg"


class EmptyRequest(Request):
    """An operation without fields."""
