"""The section of a configuration on replayed rollouts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.train.config.section import Section


class ReplayConfig(Section):
    """Groups of earlier steps that the update learns from once more."""

    fraction: float = Field(0.25, gt=0, le=4, description="number of replayed groups, as a multiple of rollout.groups_per_step")
    max_groups: int = Field(256, ge=1, description="capacity; the oldest groups leave first")
    max_age_steps: int = Field(8, ge=1, description="groups of more steps ago are dropped")
    max_replays: int = Field(1, ge=1, description="how often one group may be replayed")
    priority: Literal["uniform", "recent", "reward_std", "medium"] = Field(
        "uniform",
        description="weight of a group in the draw: equal; 1 / age; the standard deviation of its rewards; or p (1 - p) of its solve rate p",
    )
    min_solve_rate: float = Field(0.0, ge=0, le=1, description="lowest solve rate of a group that is stored")
    max_solve_rate: float = Field(1.0, ge=0, le=1, description="highest solve rate of a group that is stored")
