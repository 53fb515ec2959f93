"""Entropy of the policy at each token: rewarded, or used to choose the tokens that learn.

`entropy_T` is -sum of p log p over the vocabulary, in nats, of the distribution a token was drawn from.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.axes import used_T
from rlgym.train.choices import Options
from rlgym.train.losses.common import LossOptions, averaged

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.losses.common import Loss


class EntropyOptions(LossOptions):
    """Options of `entropy_bonus`."""

    weight: float = Field(0.001, ge=-10, le=10, description="alpha: above 0 spreads the policy, below 0 sharpens it")


class ForkOptions(Options):
    """Options of `entropy_mask`."""

    share: float = Field(0.2, gt=0, le=1, description="share of the batch's used tokens that learn, those of highest entropy")


def entropy_bonus(entropy_T: Tensor, batch: Batch, options: EntropyOptions) -> Loss:
    """-weight times the mean entropy, to be added to a loss. From "Reinforcement Learning for Reasoning in Large Language Models
    with One Training Example"."""
    mean = averaged(entropy_T.where(used_T(batch), 0.0), batch, options)
    return -options.weight * mean, {"entropy": mean.detach()}


def entropy_mask(entropy_T: Tensor, batch: Batch, options: ForkOptions) -> Batch:
    """The batch in which only the tokens of highest entropy carry loss, and are averaged over.

    Advantages are to be worked out on the batch before. From "Beyond the 80/20 Rule: High-Entropy Minority Tokens Drive
    Effective Reinforcement Learning for LLM Reasoning".
    """
    used = used_T(batch)
    seen = entropy_T.detach()[used].float()
    if not len(seen):
        return batch
    # The least of the highest: equal entropies are kept together. torch.quantile refuses more than 16 million entries.
    kept = max(1, round(options.share * len(seen)))
    threshold = seen.topk(kept).values[-1]
    return replace(batch, mask_T=batch.mask_T & used & (entropy_T.detach().float() >= threshold))
