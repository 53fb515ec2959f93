"""Sums and means over segments of a batch: from tokens to rollouts to groups, and back.

Axes, as suffixes of names: T tokens of the whole pack, N rollouts, G groups (rollouts of one task), L positions within a rollout.

Only used tokens count: those the policy sampled, in a rollout with a valid score. Values are selected with `where`, never
multiplied by a mask, because 0 times NaN is NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch

MIN_STD = 1e-6
"""Rewards with at most this standard deviation are equal up to rounding."""


def used_T(batch: Batch) -> Tensor:
    """bool: the tokens that carry loss."""
    return batch.loss_mask_T & batch.valid_N[batch.rollout_T]


def broadcast_to_tokens(value_N: Tensor, batch: Batch) -> Tensor:
    """The value of a rollout at each of its used tokens, 0 elsewhere, as float32."""
    return value_N[batch.rollout_T].float().where(used_T(batch), 0.0)


def sum_N(value_T: Tensor, batch: Batch) -> Tensor:
    """The sum over the used tokens of a rollout."""
    masked_T = value_T.where(used_T(batch), 0.0)
    return masked_T.new_zeros(len(batch.reward_N)).index_add(0, batch.rollout_T, masked_T)


def length_N(batch: Batch) -> Tensor:
    """float32: the number of used tokens of a rollout."""
    return sum_N(batch.rollout_logprobs_T.new_ones(len(batch.tokens_T)), batch)


def mean_N(value_T: Tensor, batch: Batch) -> Tensor:
    """The mean over the used tokens of a rollout, 0 if it has none."""
    return sum_N(value_T, batch) / length_N(batch).clamp(min=1)


def rewards_N(batch: Batch) -> Tensor:
    """float32: the rewards, 0 where the score is not valid, whatever the value."""
    return batch.reward_N.float().where(batch.valid_N, 0.0)


def group_sum(value_N: Tensor, batch: Batch) -> Tensor:
    """The sum over the valid rollouts of a rollout's group, repeated for each of its rollouts."""
    return segment_sum(value_N, batch.group_N, batch.valid_N)


def segment_sum(value_N: Tensor, label_N: Tensor, valid_N: Tensor) -> Tensor:
    """The sum over the valid rollouts with the same label, repeated for each rollout of that label."""
    masked_N = value_N.where(valid_N, 0.0)
    count = int(label_N.max()) + 1 if len(label_N) else 0
    return masked_N.new_zeros(count).index_add(0, label_N, masked_N)[label_N]


def group_count(batch: Batch) -> Tensor:
    """float32: the number of valid rollouts of a rollout's group, at least 1."""
    return group_sum(batch.reward_N.new_ones(len(batch.reward_N)).float(), batch).clamp(min=1)


def group_mean(value_N: Tensor, batch: Batch) -> Tensor:
    """The mean over the valid rollouts of a rollout's group."""
    return group_sum(value_N, batch) / group_count(batch)


def group_std(value_N: Tensor, batch: Batch) -> Tensor:
    """The standard deviation over the valid rollouts of a rollout's group, normalised by their number; 0 if all are equal."""
    std_N = group_mean(_deviation_N(value_N, batch).square(), batch).sqrt()
    return std_N.where(std_N > MIN_STD, 0.0)


def centred(value_N: Tensor, batch: Batch) -> Tensor:
    """The value minus its group's mean; exactly 0 if the group's values are equal."""
    return _deviation_N(value_N, batch).where((group_std(value_N, batch) > 0) & batch.valid_N, 0.0)


def _deviation_N(value_N: Tensor, batch: Batch) -> Tensor:
    """The value minus its group's mean, 0 where it is not valid."""
    # Subtract the group's minimum first: rounding the mean of equal large values would leave a spurious spread.
    count = int(batch.group_N.max()) + 1 if len(batch.group_N) else 0
    least = value_N.new_full((count,), float("inf")).scatter_reduce(0, batch.group_N, value_N.where(batch.valid_N, float("inf")), "amin")
    above_N = (value_N - least[batch.group_N]).where(batch.valid_N, 0.0)
    return (above_N - group_mean(above_N, batch)).where(batch.valid_N, 0.0)


def position_T(batch: Batch) -> Tensor:
    """int64: the number of used tokens before a token in its rollout."""
    seen_T = used_T(batch).long().cumsum(0)
    before_N = seen_T.new_zeros(len(batch.reward_N)).index_add(0, batch.rollout_T, used_T(batch).long()).cumsum(0)
    start_N = before_N.roll(1)
    if len(start_N):
        start_N[0] = 0
    return (seen_T - 1 - start_N[batch.rollout_T]).clamp(min=0)


def to_padded(value_T: Tensor, batch: Batch) -> Tensor:
    """The used tokens' values as a table [N, L], right-padded with 0."""
    used = used_T(batch)
    positions_T = position_T(batch)
    longest = int(positions_T[used].max()) + 1 if bool(used.any()) else 0
    table_NL = value_T.new_zeros(len(batch.reward_N), longest)
    table_NL[batch.rollout_T[used], positions_T[used]] = value_T[used]
    return table_NL


def to_packed(table_NL: Tensor, batch: Batch) -> Tensor:
    """The inverse of `to_padded`: a table's values at the used tokens, 0 elsewhere."""
    used = used_T(batch)
    value_T = table_NL.new_zeros(len(batch.tokens_T))
    value_T[used] = table_NL[batch.rollout_T[used], position_T(batch)[used]]
    return value_T
