"""The section of a configuration on tasks that the policy proposes to itself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.train.config.section import Section


class ProposerConfig(Section):
    """In every step the policy states new tasks, attempts those that are valid, and learns from both."""

    prompts: int = Field(1, ge=1, le=1024, description="prompts of a step that ask for proposals; each shows a task of the step")
    group_size: int = Field(4, ge=1, le=1024, description="proposals at each prompt")
    attempts: int = Field(0, ge=0, le=1024, description="attempts at each valid proposal; 0 for rollout.group_size")
    reward: Literal["learnability", "band"] = Field(
        "learnability",
        description="what a valid proposal earns: learnability: 1 - its solve rate, and 0 where none or all attempts are right; band: 1 where its solve "
        "rate is above band[0] and at most band[1], else 0",
    )
    band: tuple[float, float] = Field((0.0, 0.25), description="the solve rates that `band` rewards")
    invalid_reward: float = Field(-0.5, ge=-10, le=0, description="reward of a proposal that states no new valid task")
    unreadable_reward: float = Field(-1.0, ge=-10, le=0, description="reward of a response without a proposal")
    examples: int = Field(2, ge=0, le=16, description="kept proposals shown at a prompt")
    keep: int = Field(100, ge=1, le=10_000, description="the newest rewarded proposals of each environment that are kept")
