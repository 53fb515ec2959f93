"""What the losses share: ratios that cannot overflow, ways to average, and weights for what the sampler saw differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym.train.axes import length_N, mean_N, used_T
from rlgym.train.choices import Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch

    Loss = tuple[Tensor, dict[str, Tensor]]

FARTHEST = 20.0
"""Logarithms of ratios are cut at this, so that none is infinite; a ratio that far off tells nothing more."""

Average = Literal["token", "rollout", "constant"]


class LossOptions(Options):
    """What every loss over tokens takes.

    average "token" divides by the tokens of the batch (DAPO); "rollout" averages over the tokens of a rollout, then over
    rollouts (GRPO); "constant" divides a rollout's sum by a fixed number of tokens, then averages over rollouts (Dr. GRPO).
    """

    average: Average = Field("token", description="token, rollout or constant")
    constant: int = Field(1024, ge=1, description="tokens that a rollout's sum is divided by when average is constant")
    mismatch_cap: float | None = Field(
        None, gt=0, le=100, description="most weight of a token for old / sampled probability; None leaves the correction out"
    )


def kept(new_T: Tensor, batch: Batch) -> Tensor:
    """The log-probabilities with 0 at tokens that carry no loss, so that no gradient reaches those, whatever they are."""
    return new_T.where(used_T(batch), 0.0)


def log_ratio_T(new_T: Tensor, old_T: Tensor, batch: Batch) -> Tensor:
    """log(new / old), 0 at unused tokens, cut at +-FARTHEST."""
    return (kept(new_T, batch) - kept(old_T, batch)).clamp(-FARTHEST, FARTHEST)


def averaged(loss_T: Tensor, batch: Batch, options: LossOptions) -> Tensor:
    """The mean of a loss over used tokens, by the chosen way; 0 where there is none."""
    return _total(loss_T, batch, options) / units(batch, options.average).clamp(min=1)


def _total(loss_T: Tensor, batch: Batch, options: LossOptions) -> Tensor:
    if options.average == "rollout":
        return mean_N(loss_T, batch).sum()
    total = loss_T.where(used_T(batch), 0.0).sum()
    return total / options.constant if options.average == "constant" else total


def units(batch: Batch, average: str) -> Tensor:
    """How many tokens, rollouts or groups that carry loss a batch has: what the loss is an average over."""
    if average == "token":
        return used_T(batch).sum()
    counted_N = length_N(batch) > 0
    if average == "group":
        return batch.group_N.new_tensor(batch.group_N[counted_N].unique().numel())
    return counted_N.sum()


def share(part: Batch, whole: Batch, average: str) -> float:
    """What to multiply the loss of a part with, so that the parts of a batch add up to the loss of the whole.

    `average` is that of the loss's options; where it is "group", no group may be split.
    """
    return float(units(part, average) / units(whole, average).clamp(min=1))


def mismatch_T(batch: Batch, cap: float | None) -> Tensor:
    """min(old / sampled, cap): corrects for a sampler whose probabilities are not the trainer's; 1 everywhere without a cap."""
    if cap is None:
        return batch.old_T.new_ones(len(batch.old_T))
    return log_ratio_T(batch.old_T, batch.sampled_T, batch).exp().clamp(max=cap).detach()


def share_of(chosen_T: Tensor, batch: Batch) -> Tensor:
    """The share of the used tokens that are chosen."""
    used = used_T(batch)
    return (chosen_T & used).sum() / used.sum().clamp(min=1)


def told(log_ratio: Tensor, clipped_T: Tensor, batch: Batch) -> dict[str, Tensor]:
    """Metrics of a loss with ratios: the share of clipped tokens, the mean ratio, and the divergence old || new (k3)."""
    seen = log_ratio.detach()
    count = used_T(batch).sum().clamp(min=1)
    return {
        "clipped": share_of(clipped_T, batch),
        "ratio": seen.exp().where(used_T(batch), 0.0).sum() / count,
        "old_kl": (seen.exp() - 1 - seen).where(used_T(batch), 0.0).sum() / count,
    }
