"""Losses that treat right and wrong as labels to be told apart; the advantage is not read.

A group must not be split between two calls: its rollouts are compared with each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym.train.advantages.sign import SignOptions, right_N
from rlgym.train.axes import group_count, group_sum, length_N, mean_N, sum_N, used_T
from rlgym.train.losses.common import log_ratio_T, told, units

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.losses.common import Loss


class LabelOptions(SignOptions):
    """What the losses over labels take."""

    average: Literal["group"] = Field("group", description="the loss is a mean over groups")


class RealOptions(LabelOptions):
    """Options of `real`."""

    temperature: float = Field(0.5, gt=0, le=100, description="tau: how soon a rollout that is told apart stops to count")


class PacsOptions(LabelOptions):
    """Options of `pacs`."""

    scale: float = Field(1.0, gt=0, le=100, description="beta: what a rollout's summed log-ratio is multiplied by")
    balanced: bool = Field(False, description="let right and wrong weigh the same within a group")


def real(new_T: Tensor, batch: Batch, advantage_T: Tensor, options: RealOptions) -> Loss:
    """log(1 + sum over right of e^(-s / tau)) + log(1 + sum over wrong of e^(s / tau)) per group, s the mean log-ratio.

    The mean is over the groups that have a rollout with tokens.
    """
    log_ratio = log_ratio_T(new_T, batch.old_T, batch)
    score_N = mean_N(log_ratio, batch) / options.temperature
    right = right_N(batch, options)
    counted = batch.valid_N & (length_N(batch) > 0)
    apart_N = _log_one_plus(-score_N, right & counted, batch) + _log_one_plus(score_N, ~right & counted, batch)
    loss = (apart_N / _members(counted, batch)).where(counted, 0.0).sum() / units(batch, options.average).clamp(min=1)
    return loss, told(log_ratio, used_T(batch) & False, batch) | _gap(score_N * options.temperature, right, counted)


def _log_one_plus(value_N: Tensor, chosen_N: Tensor, batch: Batch) -> Tensor:
    """log(1 + sum of e^value over the chosen of the group), for each rollout; the largest value is taken out of the sum."""
    value_N = value_N.where(chosen_N, 0.0)
    count = int(batch.group_N.max()) + 1 if len(batch.group_N) else 0
    top_N = value_N.detach().new_zeros(count).scatter_reduce(0, batch.group_N, value_N.detach(), "amax")[batch.group_N]
    others_N = group_sum((value_N - top_N).exp().where(chosen_N, 0.0), batch)
    return ((-top_N).exp() + others_N).log() + top_N


def pacs(new_T: Tensor, batch: Batch, advantage_T: Tensor, options: PacsOptions) -> Loss:
    """Binary cross-entropy between right and sigmoid(psi), psi a rollout's score less the mean of the others of its group.

    The score is beta times the summed log-ratio. A rollout that is alone in its group has nothing to be compared with and
    carries no loss. The mean is over the rollouts of a group, then over groups.
    """
    log_ratio = log_ratio_T(new_T, batch.old_T, batch)
    score_N = options.scale * sum_N(log_ratio, batch)
    count_N = group_count(batch)
    others_N = (group_sum(score_N, batch) - score_N) / (count_N - 1).clamp(min=1)
    psi_N = score_N - others_N
    right = right_N(batch, options)
    counted = batch.valid_N & (length_N(batch) > 0) & (count_N > 1)
    # -log sigmoid(x) = log(1 + e^-x), written so that it neither overflows nor loses small values.
    wrongness_N = (-psi_N).where(right, psi_N)
    loss_N = wrongness_N.clamp(min=0) + (-wrongness_N.abs()).exp().log1p()
    if options.balanced:
        alike_N = _members(right & counted, batch).where(right, _members(~right & counted, batch))
        loss_N = loss_N * count_N / (2 * alike_N)
    loss = (loss_N / _members(counted, batch)).where(counted, 0.0).sum() / units(batch, options.average).clamp(min=1)
    return loss, told(log_ratio, used_T(batch) & False, batch) | _gap(score_N, right, counted)


def _members(chosen_N: Tensor, batch: Batch) -> Tensor:
    return group_sum(chosen_N.float(), batch).clamp(min=1)


def _gap(score_N: Tensor, right: Tensor, counted: Tensor) -> dict[str, Tensor]:
    """How much higher right rollouts score than wrong ones, on average."""
    seen = score_N.detach()

    def mean(chosen: Tensor) -> Tensor:
        return seen.where(chosen, 0.0).sum() / chosen.sum().clamp(min=1)

    return {"score_gap": mean(right & counted) - mean(~right & counted)}
