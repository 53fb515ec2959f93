"""When to start anew from where the policy is: the reference becomes the policy, and the optimizer forgets.

From "ProRL: Prolonged Reinforcement Learning Expands Reasoning Boundaries in Large Language Models". The paper resets when
validation stalls or worsens and gives no rule for that; the rule here is ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from rlgym.train.choices import Options


class ResetOptions(Options):
    """Options of `reset_due`."""

    patience: int = Field(3, ge=1, description="evaluations without a better score before a reset")
    better_by: float = Field(0.0, ge=0, le=1, description="what a score must exceed the best one by to count as better")
    most_kl: float | None = Field(None, gt=0, description="divergence from the reference, in nats per token, that forces a reset")


def reset_due(scores: Sequence[float], kl: float, options: ResetOptions) -> bool:
    """Whether to reset now. `scores` are the evaluations since the last reset, oldest first, the one at the reset among them."""
    if options.most_kl is not None and kl > options.most_kl:
        return True
    best, since = float("-inf"), 0
    for score in scores:
        if score > best + options.better_by:
            best, since = score, 0
        else:
            since += 1
    return since >= options.patience
