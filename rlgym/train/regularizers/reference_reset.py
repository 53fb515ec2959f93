"""When to reset the reference policy to the current policy and clear the optimizer state.

From "ProRL: Prolonged Reinforcement Learning Expands Reasoning Boundaries in Large Language Models". The paper resets when
validation stalls or worsens, without an exact rule; this rule is ours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from rlgym.train.registry import Options

if TYPE_CHECKING:
    from rlgym.train.evaluate import Accuracy


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


def last_reset(step: int, validation: Mapping[int, float], options: ResetOptions) -> int:
    """The step of the last reset up to `step`, 0 if there was none, by the held-out accuracies at earlier steps and at this one."""
    last, since = 0, list[float]()
    for evaluated in sorted(done for done in validation if done <= step):
        since.append(validation[evaluated])
        if reset_due(since, 0.0, options):
            last, since = evaluated, [validation[evaluated]]
    return last


def validation_scores(evaluations: Mapping[str, Mapping[Any, Accuracy]]) -> dict[int, float]:
    """The mean held-out accuracy by step of reinforcement learning, from the evaluations of a run by label."""
    scores = {}
    for label, table in evaluations.items():
        found = [accuracy.average for accuracy in table.values() if not math.isnan(accuracy.average)]
        if found and label != "end":
            scores[int(label.removeprefix("step ")) if label.startswith("step ") else 0] = sum(found) / len(found)
    return scores
