"""Losses in which the ratio new / old of a token or of a rollout decides how far an update goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.axes import mean_N, sum_N, used_T
from rlgym.train.losses.common import Average, LossOptions, averaged, kept, log_ratio_T, mismatch_T, share_of, told

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.losses.common import Loss


class ClipOptions(LossOptions):
    """Options of `pg_clip`."""

    low: float = Field(0.2, ge=0, le=1, description="the ratio counts down to 1 - low")
    high: float = Field(0.28, ge=0, le=100, description="the ratio counts up to 1 + high")


class GspoOptions(LossOptions):
    """Options of `gspo`."""

    average: Average = Field("rollout", description="token, rollout or constant")
    low: float = Field(3e-4, ge=0, le=1, description="a rollout's ratio counts down to 1 - low")
    high: float = Field(4e-4, ge=0, le=100, description="a rollout's ratio counts up to 1 + high")


class CispoOptions(LossOptions):
    """Options of `cispo`."""

    low: float = Field(1.0, ge=0, le=1, description="weights go down to 1 - low; 1 leaves them free")
    high: float = Field(4.0, ge=0, le=100, description="weights go up to 1 + high")


class DispoOptions(LossOptions):
    """Options of `dispo`."""

    right_low: float = Field(0.2, ge=0, le=1, description="weights of tokens with a positive advantage go down to 1 - right_low")
    right_high: float = Field(0.28, ge=0, le=100, description="and up to 1 + right_high")
    wrong_low: float = Field(1.0, ge=0, le=1, description="weights of tokens with a negative advantage go down to 1 - wrong_low")
    wrong_high: float = Field(4.0, ge=0, le=100, description="and up to 1 + wrong_high")


class ToprOptions(LossOptions):
    """Options of `topr`."""

    average: Average = Field("constant", description="token, rollout or constant")
    constant: int = Field(1, ge=1, description="tokens that a rollout's sum is divided by when average is constant")
    most: float = Field(1.0, gt=0, le=100, description="most weight of a rollout that is pushed down")


def pg_clip(new_T: Tensor, batch: Batch, advantage_T: Tensor, options: ClipOptions) -> Loss:
    """-min(ratio A, clip(ratio, 1 - low, 1 + high) A) per token."""
    log_ratio = log_ratio_T(new_T, batch.old_T, batch)
    return _clipped_loss(log_ratio, batch, advantage_T, options, options.low, options.high)


def gspo(new_T: Tensor, batch: Batch, advantage_T: Tensor, options: GspoOptions) -> Loss:
    """As `pg_clip`, with one ratio for all tokens of a rollout: the geometric mean of theirs.

    The gradient of each token's own log-probability is kept (the paper's token variant), so that advantages may differ within
    a rollout; where they do not, value and gradient are those of the rollout's ratio.
    """
    log_ratio = log_ratio_T(new_T, batch.old_T, batch)
    whole_T = mean_N(log_ratio, batch).detach()[batch.rollout_T]
    own_T = kept(new_T, batch)
    return _clipped_loss(
        (whole_T + own_T - own_T.detach()).where(used_T(batch), 0.0), batch, advantage_T, options, options.low, options.high
    )


def _clipped_loss(log_ratio: Tensor, batch: Batch, advantage_T: Tensor, options: LossOptions, low: float, high: float) -> Loss:
    ratio_T = log_ratio.exp()
    free_T = ratio_T * advantage_T
    bound_T = ratio_T.clamp(1 - low, 1 + high) * advantage_T
    weight_T = mismatch_T(batch, options.mismatch_cap)
    loss = averaged(-weight_T * free_T.minimum(bound_T), batch, options)
    return loss, told(log_ratio, bound_T < free_T, batch) | _mismatch(batch, options)


def cispo(new_T: Tensor, batch: Batch, advantage_T: Tensor, options: CispoOptions) -> Loss:
    """-clip(ratio, 1 - low, 1 + high) A log(new) with the clipped ratio held fixed: no token loses its gradient."""
    log_ratio = log_ratio_T(new_T, batch.old_T, batch)
    ratio_T = log_ratio.exp().detach()
    return _weighted_loss(new_T, ratio_T.clamp(1 - options.low, 1 + options.high), log_ratio, batch, advantage_T, options)


def dispo(new_T: Tensor, batch: Batch, advantage_T: Tensor, options: DispoOptions) -> Loss:
    """As `cispo`, with bounds of their own for tokens with a positive and with a negative advantage."""
    log_ratio = log_ratio_T(new_T, batch.old_T, batch)
    ratio_T = log_ratio.exp().detach()
    right_T = ratio_T.clamp(1 - options.right_low, 1 + options.right_high)
    wrong_T = ratio_T.clamp(1 - options.wrong_low, 1 + options.wrong_high)
    return _weighted_loss(new_T, right_T.where(advantage_T > 0, wrong_T), log_ratio, batch, advantage_T, options)


def topr(new_T: Tensor, batch: Batch, advantage_T: Tensor, options: ToprOptions) -> Loss:
    """-w A log(new), w = 1 where A >= 0, else the whole rollout's ratio new / sampled, cut to [0, most] and held fixed."""
    log_ratio = log_ratio_T(new_T, batch.sampled_T, batch)
    whole_N = sum_N(log_ratio, batch).exp().clamp(max=options.most).detach()
    taper_T = whole_N[batch.rollout_T].where(advantage_T < 0, 1.0)
    loss = averaged(-taper_T * advantage_T * kept(new_T, batch), batch, options)
    return loss, told(log_ratio, (advantage_T < 0) & (taper_T < options.most), batch)


def _weighted_loss(new_T: Tensor, ratio_T: Tensor, log_ratio: Tensor, batch: Batch, advantage_T: Tensor, options: LossOptions) -> Loss:
    weight_T = ratio_T * mismatch_T(batch, options.mismatch_cap)
    loss = averaged(-weight_T * advantage_T * kept(new_T, batch), batch, options)
    return loss, told(log_ratio, ratio_T != log_ratio.detach().exp(), batch) | _mismatch(batch, options)


def _mismatch(batch: Batch, options: LossOptions) -> dict[str, Tensor]:
    if options.mismatch_cap is None:
        return {}
    return {"mismatch_capped": share_of(mismatch_T(batch, options.mismatch_cap) >= options.mismatch_cap, batch)}
