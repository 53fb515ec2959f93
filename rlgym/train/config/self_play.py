"""The sections of a configuration on self-play: the baseline by role."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.train.config.section import Section


class RoleBaselineConfig(Section):
    """A baseline by environment and role (the seat of a match) that is subtracted from rewards before the advantage."""

    kind: Literal["moving", "batch"] = Field(
        "moving",
        description="moving: the moving average of earlier rewards (SPIRAL); batch: the mean of the step, then divided by its standard deviation "
        "(Absolute Zero)",
    )
    decay: float = Field(0.95, ge=0, lt=1, description="moving: decay of the average per rollout; it starts at 0")
