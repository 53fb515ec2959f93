"""Advantages of a single rollout, without a comparison group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.data.segment_sums import broadcast_to_tokens, rewards_N
from rlgym.train.registry import Options, advantage

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


class SignOptions(Options):
    """Options of `psr` and `nsr`, and base of other options with a success threshold."""

    success_threshold: float = Field(0.5, ge=-100, le=100, description="rewards of at least this count as right")


class WReinforceOptions(SignOptions):
    """Options of `w_reinforce`."""

    positive_weight: float = Field(0.1, ge=0, le=10, description="advantage of a right rollout; a wrong one has -1")


class SignedOptions(SignOptions):
    """Options of `signed`."""

    baseline: float = Field(
        0.0, gt=-1, lt=1, description="subtracted from +1 and -1; below 0 right rollouts weigh more, above 0 wrong ones"
    )


class ReinforceOptions(Options):
    """Options of `reinforce`."""

    baseline: float = Field(0.0, ge=-100, le=100, description="subtracted from every reward")


def right_N(batch: Batch, options: SignOptions) -> Tensor:
    """bool: the rollouts that count as right."""
    return rewards_N(batch) >= options.success_threshold


@advantage("psr", paper="The Surprising Effectiveness of Negative Reinforcement in LLM Reasoning")
def psr(batch: Batch, options: SignOptions) -> Tensor:
    """1 if right, else 0: only successes are reinforced."""
    return broadcast_to_tokens(right_N(batch, options).float(), batch)


@advantage("nsr", paper="The Surprising Effectiveness of Negative Reinforcement in LLM Reasoning")
def nsr(batch: Batch, options: SignOptions) -> Tensor:
    """-1 if wrong, else 0: only failures are penalised, and their probability mass goes to all other responses."""
    return broadcast_to_tokens(right_N(batch, options).float() - 1, batch)


@advantage("w_reinforce", paper="The Surprising Effectiveness of Negative Reinforcement in LLM Reasoning")
def w_reinforce(batch: Batch, options: WReinforceOptions) -> Tensor:
    """`positive_weight` if right, -1 if wrong."""
    right = right_N(batch, options).float()
    return broadcast_to_tokens(options.positive_weight * right - (1 - right), batch)


@advantage("signed", paper="Tapered Off-Policy REINFORCE: Stable and efficient reinforcement learning for LLMs")
def signed(batch: Batch, options: SignedOptions) -> Tensor:
    """+1 if right and -1 if wrong, minus the baseline."""
    return broadcast_to_tokens(2 * right_N(batch, options).float() - 1 - options.baseline, batch)


def effective_positive_share(share: float, baseline: float) -> float:
    """p (1 - c) / (1 + (1 - 2 p) c): the weight of right rollouts in an update with the baseline c, p of the rollouts being right."""
    return share * (1 - baseline) / (1 + (1 - 2 * share) * baseline)


@advantage("reinforce", paper="Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement Learning")
def reinforce(batch: Batch, options: ReinforceOptions) -> Tensor:
    """The reward minus a fixed baseline."""
    return broadcast_to_tokens(rewards_N(batch) - options.baseline, batch)
