"""What the losses share: bounded ratios, aggregation, truncated importance weights, and metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from rlgym.train.data.segment_sums import length_N, mean_N, sum_N, used_T
from rlgym.train.registry import Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch

Loss: TypeAlias = "tuple[Tensor, dict[str, Tensor]]"
"""The scalar to minimise, and metrics."""

MAX_LOG_RATIO = 20.0
"""Log-ratios are clamped to this magnitude, so that no ratio is infinite."""

Aggregation = Literal["token", "rollout", "constant"]


class LossOptions(Options):
    """Options of every loss over tokens.

    aggregation  "token" divides by the tokens of the batch (DAPO); "rollout" averages over the tokens of a rollout, then over
                 rollouts (GRPO); "constant" divides a rollout's sum by a fixed number of tokens, then averages over rollouts (Dr. GRPO)
    """

    aggregation: Aggregation = Field("token", description="token, rollout or constant")
    aggregation_constant: int = Field(1024, ge=1, description="divisor of a rollout's sum when aggregation is constant")
    tis_cap: float | None = Field(
        None, gt=0, le=100, description="cap of the truncated importance weight old / rollout probability; None for no correction"
    )
    tis_floor: float | None = Field(None, gt=0, le=1, description="lower bound of the importance weight; None for none")
    tis_mode: Literal["truncate", "mask"] = Field("truncate", description="weights beyond a bound are set to it, or to 0")
    tis_level: Literal["token", "sequence", "geometric"] = Field(
        "token", description="one weight per token, or per rollout: the product of its tokens' ratios, or their geometric mean"
    )

    @property
    def uses_tis(self) -> bool:
        """True if tokens are weighted by old / rollout probability."""
        return self.tis_cap is not None or self.tis_floor is not None

    @model_validator(mode="after")
    def _check_tis(self) -> Self:
        if not self.uses_tis and (self.tis_mode, self.tis_level) != ("truncate", "token"):
            raise ValueError("tis_mode and tis_level have no effect without a bound: set tis_cap or tis_floor")
        if self.tis_cap is not None and self.tis_floor is not None and self.tis_floor > self.tis_cap:
            raise ValueError(f"tis_floor must not exceed tis_cap, got tis_floor={self.tis_floor} and tis_cap={self.tis_cap}")
        return self


def masked_logprobs(logprobs_T: Tensor, batch: Batch) -> Tensor:
    """The log-probabilities with 0 at tokens that carry no loss, so that no gradient reaches those, whatever their value."""
    return logprobs_T.where(used_T(batch), 0.0)


def log_ratio_T(new_logprobs_T: Tensor, old_logprobs_T: Tensor, batch: Batch) -> Tensor:
    """log(new / old), 0 at unused tokens, clamped to +-MAX_LOG_RATIO."""
    return (masked_logprobs(new_logprobs_T, batch) - masked_logprobs(old_logprobs_T, batch)).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO)


def aggregate(loss_T: Tensor, batch: Batch, options: LossOptions) -> Tensor:
    """The mean of a loss over used tokens, by the chosen aggregation; 0 if there are none."""
    return _total(loss_T, batch, options) / num_units(batch, options.aggregation).clamp(min=1)


def _total(loss_T: Tensor, batch: Batch, options: LossOptions) -> Tensor:
    if options.aggregation == "rollout":
        return mean_N(loss_T, batch).sum()
    total = loss_T.where(used_T(batch), 0.0).sum()
    return total / options.aggregation_constant if options.aggregation == "constant" else total


def num_units(batch: Batch, aggregation: str) -> Tensor:
    """The number of tokens, rollouts or groups with loss: what the loss is a mean over."""
    if aggregation == "token":
        return used_T(batch).sum()
    counted_N = length_N(batch) > 0
    if aggregation == "group":
        return batch.group_N.new_tensor(batch.group_N[counted_N].unique().numel())
    return counted_N.sum()


def loss_weight(part: Batch, full: Batch, aggregation: str) -> float:
    """The weight of the loss of a part of a batch, such that the weighted losses of all parts sum to the loss of the whole.

    `aggregation` is that of the loss's options; if it is "group", no group may be split.
    """
    return float(num_units(part, aggregation) / num_units(full, aggregation).clamp(min=1))


def tis_weight_T(batch: Batch, options: LossOptions) -> Tensor:
    """Bounded importance weights old / rollout, which correct for differences between engine and trainer; 1 without bounds."""
    if not options.uses_tis:
        return batch.old_logprobs_T.new_ones(len(batch.old_logprobs_T))
    ratio_T = _tis_ratio_T(batch, options)
    if options.tis_mode == "mask":
        return ratio_T.where(~_out_of_bounds(ratio_T, options), 0.0)
    return ratio_T.clamp(min=options.tis_floor, max=options.tis_cap)


def _tis_ratio_T(batch: Batch, options: LossOptions) -> Tensor:
    log_ratio = log_ratio_T(batch.old_logprobs_T, batch.rollout_logprobs_T, batch).detach()
    if options.tis_level != "token":
        log_ratio_N = sum_N(log_ratio, batch) if options.tis_level == "sequence" else mean_N(log_ratio, batch)
        log_ratio = log_ratio_N[batch.rollout_T].clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO)
    return log_ratio.exp()


def _out_of_bounds(ratio_T: Tensor, options: LossOptions) -> Tensor:
    outside_T = ratio_T > options.tis_cap if options.tis_cap is not None else ratio_T < 0
    return outside_T if options.tis_floor is None else outside_T | (ratio_T < options.tis_floor)


def tis_metrics(batch: Batch, options: LossOptions) -> dict[str, Tensor]:
    """The fraction of tokens whose importance weight lies beyond a bound."""
    if not options.uses_tis:
        return {}
    return {"tis_capped": fraction_of(_out_of_bounds(_tis_ratio_T(batch, options), options), batch)}


def fraction_of(selected_T: Tensor, batch: Batch) -> Tensor:
    """The fraction of the used tokens that are selected."""
    used = used_T(batch)
    return (selected_T & used).sum() / used.sum().clamp(min=1)


def ratio_metrics(log_ratio: Tensor, clipped_T: Tensor, batch: Batch) -> dict[str, Tensor]:
    """Metrics of a loss with ratios: the fraction of clipped tokens, in all and by side, the mean ratio, and the KL divergence old || new (k3)."""
    log_ratio = log_ratio.detach()
    count = used_T(batch).sum().clamp(min=1)
    return {
        "clip_fraction": fraction_of(clipped_T, batch),
        "clip_fraction_low": fraction_of(clipped_T & (log_ratio < 0), batch),
        "clip_fraction_high": fraction_of(clipped_T & (log_ratio > 0), batch),
        "ratio": log_ratio.exp().where(used_T(batch), 0.0).sum() / count,
        "approx_kl": (log_ratio.exp() - 1 - log_ratio).where(used_T(batch), 0.0).sum() / count,
    }
