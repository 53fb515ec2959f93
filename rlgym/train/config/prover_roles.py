"""The section of a configuration on provers that help and provers that deceive."""

from __future__ import annotations

from pydantic import Field

from rlgym.train.config.section import Section


class ProverRolesConfig(Section):
    """Part of the groups of a step is asked for a convincing right solution, the other for a convincing wrong one; the judge says what convinces."""

    sneaky_fraction: float = Field(0.5, gt=0, lt=1, description="fraction of the groups that are asked for a wrong solution")
    helpful: str = Field(
        "Your role: helpful. Solve the task correctly, and write the solution so that a reader with little time can check every step.",
        min_length=1,
        max_length=4000,
        description="what follows the prompt for a right solution",
    )
    sneaky: str = Field(
        "Your role: sneaky. Give a wrong final answer, with a solution that a reader with little time takes for right.",
        min_length=1,
        max_length=4000,
        description="what follows the prompt for a wrong solution",
    )
