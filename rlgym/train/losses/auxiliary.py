"""Terms of the objective on auxiliary rollouts, which are added to the loss of the policy's own rollouts.

Axes: T tokens of all rollouts, N rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

import torch

from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses.common import LossOptions, num_units

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.rewards import SelfRewardConfig
    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss


def reference_likelihood(new_logprobs_T: Tensor, batch: Batch, options: LossOptions) -> Loss:
    """-sum of weight log(new) over the tokens of reference answers, over the same units as the loss of the responses.

    With `reinforce`, `aggregation: constant` and `rloo` the sum of both has the exact gradient of the expected likelihood reward. From
    "Reinforcing General Reasoning without Verifiers" (the weight is the probability of the answer) and "Likelihood-Based Reward Designs for
    General LLM Reasoning" (with a log-probability as the reward the weight is 1).
    """
    assert batch.answer_weight_T is not None
    used_T = batch.answer_weight_T != 0
    total = -(batch.answer_weight_T * new_logprobs_T.where(used_T, 0.0)).sum()
    divisor = num_units(batch, options.aggregation).clamp(min=1)
    if options.aggregation == "constant":
        divisor = divisor * options.aggregation_constant
    return total / divisor, {"reference_logprob": (new_logprobs_T[used_T].detach().mean() if bool(used_T.any()) else total.detach() * 0)}


def self_reward_loss(new_logprobs_T: Tensor, batch: Batch, options: SelfRewardConfig, reference_logprob: float) -> Loss:
    """coef times the weighted mean of (scale (log(new) - reference_logprob) - verdict)^2 over the tokens of self-rewards.

    With `balance` a response weighs n / (2 n of its verdict), n all responses, so that rare verdicts are learned too. From "LaSeR: Reinforcement
    Learning with Last-Token Self-Rewarding".
    """
    assert batch.verdict_N is not None
    predicted_N = self_rewards_N(new_logprobs_T, batch, options, reference_logprob)
    used_N = ~batch.verdict_N.isnan()
    predicted, verdict = predicted_N[used_N], batch.verdict_N[used_N]
    if not len(verdict):
        return predicted.sum() * 0, {"self_reward_loss": predicted.detach().sum() * 0}
    right = verdict > 0.5
    weight = torch.ones_like(verdict)
    if options.balance:
        weight = torch.where(right, len(verdict) / (2 * right.sum()), len(verdict) / (2 * (~right).sum()))
    loss = (weight * (predicted - verdict).square()).mean()
    agrees = (predicted.detach() > 0.5) == right
    return options.coef * loss, {"self_reward_loss": loss.detach(), "self_reward_accuracy": agrees.float().mean()}


def self_rewards_N(logprob_T: Tensor, batch: Batch, options: SelfRewardConfig, reference_logprob: float) -> Tensor:
    """scale (log(p) - reference_logprob) of the token of self-rewards of each auxiliary rollout that has one, 0 elsewhere."""
    assert batch.verdict_N is not None
    last_T = batch.loss_mask_T & ~batch.verdict_N.isnan()[batch.rollout_T]
    offset_T = (options.scale * (logprob_T - reference_logprob)).where(last_T, 0.0)
    return offset_T.new_zeros(len(batch.verdict_N)).index_add(0, batch.rollout_T, offset_T)


def self_reward_advantage(
    advantage_T: Tensor, batch: Batch, options: SelfRewardConfig, self_reward_N: Tensor, owners: Sequence[int]
) -> Tensor:
    """(1 - advantage_weight) A + advantage_weight times the standardised self-rewards, in groups whose self-rewards spread enough.

    Self-rewards are clipped to [0, 1] first, the range of verdicts.

    owners   the rollout to which each self-reward belongs, in the order of the batch
    """
    assert batch.verdict_N is not None
    scores: dict[int, dict[int, float]] = {}
    places = (~batch.verdict_N.isnan()).nonzero().squeeze(1).tolist()
    for place, owner in zip(places, owners, strict=True):
        scores.setdefault(int(batch.group_N[owner]), {})[owner] = min(1.0, max(0.0, float(self_reward_N[place])))
    mixed_N = batch.reward_N.new_zeros(len(batch.reward_N))
    used_N = torch.zeros_like(batch.valid_N)
    for group in scores.values():
        std = pstdev(group.values())
        for owner, score in group.items() if std > options.min_std else ():
            mixed_N[owner], used_N[owner] = (score - fmean(group.values())) / std, True
    share_T = options.advantage_weight * (used_N[batch.rollout_T] & used_T(batch)).float()
    return (1 - share_T) * advantage_T + share_T * mixed_N[batch.rollout_T]
