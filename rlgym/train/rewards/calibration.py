"""Rewards for an answer with a stated confidence, by a proper scoring rule: stating the true probability is optimal.

From "Beyond Binary Rewards: Training LMs to Reason About Their Uncertainty" (RLCR).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlgym.train.registry import OptionError

if TYPE_CHECKING:
    from torch import Tensor


def brier(right_N: Tensor, confidence_N: Tensor, scaled: bool = True) -> Tensor:
    """right - (confidence - right)^2, from -1 to 1; `scaled` maps it to 0 to 1.

    A right answer with any confidence is worth at least as much as a wrong one with any. The caller decides about unreadable
    confidences; 0 for a wrong and 1 for a right answer would reward leaving them out.
    """
    if bool(((confidence_N < 0) | (confidence_N > 1)).any()):
        raise OptionError("confidences must be from 0 to 1")
    reward_N = right_N.float() - (confidence_N - right_N.float()).square()
    return (reward_N + 1) / 2 if scaled else reward_N


def calibration_error(right_N: Tensor, confidence_N: Tensor, bins: int = 10) -> float:
    """The expected calibration error: |accuracy - mean confidence| over equal bins of confidence, weighted by their size."""
    if not len(right_N):
        return 0.0
    bin_N = (confidence_N * bins).long().clamp(max=bins - 1)
    gap_N = right_N.float() - confidence_N
    return float(gap_N.new_zeros(bins).index_add(0, bin_N, gap_N).abs().sum() / len(right_N))
