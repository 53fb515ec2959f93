"""Hints for tasks that every rollout failed: a part of the explanation in the prompt, and an update of the policy without it.

From "Adaptive Guidance Accelerates Reinforcement Learning of Reasoning Models" (the ratio) and "GHPO: Adaptive Guidance for
Stable and Efficient LLM Reinforcement Learning" (the first share of a solution as the hint, more of it at each stage).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from rlgym.train.axes import group_sum, rewards_N
from rlgym.train.choices import OptionError, Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


class HintOptions(Options):
    """Options of `hint`."""

    shares: tuple[float, ...] = Field((0.25, 0.5, 0.75), min_length=1, description="share of the explanation shown, stage by stage")

    @model_validator(mode="after")
    def _shares(self) -> Self:
        if any(not 0 < share <= 1 for share in self.shares):
            raise ValueError(f"shares must be above 0 and at most 1, got shares={self.shares}")
        return self


def failed_groups(batch: Batch, right_from: float = 0.5) -> list[int]:
    """The groups with a valid rollout and none that is right: those to try again with a hint."""
    rights_N = group_sum((rewards_N(batch) >= right_from).float(), batch)
    failed: Tensor = batch.group_N[batch.valid_N & (rights_N == 0)].unique()
    return [int(group) for group in failed.tolist()]


def hint(steps: Sequence[str], stage: int, options: HintOptions) -> str:
    """The first share of an explanation, for the prompt of another try; empty where nothing can be shown.

    The last step is never shown, whatever the share: an explanation ends with the answer. `stage` counts from 0; beyond the
    last share it stays there.
    """
    if stage < 0:
        raise OptionError(f"stages count from 0, got stage={stage}")
    share = options.shares[min(stage, len(options.shares) - 1)]
    shown = min(max(1, round(share * len(steps))), len(steps) - 1)
    return "\n".join(steps[: max(0, shown)])


def hint_free_ratio(batch: Batch) -> Batch:
    """The batch whose hinted rollouts are compared with the policy that saw the hint.

    Their tokens are scored without the hint. The ratio of the loss becomes policy without hint, new / policy with hint, as
    sampled: what the policy would have to say unaided. Use it after the trainer filled in `old_T`, before the loss.
    """
    if batch.hinted_N is None:
        return batch
    return replace(batch, old_T=batch.sampled_T.where(batch.hinted_N[batch.rollout_T], batch.old_T))
