"""Advantages that compare a rollout with the others of its group, or of the whole batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from pydantic import Field

from rlgym.train.data.segment_sums import (
    MIN_STD,
    broadcast_to_tokens,
    centred,
    group_count,
    group_std,
    group_sum,
    length_N,
    position_T,
    rewards_N,
    to_packed,
    to_padded,
    used_T,
)
from rlgym.train.registry import OptionError, Options, advantage

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


class NoOptions(Options):
    """No options."""


class GrpoOptions(Options):
    """Options of `grpo`."""

    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class ReinforcePlusPlusOptions(Options):
    """Options of `reinforce_pp`."""

    kl_coef: float = Field(
        0.0, ge=0, le=1, description="coefficient of the KL divergence from the reference (k1), subtracted from the reward"
    )
    group_baseline: bool = Field(False, description="subtract the group's mean from the rewards first")


class PairwiseOptions(Options):
    """Options of `pairwise`."""

    margin: float = Field(0.0, ge=0, le=100, description="rewards that differ by at most this much tie")


class BrpoOptions(Options):
    """Options of `brpo`."""

    margin: float = Field(0.0, ge=0, le=100, description="rewards that differ by at most this much tie")
    seed: int = Field(0, ge=0, description="seed of the draw of the reference")


@advantage("grpo", paper="DeepSeekMath: Pushing the Limits of Mathematical Reasoning in Open Language Models", group_relative=True)
def grpo(batch: Batch, options: GrpoOptions) -> Tensor:
    """(r - mean) / (std + epsilon) over the group, the standard deviation divided by the number of rollouts."""
    return broadcast_to_tokens(standardize(rewards_N(batch), batch, options.epsilon), batch)


def standardize(value_N: Tensor, batch: Batch, epsilon: float = 1e-6) -> Tensor:
    """The value minus its group's mean, divided by its group's standard deviation; 0 if the group's values are equal."""
    return (centred(value_N, batch) / (group_std(value_N, batch) + epsilon)).where(group_std(value_N, batch) > 0, 0.0)


@advantage("dr_grpo", paper="Understanding R1-Zero-Like Training: A Critical Perspective", group_relative=True)
def dr_grpo(batch: Batch, options: NoOptions) -> Tensor:
    """r - mean over the group, without the division by the standard deviation."""
    return broadcast_to_tokens(centred(rewards_N(batch), batch), batch)


@advantage(
    "rloo", paper="Back to Basics: Revisiting REINFORCE Style Optimization for Learning from Human Feedback in LLMs", group_relative=True
)
def rloo(batch: Batch, options: NoOptions) -> Tensor:
    """r - mean of the others in the group; 0 for a group of one."""
    count_N = group_count(batch)
    return broadcast_to_tokens(centred(rewards_N(batch), batch) * count_N / (count_N - 1).clamp(min=1), batch)


@advantage("gpg", paper="GPG: A Simple and Strong Reinforcement Learning Baseline for Model Reasoning", group_relative=True)
def gpg(batch: Batch, options: NoOptions) -> Tensor:
    """r - mean over the group, times the number of groups over the number of those whose rewards differ."""
    spread_N = group_std(rewards_N(batch), batch) > 0
    num_groups = batch.group_N[batch.valid_N].unique().numel()
    num_useful = batch.group_N[batch.valid_N & spread_N].unique().numel()
    return broadcast_to_tokens(centred(rewards_N(batch), batch) * num_groups / max(1, num_useful), batch)


@advantage("opo", paper="On-Policy RL with Optimal Reward Baseline", group_relative=True)
def opo(batch: Batch, options: NoOptions) -> Tensor:
    """r - baseline, the baseline being the mean over the group weighted by the lengths of the rollouts."""
    deviation_N, tokens_N = centred(rewards_N(batch), batch), length_N(batch)
    # The baseline minus the plain mean: exactly 0 where all rewards are equal.
    offset_N = group_sum(tokens_N * deviation_N, batch) / group_sum(tokens_N, batch).clamp(min=1)
    return broadcast_to_tokens(deviation_N - offset_N, batch)


@advantage("lite_ppo", paper="Part I: Tricks or Traps? A Deep Dive into RL for LLM Reasoning", group_relative=True)
def lite_ppo(batch: Batch, options: GrpoOptions) -> Tensor:
    """(r - mean over the group) / (std + epsilon), the standard deviation over all rollouts of the batch."""
    reward_N, valid_N = rewards_N(batch), batch.valid_N
    if not bool(valid_N.any()):
        return broadcast_to_tokens(reward_N, batch)
    # The least reward is subtracted first: rounding the mean of equal large values would leave a spurious spread.
    std = (reward_N[valid_N] - reward_N[valid_N].min()).std(correction=0)
    return broadcast_to_tokens((centred(reward_N, batch) / (std + options.epsilon)).where(std > MIN_STD, 0.0), batch)


@advantage("reinforce_pp", paper="REINFORCE++: A Simple and Efficient Approach for Aligning Large Language Models")
def reinforce_pp(batch: Batch, options: ReinforcePlusPlusOptions) -> Tensor:
    """The reward minus the KL divergence of the remaining tokens, standardised over all tokens of the batch."""
    reward_N = rewards_N(batch)
    if options.group_baseline:
        reward_N = centred(reward_N, batch)
    reward_to_go_T = broadcast_to_tokens(reward_N, batch)
    if options.kl_coef:
        if batch.ref_logprobs_T is None:
            raise OptionError(
                "'reinforce_pp' with kl_coef above 0 needs a reference policy, but this batch has no ref_logprobs_T: add them, or set kl_coef to 0"
            )
        reward_to_go_T = reward_to_go_T - options.kl_coef * _suffix_sum(batch.old_logprobs_T - batch.ref_logprobs_T, batch)
    return whiten(reward_to_go_T, batch)


def _suffix_sum(value_T: Tensor, batch: Batch) -> Tensor:
    return to_packed(to_padded(value_T, batch).flip(1).cumsum(1).flip(1), batch)


def whiten(value_T: Tensor, batch: Batch) -> Tensor:
    """The values with mean 0 and standard deviation 1 over the used tokens of the batch; 0 if all are equal."""
    used = used_T(batch)
    count = used.sum().clamp(min=1)
    if bool(used.any()):
        # Subtract the minimum first: rounding the mean of equal large values would leave a spurious spread.
        value_T = value_T - value_T[used].min()
    off_T = (value_T - value_T.where(used, 0.0).sum() / count).where(used, 0.0)
    std = (off_T.square().sum() / count).sqrt()
    return (off_T / std.clamp(min=MIN_STD)).where(std > MIN_STD, 0.0)


@advantage("pairwise", paper="Think-RM: Enabling Long-Horizon Reasoning in Generative Reward Models", group_relative=True)
def pairwise(batch: Batch, options: PairwiseOptions) -> Tensor:
    """The mean preference over the others of the group, minus 1/2: 1 for a higher reward, 1/2 for a tie, 0 for a lower one.

    Only the order of the rewards counts, so it suits scores whose scale means little. 0 for a group of one.
    """
    reward_N = rewards_N(batch)
    difference_NN = reward_N[:, None] - reward_N[None, :]
    preference_NN = (difference_NN > options.margin).float() - (difference_NN < -options.margin).float()
    compared_NN = (batch.group_N[:, None] == batch.group_N[None, :]) & batch.valid_N[:, None] & batch.valid_N[None, :]
    others_N = (group_count(batch) - 1).clamp(min=1)
    return broadcast_to_tokens((preference_NN / 2).where(compared_NN, 0.0).sum(1) / others_N, batch)


@advantage("brpo", paper="Writing-Zero: Bridge the Gap Between Non-verifiable Tasks and Verifiable Rewards", group_relative=True)
def brpo(batch: Batch, options: BrpoOptions) -> Tensor:
    """1 for a higher reward than the reference's, -1 for a lower one, 0 for a tie: the reference is a random rollout of the group.

    The reference itself has 0. Only the order of the rewards counts. The draw depends on the seed and the tokens.
    """
    reward_N, reference_N = rewards_N(batch), reference_rollouts(batch, options.seed)
    count = int(batch.group_N.max()) + 1 if len(batch.group_N) else 0
    lowest = reward_N.new_full((count,), -torch.inf)
    reference_G = lowest.scatter_reduce(0, batch.group_N, reward_N.where(reference_N, -torch.inf), "amax")
    difference_N = reward_N - reference_G[batch.group_N]
    return broadcast_to_tokens((difference_N > options.margin).float() - (difference_N < -options.margin).float(), batch)


def reference_rollouts(batch: Batch, seed: int) -> Tensor:
    """bool over N: one valid rollout of each group that has one, drawn by a hash of its tokens, its reward and the seed.

    So the draw depends neither on the order of the rollouts nor on those without a score. Of equal rollouts with equal rewards all are drawn.
    """
    content_T = (batch.tokens_T + 1) * (position_T(batch) + 1).square()
    content_N = (1e6 * rewards_N(batch).double()).round().long() * 7919
    content_N = content_N.index_add(0, batch.rollout_T, content_T.where(used_T(batch), 0))
    mixed_N = content_N * 6364136223846793005 + (seed + 1) * 1442695040888963
    mixed_N = (mixed_N ^ (mixed_N >> 29)) * 2862933555777941757
    order_N = ((mixed_N ^ (mixed_N >> 32)) & (2**53 - 1)).where(batch.valid_N, 2**53)
    count = int(batch.group_N.max()) + 1 if len(batch.group_N) else 0
    first = order_N.new_full((count,), 2**53).scatter_reduce(0, batch.group_N, order_N, "amin")
    return (order_N == first[batch.group_N]) & batch.valid_N
