"""Advantages from the token rewards of a process model that is trained along (`algorithm.process_model`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.advantages.per_rollout import SignOptions, right_N
from rlgym.train.data.segment_sums import (
    broadcast_to_tokens,
    centred,
    group_count,
    group_sum,
    mean_N,
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


class PrimeOptions(Options):
    """Options of `prime`."""

    process_weight: float = Field(1.0, ge=0, le=100, description="weight of the process rewards")
    outcome_weight: float = Field(1.0, ge=0, le=100, description="weight of the outcome")
    whiten: bool = Field(True, description="subtract the mean over the tokens of the batch and divide by their standard deviation")


@advantage("prime", paper="Process Reinforcement through Implicit Rewards")
def prime(batch: Batch, options: PrimeOptions) -> Tensor:
    """process_weight sum over s >= t of (K r_s - sum of the group's mean token rewards) / (K - 1), plus outcome_weight `rloo`, whitened.

    r_s is the token reward of the process model, and K the rollouts of the group: leave-one-out, as in the authors' code.
    """
    if batch.process_reward_T is None:
        raise OptionError("the advantage 'prime' needs token rewards of a process model: set algorithm.process_model")
    used, count_N = used_T(batch), group_count(batch)
    others_N = (count_N - 1).clamp(min=1)
    reward_T = batch.process_reward_T.where(used, 0.0)
    sum_N = group_sum(mean_N(reward_T, batch), batch)
    centred_T = (reward_T * count_N[batch.rollout_T] - sum_N[batch.rollout_T]) / others_N[batch.rollout_T]
    return_T = returns_to_go_T(centred_T.where((count_N > 1)[batch.rollout_T], 0.0), batch)
    outcome_T = broadcast_to_tokens(centred(rewards_N(batch), batch) * count_N / others_N, batch)
    total_T = (options.process_weight * return_T + options.outcome_weight * outcome_T).where(used, 0.0).float()
    if not options.whiten or not bool(used.any()):
        return total_T
    off_T = total_T - total_T[used].mean()
    return (off_T / (off_T[used].square().mean().sqrt() + 1e-8)).where(used, 0.0)


class OrealOptions(SignOptions):
    """Options of `oreal`."""

    positive_weight: float = Field(1.0, ge=0, le=100, description="weight of the tokens of right rollouts")
    negative_weight: float = Field(0.5, ge=0, le=100, description="weight of the tokens of wrong rollouts")
    one_of_each: bool = Field(True, description="only the first right and the first wrong rollout of a group carry loss")


@advantage("oreal", paper="Exploring the Limit of Outcome Reward for Learning Mathematical Reasoning", group_relative=True)
def oreal(batch: Batch, options: OrealOptions) -> Tensor:
    """weight max(0, 2 sigmoid(m_t) - 1) `rloo` in right rollouts, weight max(0, 1 - 2 sigmoid(m_t)) `rloo` in wrong ones, m_t the mean process reward up to t.

    Tokens from which a process model already tells the outcome carry it, and the others next to nothing. Both kinds are divided by their share of the
    tokens, so that each is a mean over its own, as in the authors' code.
    """
    if batch.process_reward_T is None:
        raise OptionError("the advantage 'oreal' needs token scores of a process model: set algorithm.process_model")
    used, count_N, right = used_T(batch), group_count(batch), right_N(batch, options)
    outcome_N = centred(rewards_N(batch), batch) * count_N / (count_N - 1).clamp(min=1)
    score_T, index_T = batch.process_reward_T.where(used, 0.0), position_T(batch) + 1
    so_far_T = to_packed(to_padded(score_T, batch).cumsum(1), batch) / index_T
    told_T = 2 * so_far_T.sigmoid() - 1
    right_T = right[batch.rollout_T]
    weight_T = (options.positive_weight * told_T).where(right_T, -options.negative_weight * told_T).clamp(min=0)
    kept_N = (outcome_N != 0) & (_first_of_each(right, batch) if options.one_of_each else batch.valid_N)
    kept_T = used & kept_N[batch.rollout_T]
    total_T = weight_T * outcome_N[batch.rollout_T]
    for kind_T in (kept_T & right_T, kept_T & ~right_T):
        total_T = (total_T * used.sum() / kind_T.sum().clamp(min=1)).where(kind_T, total_T)
    return total_T.where(kept_T, 0.0).float()


def _first_of_each(right: Tensor, batch: Batch) -> Tensor:
    """bool over N: the first right and the first wrong valid rollout of each group."""
    seen: set[tuple[int, bool]] = set()
    first = []
    for group, solved, valid in zip(batch.group_N.tolist(), right.tolist(), batch.valid_N.tolist(), strict=True):
        first.append(valid and (group, solved) not in seen)
        seen |= {(group, solved)} if valid else set()
    return right.new_tensor(first)


def returns_to_go_T(reward_T: Tensor, batch: Batch) -> Tensor:
    """The sum of a rollout's rewards from each used token on, 0 elsewhere."""
    return to_packed(to_padded(reward_T, batch).flip(1).cumsum(1).flip(1), batch)
