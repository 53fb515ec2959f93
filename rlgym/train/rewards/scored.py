"""What a reward shaping sees of a response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlgym import Rng, Score

if TYPE_CHECKING:
    from rlgym.train.rewards.token_rewards import RewardSpan
    from rlgym.train.tasks.spec import TaskSpec


REFERENCED = ("proxy", "error_distance", "sql_overlap", "lexical_similarity")
"""The shapings that compare a response with the oracle's, which may be slow."""


OF_STATES = ("reward_program",)
"""The shapings that see the state of the task."""


@dataclass(frozen=True)
class ScoredResponse:
    """What a reward shaping sees: the last response of an episode, its score, its task, and random numbers of this rollout alone.

    `spans` are the rewarded parts of the response, with `algorithm.token_rewards`. `prompt` is the prompt of the task, and `reference` the
    oracle's response, which only the shapings in `REFERENCED` are given. `snapshots` are those of the environment before and after the
    response, for those in `OF_STATES`.
    """

    score: Score
    response: str
    task: TaskSpec
    rng: Rng
    spans: tuple[RewardSpan, ...] = ()
    prompt: str = ""
    reference: str = ""
    snapshots: tuple[Any, Any] | None = None
