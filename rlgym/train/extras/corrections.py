"""Learning from a verifier that errs at known rates: false positives pay wrong answers, false negatives do not pay right ones.

From "Reinforcement Learning with Verifiable yet Noisy Rewards under Imperfect Verifiers". Rates may be numbers, or tensors over
N where they differ between kinds of task.

Both corrections are affine maps of the reward. An advantage that divides by the group's standard deviation undoes any such map
that is the same for a whole group, so correct rewards for `dr_grpo` or `rloo`, or use `forward` as the advantage itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlgym.train.choices import OptionError

if TYPE_CHECKING:
    from torch import Tensor


def backward(reward_N: Tensor, false_positive: float | Tensor, false_negative: float | Tensor) -> Tensor:
    """(r - false_positive) / (1 - false_positive - false_negative): its mean over the verifier's errors is the true reward."""
    left = 1 - _rate(reward_N, false_positive) - _rate(reward_N, false_negative)
    if bool((left <= 0).any()):
        raise OptionError(
            f"a verifier whose error rates add up to 1 or more tells nothing: got false_positive={false_positive}, "
            f"false_negative={false_negative}"
        )
    return (reward_N.float() - _rate(reward_N, false_positive)) / left


def forward(reward_N: Tensor, false_negative: float | Tensor) -> Tensor:
    """Weights of the score function: false_negative where r is 1, false_negative - 1 where r is 0, and between them between.

    Their mean given the true reward is (1 - false_positive - false_negative)(true - 1): the clean update, scaled, without
    knowing the rate of false positives.
    """
    return reward_N.float() - 1 + _rate(reward_N, false_negative)


def false_negative_rate(overturned: int, rechecked: int, refused: int, accepted: int) -> float:
    """The rate estimated by an appeal: of `refused` rollouts, `rechecked` were judged again, and `overturned` were right after all.

    Right ones refused, over all right ones; accepted ones are taken to be right.
    """
    if not 0 <= overturned <= rechecked <= refused or accepted < 0:
        raise OptionError(f"need 0 <= overturned <= rechecked <= refused, got {overturned=}, {rechecked=}, {refused=}, {accepted=}")
    missed = overturned * refused / rechecked if rechecked else 0.0
    return missed / (missed + accepted) if missed + accepted else 0.0


def _rate(reward_N: Tensor, rate: float | Tensor) -> Tensor:
    rate_N = reward_N.float() * 0 + rate
    if bool(((rate_N < 0) | (rate_N > 1)).any()):
        raise OptionError(f"rates must be from 0 to 1, got {rate}")
    return rate_N
