"""The sections of a configuration on targets in addition to the reward: the policy with a solution in its prompt, and the oracle's thoughts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.train.config.section import Section


class SelfDistillationConfig(Section):
    """A loss between the policy and an averaged copy of it whose prompt also contains a right response of the group or feedback on a wrong one (SDPO)."""

    coef: float = Field(1.0, gt=0, le=100, description="coefficient of the divergence from the teacher")
    policy_loss_coef: float = Field(0.0, ge=0, le=100, description="coefficient of the policy loss; 0 trains on the divergence alone")
    divergence: float = Field(
        0.5,
        ge=0,
        le=1,
        description="0 for the forward KL divergence, 1 for the reverse one, in between for a generalised Jensen-Shannon divergence",
    )
    top_k: int = Field(100, ge=1, le=10_000, description="number of most likely tokens that are compared; all others are combined into one")
    max_ratio: float = Field(2.0, ge=1, le=1000, description="a token's weight is its ratio new / old, at most this")
    teacher_rate: float = Field(
        0.05, ge=0, le=1, description="share of the policy in the teacher's weights after each update; 0 for a fixed teacher"
    )
    feedback: Literal["never", "without_solution", "always"] = Field(
        "without_solution",
        description="when the teacher sees the feedback on a failed response: only if no other response of the group is right, or always",
    )
    own_solution: bool = Field(False, description="a right response may be its own solution")
    success_threshold: float = Field(0.5, ge=-100, le=100, description="rewards of at least this count as right")


class ThoughtCorrectionConfig(Section):
    """Supervised learning of the oracle's thought and action in states that failed rollouts visited (GTR)."""

    coef: float = Field(0.1, gt=0, le=100, description="weight of a token of the oracle's response, relative to one of the policy loss")
    turns_per_rollout: int = Field(1, ge=1, le=1000, description="turns of a failed rollout that are corrected, drawn at random")
