"""Entropy as a bonus in the loss, or as the criterion for which tokens carry loss.

`entropy_T` is -sum of p log p over the vocabulary, in nats, of the distribution that a token was sampled from.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses.common import LossOptions, aggregate
from rlgym.train.registry import Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss


class EntropyOptions(LossOptions):
    """Options of `entropy_bonus`."""

    coef: float = Field(0.001, ge=-10, le=10, description="coefficient: above 0 flattens the policy, below 0 sharpens it")


class EntropyMaskOptions(Options):
    """Options of `entropy_mask`."""

    top_fraction: float = Field(0.2, gt=0, le=1, description="fraction of the used tokens, those of highest entropy, that carry loss")


def entropy_bonus(entropy_T: Tensor, batch: Batch, options: EntropyOptions) -> Loss:
    """-coef times the mean entropy, to be added to a loss. From "Reinforcement Learning for Reasoning in Large Language Models
    with One Training Example"."""
    mean = aggregate(entropy_T.where(used_T(batch), 0.0), batch, options)
    return -options.coef * mean, {"entropy": mean.detach()}


def entropy_mask(entropy_T: Tensor, batch: Batch, options: EntropyMaskOptions) -> Batch:
    """The batch in which only the tokens of highest entropy carry loss and are averaged over.

    Compute advantages before. From "Beyond the 80/20 Rule: High-Entropy Minority Tokens Drive
    Effective Reinforcement Learning for LLM Reasoning".
    """
    used = used_T(batch)
    entropies = entropy_T.detach()[used].float()
    if not len(entropies):
        return batch
    # Ties are kept together. torch.quantile is limited to 16 million entries.
    kept = max(1, round(options.top_fraction * len(entropies)))
    threshold = entropies.topk(kept).values[-1]
    return replace(batch, loss_mask_T=batch.loss_mask_T & used & (entropy_T.detach().float() >= threshold))
