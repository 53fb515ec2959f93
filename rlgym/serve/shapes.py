"""What requests and answers look like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return value


def _whole(value: Any) -> Any:
    # JSON has one kind of number: 3.0 is a whole one.
    return int(value) if type(value) is float and value.is_integer() else value


# Pydantic's own strings refuse half a surrogate pair, which a model may well say and every verifier reads.
Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**63), BeforeValidator(_whole)]
Count = Annotated[int, Field(ge=0), BeforeValidator(_whole)]
Level = Annotated[float, Field(ge=0, le=1)]
Knobs = Annotated[dict[Name, int | float | str], Field(max_length=100)]
Split = Literal["main", "shift"]
Style = Literal["tag", "boxed", "fence"]
Tier = Literal["concept", "plan", "partial", "solution"]


class Asked(BaseModel):
    """A request; fields that it does not know are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class AskTask(Asked):
    """Which task: a seed that is not given is drawn, knobs go over those of the level."""

    name: Name
    seed: Seed | None = None
    level: Level | None = None
    knobs: Knobs = {}
    split: Split = "main"
    answer_style: Style = "tag"


class AskOpen(AskTask):
    """Which task to play; over a socket, `keep` lets the session outlive it."""

    keep: bool = False


class AskScored(AskTask):
    """Which task a response is for; a version that is not this server's is refused."""

    seed: Seed
    version: Count | None = None


class AskSample(Asked):
    """Which tasks to draw: environments, domains or patterns such as "poly*"."""

    names: Name | Annotated[list[Name], Field(min_length=1, max_length=1000)]
    count: Annotated[int, Field(ge=1, le=1024), BeforeValidator(_whole)]
    levels: Annotated[list[Level], Field(min_length=1, max_length=100)] = [0.0, 0.25, 0.5, 0.75, 1.0]
    seed: Seed = 0
    split: Split = "main"
    answer_style: Style = "tag"


Row = Annotated[dict[str, Any], Field(description="a row of a dataset")]


class Item(Asked):
    """One response to judge, to a task or to a row."""

    task: AskScored | None = None
    row: Row | None = None
    response: Text | list[Text]


_ITEM = (
    'An object with "task" (name, seed and, as they were asked for, level, knobs, split, answer_style, version) or "row", and "response": \
a text, or the list of all turns. What is wrong with an item is said in its place of the answer.'
)
_STEP = 'An object with "session", "response" and, if wanted, "turn". What is wrong with it is said in its place of the answer.'


class AskScore(Asked):
    """Responses to judge."""

    items: Annotated[list[Annotated[dict[str, Any], Field(description=_ITEM)]], Field(min_length=1)]


class AskSteps(Asked):
    """Steps of several sessions."""

    steps: Annotated[list[Annotated[dict[str, Any], Field(description=_STEP)]], Field(min_length=1)]


class AskReset(Asked):
    """The next episode: without a seed the next task of the session's stream; level and knobs hold for this episode alone."""

    seed: Seed | None = None
    level: Level | None = None
    knobs: Knobs | None = None


class AskStep(Asked):
    """The model's response and, so that no step is taken twice, the turn that the client believes it is at."""

    response: Text
    turn: Count | None = None


class AskRestore(Asked):
    """A snapshot of this session."""

    snapshot: Name


class AskMistake(Asked):
    """Which of the mistakes, from 0."""

    which: Count = 0


class AskHint(Asked):
    """How strong a hint."""

    tier: Tier


class AskRender(Asked):
    """As a picture or as text."""

    mode: Literal["svg", "ansi"] = "svg"


class AskNothing(Asked):
    """An operation that needs nothing more."""
