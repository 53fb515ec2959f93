"""Advantages that judge a rollout by the set it belongs to: its rank, its chance among k, the tail of a bundle, its rarity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from rlgym.train.advantages.group import standardised
from rlgym.train.advantages.sign import SignOptions, right_N
from rlgym.train.axes import group_count, group_mean, group_std, group_sum, mean_N, rewards_N, sum_by, to_tokens
from rlgym.train.choices import Options
from rlgym.train.samplers import bundle_rollouts

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


class RankOptions(Options):
    """Options of `rank_penalty`."""

    penalty: float = Field(0.25, ge=0, le=1, description="share of the reward that the likeliest rollout of a group nearly loses")
    drop_decided: bool = Field(False, description="give 0 to groups that are all right or all wrong")


class PassOptions(SignOptions):
    """Options of `pass_at_k`."""

    k: int = Field(4, ge=1, le=1024, description="answers of which one must be right; at most the size of the group")


class RiskOptions(Options):
    """Options of `mvar`."""

    low: float = Field(0.2, gt=0, lt=1, description="level of the lower quantile")
    high: float = Field(0.9, gt=0, lt=1, description="level of the upper quantile")
    tail_weight: float = Field(1.5, ge=0, le=100, description="weight of the lower tail against the middle")
    bundle: int = Field(5, ge=1, le=64, description="tasks whose rewards are added up, where the batch brings no bundles")
    quantiles: tuple[float, float] | None = Field(None, description="the tracked quantiles of bundle scores; None takes this batch's")
    divide_by_std: bool = Field(False, description="divide by the standard deviation over the bundles")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"low must be below high, got low={self.low} and high={self.high}")
        if self.quantiles is not None and self.quantiles[0] > self.quantiles[1]:
            raise ValueError(f"the lower quantile must not exceed the upper one, got quantiles={self.quantiles}")
        return self


class RareOptions(SignOptions):
    """Options of `weighted_grpo`."""

    rare_success: float = Field(2.0, ge=0, le=100, description="weight of a right rollout where at most half of the group is right")
    rare_failure: float = Field(2.0, ge=0, le=100, description="weight of a wrong rollout where more than half of the group is right")


def rank_penalty(batch: Batch, options: RankOptions) -> Tensor:
    """`grpo` on rewards of which unlikely rollouts keep more: r (1 - penalty rank / n), rank 0 for the least likely of n."""
    reward_N = rewards_N(batch)
    shaped_N = reward_N * (1 - options.penalty * likelihood_rank(batch) / group_count(batch))
    advantage_N = standardised(shaped_N, batch)
    if options.drop_decided:
        advantage_N = advantage_N.where(group_std(reward_N, batch) > 0, 0.0)
    return to_tokens(advantage_N, batch)


def likelihood_rank(batch: Batch) -> Tensor:
    """float32: how many valid rollouts of the group have a lower mean log-probability per token; equals share a rank."""
    likely_N = mean_N(batch.old_T, batch)
    rivals_NN = (batch.group_N[:, None] == batch.group_N[None, :]) & batch.valid_N[None, :]
    return (rivals_NN & (likely_N[None, :] < likely_N[:, None])).sum(1).float()


def pass_at_k(batch: Batch, options: PassOptions) -> Tensor:
    """The mean advantage of a rollout over all sets of k from its group, a set being right if any member is."""
    right = right_N(batch, options)
    count_N = group_count(batch)
    wrong_N = group_sum((~right).float(), batch)
    k_N = count_N.clamp(max=options.k)
    passes_N = 1 - _all_wrong(wrong_N, count_N, k_N, options.k)
    std_N = (passes_N * (1 - passes_N)).clamp(min=0).sqrt()
    # A set that holds this wrong rollout is right unless the other k - 1 are wrong too.
    passes_with_N = (1 - _all_wrong((wrong_N - 1).clamp(min=0), count_N - 1, k_N - 1, options.k - 1)).where(~right, 1.0)
    mixed = (std_N > 1e-6) & batch.valid_N
    return to_tokens(((passes_with_N - passes_N) / std_N.clamp(min=1e-6)).where(mixed, 0.0), batch)


def _all_wrong(wrong_N: Tensor, count_N: Tensor, k_N: Tensor, most: int) -> Tensor:
    """C(wrong, k) / C(count, k): the chance that k drawn without return are all wrong."""
    chance_N = wrong_N.new_ones(len(wrong_N))
    for drawn in range(most):
        next_N = (wrong_N - drawn).clamp(min=0) / (count_N - drawn).clamp(min=1)
        chance_N = chance_N * next_N.where(k_N > drawn, 1.0)
    return chance_N


def mvar(batch: Batch, options: RiskOptions) -> Tensor:
    """The mixed value at risk of bundles of rollouts: the lower tail of the summed rewards counts, the best bundles do not.

    A bundle with a rollout that has no score has no sum, and carries no loss.
    """
    bundle_N, score_N, whole_N = bundled(batch, options)
    low, high = options.quantiles or _quantiles(bundle_N, score_N, whole_N, options)
    tail_N = -(low - score_N).clamp(min=0) / options.low
    middle_N = ((score_N - low).clamp(min=0) - (score_N - high).clamp(min=0) + low - high) / (options.high - options.low)
    advantage_N = (options.tail_weight * tail_N + middle_N) / (options.tail_weight + 1)
    if options.divide_by_std:
        one_each = _first_of(bundle_N, whole_N)
        spread = advantage_N[one_each].std(correction=0) if bool(one_each.any()) else advantage_N.sum()
        advantage_N = advantage_N / (spread + 1e-6)
    return to_tokens(advantage_N.where(whole_N, 0.0), batch)


def bundled(batch: Batch, options: RiskOptions) -> tuple[Tensor, Tensor, Tensor]:
    """For each rollout: its bundle, the bundle's summed reward, and whether all of the bundle's rollouts are valid."""
    bundle_N = batch.bundle_N if batch.bundle_N is not None else bundle_rollouts(batch.group_N, options.bundle)
    everyone = batch.valid_N.new_ones(len(batch.valid_N))
    whole_N = sum_by((~batch.valid_N).float(), bundle_N, everyone) == 0
    return bundle_N, sum_by(rewards_N(batch), bundle_N, everyone), whole_N


def bundle_scores(batch: Batch, options: RiskOptions) -> Tensor:
    """The summed reward of each whole bundle, once."""
    bundle_N, score_N, whole_N = bundled(batch, options)
    return score_N[_first_of(bundle_N, whole_N)]


def _quantiles(bundle_N: Tensor, score_N: Tensor, whole_N: Tensor, options: RiskOptions) -> tuple[float, float]:
    scores = score_N[_first_of(bundle_N, whole_N)]
    return (float(scores.quantile(options.low)), float(scores.quantile(options.high))) if len(scores) else (0.0, 0.0)


def _first_of(bundle_N: Tensor, whole_N: Tensor) -> Tensor:
    earlier_NN = (bundle_N[:, None] == bundle_N[None, :]).tril(-1)
    return whole_N & ~earlier_NN.any(1)


def move_quantiles(quantiles: tuple[float, float], scores: Tensor, options: RiskOptions, rate: float = 0.1) -> tuple[float, float]:
    """The tracked quantiles after a batch of bundle scores: each moves by rate (level - share of scores below it)."""
    if not len(scores):
        return quantiles
    low, high = (
        q + rate * (level - float((scores < q).float().mean())) for q, level in zip(quantiles, (options.low, options.high), strict=True)
    )
    return min(low, high), max(low, high)


def weighted_grpo(batch: Batch, options: RareOptions) -> Tensor:
    """`grpo`, with rare successes on hard tasks and rare failures on easy ones weighed more.

    The weights come after the division by the standard deviation: before it, any rise or stretch of a right-or-wrong reward
    would be undone by it.
    """
    right = right_N(batch, options)
    rate_N = group_mean(right.float(), batch)
    weight_N = rate_N.new_ones(len(rate_N))
    weight_N = weight_N.where(~(right & (rate_N <= 0.5)), options.rare_success)
    weight_N = weight_N.where(right | (rate_N <= 0.5), options.rare_failure)
    return to_tokens(standardised(rewards_N(batch), batch) * weight_N, batch)
