"""The loss of a value head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.axes import used_T
from rlgym.train.losses.common import LossOptions, averaged, share_of

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.losses.common import Loss


class ValueOptions(LossOptions):
    """Options of `value_loss`."""

    clip: float | None = Field(0.2, gt=0, le=100, description="how far an estimate may move in one update; None leaves it free")


def value_loss(new_T: Tensor, batch: Batch, return_T: Tensor, options: ValueOptions) -> Loss:
    """Half the squared error of the value head's new estimates, the larger of free and clipped. From "PPO"."""
    used = used_T(batch)
    new_T = new_T.where(used, 0.0)
    error_T = (new_T - return_T).square()
    bound_T = error_T
    if options.clip is not None and batch.value_T is not None:
        old_T = batch.value_T.where(used, 0.0)
        bound_T = (old_T + (new_T - old_T).clamp(-options.clip, options.clip) - return_T).square()
    loss = averaged(0.5 * error_T.maximum(bound_T), batch, options)
    return loss, {"value_clipped": share_of(bound_T > error_T, batch)}
