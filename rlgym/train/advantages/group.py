"""Advantages that compare a rollout with the others of its group, or of the whole batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.axes import (
    LEAST_SPREAD,
    centred,
    group_count,
    group_std,
    laid_out,
    packed,
    rewards_N,
    to_tokens,
    used_T,
)
from rlgym.train.choices import OptionError, Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


class NoOptions(Options):
    """Options of the advantages that need none."""


class GrpoOptions(Options):
    """Options of `grpo`."""

    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class ReinforceOptions(Options):
    """Options of `reinforce_pp`."""

    kl: float = Field(0.0, ge=0, le=1, description="weight of the token's divergence from the reference, taken off the reward (k1)")
    group_baseline: bool = Field(False, description="take the group's mean off the rewards first")


def grpo(batch: Batch, options: GrpoOptions) -> Tensor:
    """(r - mean) / (std + epsilon) over the group, the standard deviation divided by the number of rollouts."""
    return to_tokens(standardised(rewards_N(batch), batch, options.epsilon), batch)


def standardised(value_N: Tensor, batch: Batch, epsilon: float = 1e-6) -> Tensor:
    """The value less its group's mean, over its group's standard deviation; 0 where the group's values are equal."""
    return (centred(value_N, batch) / (group_std(value_N, batch) + epsilon)).where(group_std(value_N, batch) > 0, 0.0)


def dr_grpo(batch: Batch, options: NoOptions) -> Tensor:
    """r - mean over the group: without the division, groups of every difficulty are weighed as they are."""
    return to_tokens(centred(rewards_N(batch), batch), batch)


def rloo(batch: Batch, options: NoOptions) -> Tensor:
    """r - the mean of the others in the group; 0 for a rollout that is alone."""
    count_N = group_count(batch)
    return to_tokens(centred(rewards_N(batch), batch) * count_N / (count_N - 1).clamp(min=1), batch)


def reinforce_pp(batch: Batch, options: ReinforceOptions) -> Tensor:
    """The reward less the divergence of the tokens to come, standardised over all tokens of the batch."""
    reward_N = rewards_N(batch)
    if options.group_baseline:
        reward_N = centred(reward_N, batch)
    gain_T = to_tokens(reward_N, batch)
    if options.kl:
        if batch.reference_T is None:
            raise OptionError(
                "'reinforce_pp' with kl above 0 needs a reference policy and this batch has no reference_T: set a reference model, or kl to 0"
            )
        gain_T = gain_T - options.kl * _to_come(batch.old_T - batch.reference_T, batch)
    return whitened(gain_T, batch)


def _to_come(value_T: Tensor, batch: Batch) -> Tensor:
    return packed(laid_out(value_T, batch).flip(1).cumsum(1).flip(1), batch)


def whitened(value_T: Tensor, batch: Batch) -> Tensor:
    """Mean 0 and standard deviation 1 over the used tokens of the batch; 0 where all are equal."""
    used = used_T(batch)
    count = used.sum().clamp(min=1)
    if bool(used.any()):
        # Rounding the mean of equal large values would leave a spread that is not there.
        value_T = value_T - value_T[used].min()
    off_T = (value_T - value_T.where(used, 0.0).sum() / count).where(used, 0.0)
    std = (off_T.square().sum() / count).sqrt()
    return (off_T / std.clamp(min=LEAST_SPREAD)).where(std > LEAST_SPREAD, 0.0)
