"""The loss of the value head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses.common import LossOptions, aggregate, fraction_of

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss


class ValueOptions(LossOptions):
    """Options of `value_loss`."""

    clip_range: float | None = Field(0.2, gt=0, le=100, description="largest change of an estimate in one update; None for no limit")


def value_loss(new_value_T: Tensor, batch: Batch, return_T: Tensor, options: ValueOptions) -> Loss:
    """Half the squared error of the new estimates, the larger of unclipped and clipped. From "PPO"."""
    used = used_T(batch)
    new_value_T = new_value_T.where(used, 0.0)
    error_T = (new_value_T - return_T).square()
    clipped_error_T = error_T
    if options.clip_range is not None and batch.value_T is not None:
        old_value_T = batch.value_T.where(used, 0.0)
        clipped_error_T = (old_value_T + (new_value_T - old_value_T).clamp(-options.clip_range, options.clip_range) - return_T).square()
    loss = aggregate(0.5 * error_T.maximum(clipped_error_T), batch, options)
    return loss, {"value_clip_fraction": fraction_of(clipped_error_T > error_T, batch)}
