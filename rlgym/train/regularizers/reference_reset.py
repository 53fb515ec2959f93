"""When to reset the reference policy to the current policy and clear the optimizer state.

From "ProRL: Prolonged Reinforcement Learning Expands Reasoning Boundaries in Large Language Models". The paper resets when
validation stalls or worsens, without an exact rule; this rule is ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from rlgym.train.registry import Options


class ResetOptions(Options):
    """Options of `reset_due`."""

    patience: int = Field(3, ge=1, description="evaluations without a better score before a reset")
    min_delta: float = Field(0.0, ge=0, le=1, description="smallest increase over the best score that counts as better")
    max_kl: float | None = Field(None, gt=0, description="KL divergence from the reference, in nats per token, that forces a reset")


def reset_due(scores: Sequence[float], kl: float, options: ResetOptions) -> bool:
    """Whether to reset now. `scores` are the evaluations since the last reset, oldest first, including the one at the reset."""
    if options.max_kl is not None and kl > options.max_kl:
        return True
    best, since = float("-inf"), 0
    for score in scores:
        if score > best + options.min_delta:
            best, since = score, 0
        else:
            since += 1
    return since >= options.patience
