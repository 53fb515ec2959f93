"""A dense reward as a program, such as a language model writes: accepted on recorded episodes before the run, and paid on the typed state.

From "Text2Reward: Reward Shaping with Language Models for Reinforcement Learning"; see `rlgym.audit.reward_program`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from rlgym.train.registry import Options, reward
from rlgym.train.rewards.scored import ScoredResponse


class RewardProgramOptions(Options):
    """Options of `reward_program`."""

    env: str = Field(..., min_length=1, description="the environment whose responses are paid")
    file: str = Field(..., min_length=1, description="the Python file with the program")
    run: str = Field(
        ...,
        min_length=1,
        description="the folder of an evaluation with successes and failures on the same tasks, on which the program is accepted",
    )
    function: str = Field("reward", description="the function of the file: function(state, response) -> float")
    weight: float = Field(1.0, gt=0, le=100, description="weight of the program's value")


@reward("reward_program", paper="Text2Reward: Reward Shaping with Language Models for Reinforcement Learning")
def reward_program(scored: ScoredResponse, options: RewardProgramOptions) -> float:
    """`weight` times the value of a program that sees the fields of the task and the response, in the sandbox.

    A run does not start unless the program ranks the recorded episodes as the verifier does. A response on which it fails earns its score alone.
    """
    from rlgym.audit.reward_program import ProgramRefused, RewardProgram, typed_state

    if scored.task.name != options.env or scored.snapshots is None:
        return 0.0
    try:
        program = RewardProgram(_source(options.file), options.function, options.env)
        return options.weight * program.value(typed_state(*scored.snapshots), scored.response)
    except ProgramRefused:
        return 0.0


@cache
def _source(file: str) -> str:
    """The text of a program, read once in each process."""
    return Path(file).read_text(encoding="utf-8")
