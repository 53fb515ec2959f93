"""Losses for rollouts of another policy: an oracle's explanation, a stronger model, or the policy with a hint.

Advantages are computed over the joint group. The policy's own rollouts go through any loss; `mixed_policy_loss` adds the others', with
one of two weightings of a token of log-probability log(new):

shaped    f(ratio) = ratio / (ratio + gamma), ratio = new / source, with source probability 1 if unknown. Its gradient is large for
          tokens the policy finds unlikely. From "Learning to Reason under Off-Policy Guidance" (LUFFY).
multiple  ratio 2 new / (source + old), with the advantage multiplied by sg((1 - new)^focal_power), so that tokens the policy would
          rarely sample count most. From "RL-PLUS: Countering Capability Boundary Collapse of LLMs in Reinforcement Learning with
          Hybrid-policy Optimization". Not clipped, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses.common import LossOptions, aggregate, log_ratio_T, loss_weight, masked_logprobs
from rlgym.train.registry import LOSSES

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss


class MixedPolicyOptions(LossOptions):
    """Options of `mixed_policy_loss`; the aggregation must be that of the loss for the policy's own rollouts."""

    weighting: Literal["shaped", "multiple"] = Field("shaped", description="how tokens of other sources are weighted")
    gamma: float = Field(0.1, gt=0, le=10, description="of shaped: the ratio at which a token has half of the largest weight")
    focal_power: float = Field(2.0, ge=0, le=10, description="of multiple: the power of 1 - new")


def mixed_policy_options(config: Config) -> MixedPolicyOptions:
    """How a run weights rollouts of the oracle; aggregated as its loss is."""
    algorithm = config.algorithm
    loss = LOSSES[algorithm.loss].options.from_dict(algorithm.loss_options)
    if not isinstance(loss, LossOptions):
        raise TrainError(
            f"the loss {algorithm.loss!r} does not support rollouts of the oracle: choose 'pg_clip', or set algorithm.oracle_fraction=0"
        )
    aggregation = {"aggregation": loss.aggregation, "aggregation_constant": loss.aggregation_constant}
    return MixedPolicyOptions.from_dict({**algorithm.oracle_loss_options, **aggregation})


def mixed_policy_loss(
    new_logprobs_T: Tensor,
    batch: Batch,
    advantage_T: Tensor,
    on_policy_loss: Callable[[Tensor, Batch, Tensor], Loss],
    options: MixedPolicyOptions,
) -> Loss:
    """The loss of the policy's own rollouts plus that of the others, each weighted by its share of the batch."""
    if batch.oracle_N is None:
        return on_policy_loss(new_logprobs_T, batch, advantage_T)
    own = replace(batch, valid_N=batch.valid_N & ~batch.oracle_N)
    other = replace(batch, valid_N=batch.valid_N & batch.oracle_N)
    own_loss, metrics = on_policy_loss(new_logprobs_T, own, advantage_T)
    other_loss = aggregate(-_weighted_advantage_T(new_logprobs_T, other, advantage_T, options), other, options)
    loss = own_loss * loss_weight(own, batch, options.aggregation) + other_loss * loss_weight(other, batch, options.aggregation)
    return loss, metrics | {"oracle_tokens": used_T(other).sum().float(), "oracle_loss": other_loss.detach()}


def _weighted_advantage_T(new_logprobs_T: Tensor, other: Batch, advantage_T: Tensor, options: MixedPolicyOptions) -> Tensor:
    if options.weighting == "shaped":
        ratio_T = log_ratio_T(new_logprobs_T, other.rollout_logprobs_T, other).exp()
        return ratio_T / (ratio_T + options.gamma) * advantage_T
    # The mean of both sources' probabilities, in log space because both may underflow.
    sources_T = masked_logprobs(other.rollout_logprobs_T, other).logaddexp(masked_logprobs(other.old_logprobs_T, other)) - log(2)
    focus_T = (1 - masked_logprobs(new_logprobs_T, other).detach().exp()).clamp(min=0).pow(options.focal_power)
    return log_ratio_T(new_logprobs_T, sources_T, other).exp() * focus_T * advantage_T


def estimate_source(batch: Batch, vocab_size: int, config: Config) -> Batch:
    """The batch with an estimate of the unknown probabilities under the oracle, where the weighting is `multiple`.

    Half the old policy, half a uniform distribution over the vocabulary: the Bayes-optimal estimate of RL-PLUS.
    """
    if batch.oracle_N is None or mixed_policy_options(config).weighting != "multiple":
        return batch
    estimate_T = batch.old_logprobs_T.logaddexp(batch.old_logprobs_T.new_full((), -log(vocab_size))) - log(2)
    return replace(batch, rollout_logprobs_T=estimate_T.where(batch.oracle_N[batch.rollout_T], batch.rollout_logprobs_T))


def hint_free_ratio(batch: Batch) -> Batch:
    """The batch whose hinted rollouts are compared with the policy that saw the hint.

    Their tokens are scored without the hint, so the ratio of the loss becomes policy without hint, new / policy with hint, as
    sampled. Call it after the trainer computed `old_logprobs_T`, before the loss. From "Adaptive Guidance Accelerates Reinforcement
    Learning of Reasoning Models".
    """
    if batch.hinted_N is None:
        return batch
    return replace(batch, old_logprobs_T=batch.rollout_logprobs_T.where(batch.hinted_N[batch.rollout_T], batch.old_logprobs_T))
