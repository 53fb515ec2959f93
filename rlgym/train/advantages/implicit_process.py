"""Advantages from the token rewards of a process model that is trained along (`algorithm.process_model`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.data.segment_sums import (
    broadcast_to_tokens,
    centred,
    group_count,
    group_sum,
    mean_N,
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


def returns_to_go_T(reward_T: Tensor, batch: Batch) -> Tensor:
    """The sum of a rollout's rewards from each used token on, 0 elsewhere."""
    return to_packed(to_padded(reward_T, batch).flip(1).cumsum(1).flip(1), batch)
