"""Correction of rewards for a verifier with known error rates: false positives reward wrong answers, false negatives miss right ones.

From "Reinforcement Learning with Verifiable yet Noisy Rewards under Imperfect Verifiers". Rates are numbers, or tensors over
N if they differ between tasks.

Both corrections are affine maps of the reward. An advantage that divides by the group's standard deviation undoes any such map
that is the same for a whole group, so use the backward correction with `dr_grpo` or `rloo`, or the forward correction with `reinforce`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlgym.train.registry import OptionError

if TYPE_CHECKING:
    from torch import Tensor


def backward_correction(reward_N: Tensor, false_positive: float | Tensor, false_negative: float | Tensor) -> Tensor:
    """(r - false_positive) / (1 - false_positive - false_negative): its expectation over the verifier's errors is the true reward."""
    scale = 1 - _checked_rate(reward_N, false_positive) - _checked_rate(reward_N, false_negative)
    if bool((scale <= 0).any()):
        raise OptionError(
            f"a verifier whose error rates sum to 1 or more carries no information: got false_positive={false_positive}, "
            f"false_negative={false_negative}"
        )
    return (reward_N.float() - _checked_rate(reward_N, false_positive)) / scale


def forward_correction(reward_N: Tensor, false_negative: float | Tensor) -> Tensor:
    """Weights of the score function: false_negative for r = 1, false_negative - 1 for r = 0, linear in between.

    Their expectation given the true reward is (1 - false_positive - false_negative)(true - 1): the clean update, scaled, without
    knowledge of the false positive rate.
    """
    return reward_N.float() - 1 + _checked_rate(reward_N, false_negative)


def false_negative_rate(overturned: int, rechecked: int, refused: int, accepted: int) -> float:
    """The false negative rate, estimated by an appeal: of `refused` rollouts, `rechecked` were scored again, and `overturned` were right.

    Right and refused over all right ones; accepted rollouts are assumed to be right.
    """
    if not 0 <= overturned <= rechecked <= refused or accepted < 0:
        raise OptionError(f"need 0 <= overturned <= rechecked <= refused, got {overturned=}, {rechecked=}, {refused=}, {accepted=}")
    missed = overturned * refused / rechecked if rechecked else 0.0
    return missed / (missed + accepted) if missed + accepted else 0.0


def _checked_rate(reward_N: Tensor, rate: float | Tensor) -> Tensor:
    rate_N = reward_N.float() * 0 + rate
    if bool(((rate_N < 0) | (rate_N > 1)).any()):
        raise OptionError(f"rates must be from 0 to 1, got {rate}")
    return rate_N
