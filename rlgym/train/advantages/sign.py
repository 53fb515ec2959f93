"""Advantages that look at one rollout alone, and at no group to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.axes import rewards_N, to_tokens
from rlgym.train.choices import Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


class SignOptions(Options):
    """Options of `psr` and `nsr`."""

    right_from: float = Field(0.5, ge=-100, le=100, description="rewards from here on count as right")


class WeightedSignOptions(SignOptions):
    """Options of `w_reinforce`."""

    right_weight: float = Field(0.1, ge=0, le=10, description="what a right rollout is worth; a wrong one is worth -1")


class SignedOptions(SignOptions):
    """Options of `signed`."""

    baseline: float = Field(0.0, gt=-1, lt=1, description="taken off +1 and -1; below 0 right rollouts weigh more, above 0 wrong ones")


class RewardOptions(Options):
    """Options of `reinforce`."""

    baseline: float = Field(0.0, ge=-100, le=100, description="taken off every reward")


def right_N(batch: Batch, options: SignOptions) -> Tensor:
    """bool: the rollouts that count as right."""
    return rewards_N(batch) >= options.right_from


def psr(batch: Batch, options: SignOptions) -> Tensor:
    """1 where right, else 0: only successes are reinforced."""
    return to_tokens(right_N(batch, options).float(), batch)


def nsr(batch: Batch, options: SignOptions) -> Tensor:
    """-1 where wrong, else 0: only failures are pushed down, and their probability goes to all the rest."""
    return to_tokens(right_N(batch, options).float() - 1, batch)


def w_reinforce(batch: Batch, options: WeightedSignOptions) -> Tensor:
    """`right_weight` where right, -1 where wrong."""
    right = right_N(batch, options).float()
    return to_tokens(options.right_weight * right - (1 - right), batch)


def signed(batch: Batch, options: SignedOptions) -> Tensor:
    """+1 where right and -1 where wrong, less the baseline."""
    return to_tokens(2 * right_N(batch, options).float() - 1 - options.baseline, batch)


def reinforce(batch: Batch, options: RewardOptions) -> Tensor:
    """The reward as it is, less a fixed baseline."""
    return to_tokens(rewards_N(batch) - options.baseline, batch)
