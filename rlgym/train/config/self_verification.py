"""The section of a configuration on the grading of the policy's own solutions."""

from __future__ import annotations

from pydantic import Field

from rlgym.train.config.section import Section


class SelfVerificationConfig(Section):
    """Own solutions of a step become tasks of the same step: is this solution right?"""

    fraction: float = Field(0.5, gt=0, le=1, description="fraction of the groups of a step of which a solution is graded")
    group_size: int = Field(0, ge=0, le=1024, description="gradings of each chosen solution; 0 for as many as its group has solutions")
    weight: float = Field(1.0, gt=0, le=100, description="reward of a right grading")
