"""Staying near a reference policy: estimates of KL(policy || reference) from sampled tokens, as a penalty in the loss.

With d = log(policy / reference) of a token the policy sampled:

k1  d                unbiased, and may be negative; as a loss on fresh samples its gradient is 0 on average, so that it
                     belongs in the reward (`reinforce_pp`)
k2  d^2 / 2          biased as a number; its gradient on fresh samples is that of the divergence
k3  e^-d - 1 + d     unbiased and never negative; its gradient is that of KL(reference || policy)

From "Approximating KL Divergence" (J. Schulman); the gradients are worked out in `docs/train/kl-and-entropy.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym.train.choices import OptionError
from rlgym.train.losses.common import LossOptions, averaged, log_ratio_T

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.losses.common import Loss


class KlOptions(LossOptions):
    """Options of `kl_penalty`."""

    kind: Literal["k1", "k2", "k3"] = Field("k3", description="which estimate")
    weight: float = Field(0.001, ge=0, le=10, description="beta: what the estimate is multiplied by")


def kl_T(new_T: Tensor, batch: Batch, kind: Literal["k1", "k2", "k3"]) -> Tensor:
    """The estimate at each used token, in nats; 0 elsewhere."""
    if batch.reference_T is None:
        raise OptionError("the divergence needs a reference policy and this batch has no reference_T: set a reference model, or kl to 0")
    apart_T = log_ratio_T(new_T, batch.reference_T, batch)
    if kind == "k1":
        return apart_T
    return apart_T.square() / 2 if kind == "k2" else (-apart_T).exp() - 1 + apart_T


def kl_penalty(new_T: Tensor, batch: Batch, options: KlOptions) -> Loss:
    """weight times the mean estimate, to be added to a loss; the metric is the estimate itself."""
    mean = averaged(kl_T(new_T, batch, options.kind), batch, options)
    return options.weight * mean, {f"kl_{options.kind}": mean.detach()}
