"""Rewards for an answer given with a confidence from 0 to 1, by a proper scoring rule: stating the true chance pays best.

From "Beyond Binary Rewards: Training LMs to Reason About Their Uncertainty" (RLCR).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlgym.train.choices import OptionError

if TYPE_CHECKING:
    from torch import Tensor


def brier(right_N: Tensor, confidence_N: Tensor, scaled: bool = True) -> Tensor:
    """right - (confidence - right)^2, from -1 to 1; `scaled` to 0 to 1 by adding 1 and halving.

    A right answer with any confidence is worth at least as much as a wrong one with any. A confidence that could not be read
    is the caller's to judge: 0 for a wrong answer and 1 for a right one would be a gift.
    """
    if bool(((confidence_N < 0) | (confidence_N > 1)).any()):
        raise OptionError("confidences must be from 0 to 1")
    reward_N = right_N.float() - (confidence_N - right_N.float()).square()
    return (reward_N + 1) / 2 if scaled else reward_N


def calibration_error(right_N: Tensor, confidence_N: Tensor, bins: int = 10) -> float:
    """The expected calibration error: |accuracy - mean confidence| over equal bins of confidence, weighed by their size."""
    if not len(right_N):
        return 0.0
    bin_N = (confidence_N * bins).long().clamp(max=bins - 1)
    gap_N = right_N.float() - confidence_N
    return float(gap_N.new_zeros(bins).index_add(0, bin_N, gap_N).abs().sum() / len(right_N))
