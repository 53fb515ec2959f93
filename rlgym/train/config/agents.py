"""The section of a configuration on examples in which one model plays several agents."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.train.config.section import Section


class AgentsConfig(Section):
    """The oracle's turns as the work of several agents within one model, each between tags of its role."""

    roles: tuple[Literal["plan", "reflection", "think"], ...] = Field(
        ("plan", "reflection", "think"),
        min_length=1,
        max_length=3,
        description="plan: what has to be done, in the first turn; reflection: what the last action showed, in later turns; think: the next steps, in every "
        "turn; the action follows as the environment asks for it",
    )
    min_turns: int = Field(1, ge=1, le=100, description="tasks that the oracle solves in fewer turns are left out")
    slip_fraction: float = Field(
        0.0,
        ge=0,
        le=1,
        description="fraction of the tasks in which one action is a mistake that the next reflection notes and the rest makes up for; the mistake carries "
        "no loss",
    )
