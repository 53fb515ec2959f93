"""Masks tokens whose advantage is an outlier of the step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.data.segment_sums import MIN_STD, used_T
from rlgym.train.registry import Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


class AdvantageFilterOptions(Options):
    """Options of `advantage_filter`."""

    max_std: float = Field(3.0, gt=0, le=100, description="largest distance from the mean, in standard deviations")


def advantage_filter(batch: Batch, advantage_T: Tensor, options: AdvantageFilterOptions) -> Batch:
    """The batch in which no token carries loss whose advantage is more than `max_std` standard deviations from the mean of the used tokens.

    From "R1-Reward: Training Multimodal Reward Model Through Stable Reinforcement Learning" (StableReinforce).
    """
    used = used_T(batch)
    values = advantage_T[used].double()
    if not len(values) or float(values.std(correction=0)) <= MIN_STD:
        return batch
    distance_T = (advantage_T.double() - values.mean()).abs() / values.std(correction=0)
    return replace(batch, loss_mask_T=batch.loss_mask_T & ~(used & (distance_T > options.max_std)))
