"""The section of a configuration on rollouts that branch after an observation."""

from __future__ import annotations

from pydantic import Field

from rlgym.train.config.section import Section


class BranchingConfig(Section):
    """Rollouts of many turns that branch where the policy has become less certain: the rest of the group continues those that began it."""

    initial_rollouts: int = Field(ge=1, description="rollouts of a group that start from the prompt; the others are branches of them")
    threshold: float = Field(0.5, ge=0, le=1, description="probability of a branch after an observation where the entropy has not changed")
    entropy_weight: float = Field(0.2, ge=0, le=100, description="how much a rise of the entropy by 1 raises that probability")
    entropy_tokens: int = Field(20, ge=1, le=10_000, description="first tokens of a response whose entropy counts")
    max_branches: int = Field(1, ge=1, le=100, description="most branches of a rollout after one observation")
