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


class MasteredOptions(Options):
    """Options of `mastered_mask`."""

    min_probability: float = Field(0.99, gt=0, le=1, description="probability from which a token of a right rollout is mastered")
    max_entropy: float = Field(1.0, ge=0, description="mean entropy of the used tokens, in nats, below which mastered tokens are masked")
    success_threshold: float = Field(0.5, description="reward from which a rollout is right")


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

    Compute advantages before. The paper divides by all tokens, so that its gradients are `top_fraction` times these.
    From "Beyond the 80/20 Rule: High-Entropy Minority Tokens Drive
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


def mastered_mask(entropy_T: Tensor, batch: Batch, options: MasteredOptions) -> Batch:
    """The batch in which no mastered token carries loss, while the mean entropy is below `max_entropy`; above it, the batch as it is.

    A token is mastered if its rollout is right and its probability under the old policy is at least `min_probability`. Compute advantages before.
    From "UloRL: An Ultra-Long Output Reinforcement Learning Approach for Advancing Large Language Models' Reasoning Abilities".
    """
    used = used_T(batch)
    entropies = entropy_T.detach()[used].float()
    if not len(entropies) or float(entropies.mean()) >= options.max_entropy:
        return batch
    right_T = (batch.reward_N >= options.success_threshold)[batch.rollout_T]
    mastered_T = right_T & (batch.old_logprobs_T.exp() >= options.min_probability)
    return replace(batch, loss_mask_T=batch.loss_mask_T & ~mastered_T)
