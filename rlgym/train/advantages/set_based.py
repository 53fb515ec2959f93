"""Advantages that depend on a set of rollouts: ranks, pass@k, bundles with a tail risk, and rarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from rlgym.train.advantages.bundles import bundle_rollouts
from rlgym.train.advantages.group_relative import standardize
from rlgym.train.advantages.per_rollout import SignOptions, right_N
from rlgym.train.data.segment_sums import broadcast_to_tokens, group_count, group_mean, group_std, group_sum, mean_N, rewards_N, segment_sum
from rlgym.train.registry import Options, advantage

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


class RankPenaltyOptions(Options):
    """Options of `rank_penalty`."""

    penalty: float = Field(0.25, ge=0, le=1, description="fraction of the reward that the most likely rollout of a group nearly loses")
    filter_zero_std: bool = Field(False, description="give 0 to groups that are all right or all wrong")


class PassAtKOptions(SignOptions):
    """Options of `pass_at_k`."""

    k: int = Field(4, ge=1, le=1024, description="number of answers of which one must be right; at most the group size")


class MvarOptions(Options):
    """Options of `mvar`."""

    low_quantile: float = Field(0.2, gt=0, lt=1, description="level of the lower quantile")
    high_quantile: float = Field(0.9, gt=0, lt=1, description="level of the upper quantile")
    tail_weight: float = Field(1.5, ge=0, le=100, description="weight of the lower tail relative to the middle")
    bundle_size: int = Field(5, ge=1, le=64, description="number of tasks whose rewards are summed")
    tracked_quantiles: tuple[float, float] | None = Field(None, description="tracked quantiles of bundle scores; None uses this batch's")
    divide_by_std: bool = Field(False, description="divide by the standard deviation over the bundles")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low_quantile >= self.high_quantile:
            raise ValueError(
                f"low_quantile must be below high_quantile, got low_quantile={self.low_quantile} and high_quantile={self.high_quantile}"
            )
        if self.tracked_quantiles is not None and self.tracked_quantiles[0] > self.tracked_quantiles[1]:
            raise ValueError(f"the lower quantile must not exceed the upper one, got tracked_quantiles={self.tracked_quantiles}")
        return self


class WeightedGrpoOptions(SignOptions):
    """Options of `weighted_grpo`."""

    rare_success_weight: float = Field(2.0, ge=0, le=100, description="weight of a right rollout where at most half of the group is right")
    rare_failure_weight: float = Field(
        2.0, ge=0, le=100, description="weight of a wrong rollout where more than half of the group is right"
    )


@advantage(
    "rank_penalty",
    paper="Rewarding the Unlikely: Lifting GRPO Beyond Distribution Sharpening for Formal Theorem Proving",
    group_relative=True,
)
def rank_penalty(batch: Batch, options: RankPenaltyOptions) -> Tensor:
    """`grpo` on rewards that favour unlikely rollouts: r (1 - penalty rank / n), rank 0 for the least likely of n."""
    reward_N = rewards_N(batch)
    shaped_N = reward_N * (1 - options.penalty * likelihood_rank(batch) / group_count(batch))
    advantage_N = standardize(shaped_N, batch)
    if options.filter_zero_std:
        advantage_N = advantage_N.where(group_std(reward_N, batch) > 0, 0.0)
    return broadcast_to_tokens(advantage_N, batch)


def likelihood_rank(batch: Batch) -> Tensor:
    """float32: how many valid rollouts of the group have a lower mean log-probability per token; ties share a rank."""
    likely_N = mean_N(batch.old_logprobs_T, batch)
    rivals_NN = (batch.group_N[:, None] == batch.group_N[None, :]) & batch.valid_N[None, :]
    return (rivals_NN & (likely_N[None, :] < likely_N[:, None])).sum(1).float()


@advantage(
    "pass_at_k",
    paper="Pass@k Training for Adaptively Balancing Exploration and Exploitation of Large Reasoning Models",
    group_relative=True,
)
def pass_at_k(batch: Batch, options: PassAtKOptions) -> Tensor:
    """The mean advantage of a rollout over all sets of k from its group; a set is right if any member is."""
    right = right_N(batch, options)
    count_N = group_count(batch)
    wrong_N = group_sum((~right).float(), batch)
    k_N = count_N.clamp(max=options.k)
    passes_N = 1 - _prob_all_wrong(wrong_N, count_N, k_N, options.k)
    std_N = (passes_N * (1 - passes_N)).clamp(min=0).sqrt()
    # A set that contains this wrong rollout is right unless the other k - 1 are wrong too.
    passes_with_N = (1 - _prob_all_wrong((wrong_N - 1).clamp(min=0), count_N - 1, k_N - 1, options.k - 1)).where(~right, 1.0)
    mixed = (std_N > 1e-6) & batch.valid_N
    return broadcast_to_tokens(((passes_with_N - passes_N) / std_N.clamp(min=1e-6)).where(mixed, 0.0), batch)


def _prob_all_wrong(wrong_N: Tensor, count_N: Tensor, k_N: Tensor, most: int) -> Tensor:
    """C(wrong, k) / C(count, k): the probability that k rollouts drawn without replacement are all wrong."""
    chance_N = wrong_N.new_ones(len(wrong_N))
    for draws in range(most):
        next_N = (wrong_N - draws).clamp(min=0) / (count_N - draws).clamp(min=1)
        chance_N = chance_N * next_N.where(k_N > draws, 1.0)
    return chance_N


@advantage("mvar", paper="RiskPO: Risk-based Policy Optimization via Verifiable Reward for LLM Post-Training")
def mvar(batch: Batch, options: MvarOptions) -> Tensor:
    """The mixed value at risk of bundles of rollouts: the lower tail of the summed rewards counts, the best bundles do not.

    A bundle with an unscored rollout carries no loss.
    """
    bundle_N, score_N, complete_N = bundle_rewards(batch, options)
    low, high = options.tracked_quantiles or _quantiles(bundle_N, score_N, complete_N, options)
    tail_N = -(low - score_N).clamp(min=0) / options.low_quantile
    middle_N = ((score_N - low).clamp(min=0) - (score_N - high).clamp(min=0) + low - high) / (options.high_quantile - options.low_quantile)
    advantage_N = (options.tail_weight * tail_N + middle_N) / (options.tail_weight + 1)
    if options.divide_by_std:
        first_N = _first_of(bundle_N, complete_N)
        spread = advantage_N[first_N].std(correction=0) if bool(first_N.any()) else advantage_N.sum()
        advantage_N = advantage_N / (spread + 1e-6)
    return broadcast_to_tokens(advantage_N.where(complete_N, 0.0), batch)


def bundle_rewards(batch: Batch, options: MvarOptions) -> tuple[Tensor, Tensor, Tensor]:
    """For each rollout: its bundle, the bundle's summed reward, and whether all rollouts of the bundle are valid."""
    bundle_N = batch.bundle_N if batch.bundle_N is not None else bundle_rollouts(batch.group_N, options.bundle_size)
    everyone = batch.valid_N.new_ones(len(batch.valid_N))
    complete_N = segment_sum((~batch.valid_N).float(), bundle_N, everyone) == 0
    return bundle_N, segment_sum(rewards_N(batch), bundle_N, everyone), complete_N


def bundle_scores(batch: Batch, options: MvarOptions) -> Tensor:
    """The summed reward of each complete bundle, once."""
    bundle_N, score_N, complete_N = bundle_rewards(batch, options)
    return score_N[_first_of(bundle_N, complete_N)]


def _quantiles(bundle_N: Tensor, score_N: Tensor, complete_N: Tensor, options: MvarOptions) -> tuple[float, float]:
    scores = score_N[_first_of(bundle_N, complete_N)]
    return _batch_quantiles(scores, options) if len(scores) else (0.0, 0.0)


def _batch_quantiles(scores: Tensor, options: MvarOptions) -> tuple[float, float]:
    return float(scores.quantile(options.low_quantile)), float(scores.quantile(options.high_quantile))


def _first_of(bundle_N: Tensor, complete_N: Tensor) -> Tensor:
    earlier_NN = (bundle_N[:, None] == bundle_N[None, :]).tril(-1)
    return complete_N & ~earlier_NN.any(1)


def move_quantiles(quantiles: tuple[float, float], scores: Tensor, options: MvarOptions, rate: float = 0.1) -> tuple[float, float]:
    """The tracked quantiles after a batch of bundle scores: each moves by rate (level - fraction of scores below it)."""
    if not len(scores):
        return quantiles
    low, high = (
        q + rate * (level - float((scores < q).float().mean()))
        for q, level in zip(quantiles, (options.low_quantile, options.high_quantile), strict=True)
    )
    return min(low, high), max(low, high)


@dataclass
class QuantileTracker:
    """Quantiles of bundle scores that `mvar` tracks from step to step; None before the first step."""

    values: tuple[float, float] | None = None

    def update(self, batch: Batch, options: MvarOptions, rate: float) -> MvarOptions:
        """The options for this batch. The first batch sets the quantiles, unless given; later batches move them."""
        scores = bundle_scores(batch, options)
        if self.values is None and options.tracked_quantiles is None and not len(scores):
            return options
        if self.values is None:
            self.values = options.tracked_quantiles or _batch_quantiles(scores, options)
        options = options.model_copy(update={"tracked_quantiles": self.values})
        self.values = move_quantiles(self.values, scores, options, rate)
        return options


@advantage(
    "weighted_grpo",
    paper="Beyond Variance: Prompt-Efficient RLVR via Rare-Event Amplification and Bidirectional Pairing",
    group_relative=True,
)
def weighted_grpo(batch: Batch, options: WeightedGrpoOptions) -> Tensor:
    """`grpo`, with larger weights for rare successes on hard tasks and rare failures on easy ones.

    The weights come after the division by the standard deviation, which would undo any affine change of a binary reward.
    """
    right = right_N(batch, options)
    rate_N = group_mean(right.float(), batch)
    weight_N = rate_N.new_ones(len(rate_N))
    weight_N = weight_N.where(~(right & (rate_N <= 0.5)), options.rare_success_weight)
    weight_N = weight_N.where(right | (rate_N <= 0.5), options.rare_failure_weight)
    return broadcast_to_tokens(standardize(rewards_N(batch), batch) * weight_N, batch)
