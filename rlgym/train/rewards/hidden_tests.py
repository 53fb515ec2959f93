"""A verifier of programs with a part of its tests, to study what low test coverage costs; the score stays that of all tests."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from rlgym import Outcome, Rng
from rlgym.train.registry import Options, reward
from rlgym.train.rewards.scored import ScoredResponse
from rlgym.train.rewards.verifier_noise import task_key

PART = "test_"
"""How the names of the parts of a score that are tests begin."""


class HiddenTestsOptions(Options):
    """Options of `hidden_tests`."""

    share: float = Field(..., gt=0, le=1, description="share of the tests that the reward sees, rounded up to at least one")
    choice: Literal["random", "first"] = Field("random", description="which tests: a random choice, fixed for each task; or the first ones")
    seed: int = Field(0, ge=0, description="seed of the choice")


@reward("hidden_tests")
def hidden_tests(scored: ScoredResponse, options: HiddenTestsOptions) -> float:
    """Pays a program that passes a share of the tests as if it passed all; no effect on scores without a part for each test.

    The same tests are used whenever the same task is scored, so that a policy can learn what they miss. Right programs keep their reward.
    """
    if scored.score.outcome is Outcome.RIGHT:
        return 0.0
    used = used_tests(scored, options)
    return 1.0 - scored.score.value if used and all(scored.score.parts[name] == 1 for name in used) else 0.0


def used_tests(scored: ScoredResponse, options: HiddenTestsOptions) -> list[str]:
    """The names of the tests that the reward sees, in order."""
    names = sorted((name for name in scored.score.parts if name.startswith(PART)), key=lambda name: (len(name), name))
    count = math.ceil(options.share * len(names) - 1e-9)
    if options.choice == "random":
        chosen = set(Rng("hidden_tests", options.seed, *task_key(scored.task)).shuffled(names)[:count])
        return [name for name in names if name in chosen]
    return names[:count]
