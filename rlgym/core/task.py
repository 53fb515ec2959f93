"""Tasks: what the model reads, and what the verifier knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict


class TaskData(BaseModel):
    """What a verifier needs to know about one task; never shown to the model. Frozen, and JSON-able with nothing lost."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


D = TypeVar("D", bound=TaskData)


@dataclass(frozen=True, slots=True)
class Origin:
    """Reproduces a task. `knobs` determine it; `level` is kept for the record."""

    name: str
    version: int
    seed: int
    knobs: Mapping[str, Any]
    level: float | None = None


@dataclass(frozen=True, slots=True)
class Task(Generic[D]):
    """One question. `prompt` is the problem text without the closing line about the answer's format.

    For a game or match, `prompt` is the first observation and `data` the first state.
    """

    prompt: str
    data: D
    origin: Origin | None = None

    def to_dict(self) -> dict[str, Any]:
        """The task as JSON-able data; `rlgym.load_task` reads it back."""
        origin = self.origin
        return {
            "prompt": self.prompt,
            "data": self.data.model_dump(mode="json"),
            "origin": None
            if origin is None
            else {"name": origin.name, "version": origin.version, "seed": origin.seed, "knobs": dict(origin.knobs), "level": origin.level},
        }
