"""The section of a configuration on auxiliary rewards whose weights are learned."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from rlgym.core.errors import RlgymError
from rlgym.rewards.combined import combined_reward
from rlgym.train.config.section import Section


class AuxiliaryRewardsConfig(Section):
    """Auxiliary rewards by names of your choice; an outer loop learns their weights from the primary reward of held-out groups, from 0 on."""

    terms: dict[str, str | dict[str, Any]] = Field(
        min_length=1,
        max_length=16,
        description="each a term or combiner of combined rewards, such as {'short': {'free_tokens': 20, 'max_tokens': 80}}",
    )
    lr: float = Field(0.05, gt=0, le=10, description="change of a weight in a step at the cosine 1")
    max_weight: float = Field(1.0, gt=0, le=100, description="weights stay between minus this and this")
    held_out_groups: float = Field(
        0.25, gt=0, lt=1, description="fraction of a step's groups that judge the weights, and that the policy does not learn from"
    )

    @field_validator("terms")
    @classmethod
    def _check_terms(cls, value: dict[str, Any]) -> dict[str, Any]:
        for name, description in value.items():
            try:
                combined_reward(description, wrong_may_outrank=True)
            except RlgymError as error:
                raise ValueError(f"{name}: {error}") from None
        return value
