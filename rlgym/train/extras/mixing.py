"""Rollouts that another source wrote (an oracle's explanation, a stronger model) in the groups of the policy's own.

Advantages are worked out over the joint group. The policy's own rollouts go through any loss; `mixed` adds the others', by one
of two weights for a token of log-probability log(new):

shaped    f(ratio) = ratio / (ratio + gamma), ratio = new / source, source probability 1 where it is not known. Its gradient is
          large for tokens the policy finds unlikely. From "Learning to Reason under Off-Policy Guidance" (LUFFY).
multiple  ratio 2 new / (source + old), with the advantage multiplied by (1 - new)^focus, held fixed, so that what the policy
          would rarely say counts most. From "RL-PLUS: Countering Capability Boundary Collapse of LLMs in Reinforcement
          Learning with Hybrid-policy Optimization". Not clipped, as there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym.train.axes import used_T
from rlgym.train.losses.common import LossOptions, averaged, kept, log_ratio_T, share

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.losses.common import Loss


class MixOptions(LossOptions):
    """Options of `mixed`; the average is that of the loss for the policy's own rollouts, too."""

    kind: Literal["shaped", "multiple"] = Field("shaped", description="how tokens of other sources are weighed")
    gamma: float = Field(0.1, gt=0, le=10, description="of shaped: the ratio at which a token's weight is half of its most")
    focus: float = Field(2.0, ge=0, le=10, description="of multiple: the power of 1 - new")


def mixed(new_T: Tensor, batch: Batch, advantage_T: Tensor, own_loss: Callable[[Tensor, Batch, Tensor], Loss], options: MixOptions) -> Loss:
    """The loss of the policy's own rollouts and of the others, each weighed by how much of the batch it is."""
    if batch.oracle_N is None:
        return own_loss(new_T, batch, advantage_T)
    own = replace(batch, valid_N=batch.valid_N & ~batch.oracle_N)
    other = replace(batch, valid_N=batch.valid_N & batch.oracle_N)
    loss, metrics = own_loss(new_T, own, advantage_T)
    theirs = averaged(-_gain_T(new_T, other, advantage_T, options), other, options)
    counts = {"oracle_tokens": used_T(other).sum().float(), "oracle_loss": theirs.detach()}
    return loss * share(own, batch, options.average) + theirs * share(other, batch, options.average), metrics | counts


def _gain_T(new_T: Tensor, other: Batch, advantage_T: Tensor, options: MixOptions) -> Tensor:
    if options.kind == "shaped":
        ratio_T = log_ratio_T(new_T, other.sampled_T, other).exp()
        return ratio_T / (ratio_T + options.gamma) * advantage_T
    # The mean of both sources' probabilities, by logarithms: both may be too small for a number.
    sources_T = kept(other.sampled_T, other).logaddexp(kept(other.old_T, other)) - log(2)
    rarity_T = (1 - kept(new_T, other).detach().exp()).clamp(min=0).pow(options.focus)
    return log_ratio_T(new_T, sources_T, other).exp() * rarity_T * advantage_T
