"""The plan of an evaluation: which model plays which suite, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Model
from rlgym.users import ModelUser


class Suite(Protocol):
    """The tasks of a run, as `rlgym.evaluate.suites` returns them."""

    @property
    def name(self) -> str: ...

    @property
    def hash(self) -> str: ...

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """What a run evaluates and how.

    config    sampling parameters, tool calling and prices, the same for all episodes
    label     the name of the run in reports; the model's name by default
    limits    limits on one request, recorded in run.json; a resumed run must have the same
    max_cost  US dollars; no episode starts that might exceed it
    judge     another model that a strategy may ask for its confidence in a candidate
    scorer    trained scorers of steps that a strategy may ask
    user      the model that plays the people of tool worlds; environments without people are not affected
    parameters  of the model, active ones for a mixture of experts, from which operations are estimated; those of a local folder are counted
    max_consecutive_failures  the run stops after this many failed episodes in a row
    """

    suite: Suite
    model: Model
    config: EpisodeConfig
    label: str = ""
    limits: Mapping[str, Any] | None = None
    max_cost: float | None = None
    max_consecutive_failures: int = 10
    user: ModelUser | None = None
    judge: Model | None = None
    scorer: Model | None = None
    parameters: float | None = None
