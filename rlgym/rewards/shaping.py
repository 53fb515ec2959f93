"""Small reward shapings that no wrong answer can profit from."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

from rlgym.core.errors import KnobError
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome, Score

RewardShaping = Callable[[Score, str], float]

CONFIDENCE_INSTRUCTIONS = (
    "Before the final answer, say how likely it is to be right as <confidence>p</confidence>, p being a number from 0 to 1."
)
"""What a prompt must add to the task for `brier_penalty` to be meaningful."""


def format_bonus(amount: float = 0.05) -> RewardShaping:
    """Adds `amount` to a wrong answer that was at least readable, so that a model learns the format before the task.

    The bonus is at most 0.1, so a right answer is always worth far more. Remove it once the model has learned the format.
    """
    if not 0 <= amount <= 0.1:
        raise KnobError(f"amount must be from 0 to 0.1, got {amount!r}")
    return lambda score, response: amount if score.outcome in (Outcome.WRONG, Outcome.PARTIAL) else 0.0


def length_penalty(free_characters: int, max_characters: int, amount: float = 0.2) -> RewardShaping:
    """Subtracts up to `amount` from a right answer whose response is longer than `free_characters`.

    The penalty grows linearly and reaches `amount` at `max_characters`. Wrong answers pay nothing, and right answers lose at most half
    of their reward, so a short wrong answer gains nothing.
    """
    if not (0 <= free_characters < max_characters and 0 <= amount <= 0.5):
        raise KnobError(
            f"need 0 <= free_characters < max_characters and amount from 0 to 0.5, got {free_characters=}, {max_characters=}, {amount=}"
        )

    def shape(score: Score, response: str) -> float:
        over = min(1.0, max(0.0, (len(response) - free_characters) / (max_characters - free_characters)))
        return -amount * over if score.outcome is Outcome.RIGHT else 0.0

    return shape


def reward_noise(false_positive: float, false_negative: float, seed: int = 0) -> RewardShaping:
    """Rewards wrong answers and denies the reward to right ones at these rates, to study noisy verifiers.

    Each call draws for itself, so equal responses err independently; the seed and the order of the calls determine the noise.
    """
    for rate in (false_positive, false_negative):
        if not 0 <= rate <= 1:
            raise KnobError(f"rates must be from 0 to 1, got {rate!r}")

    calls = count()

    def shape(score: Score, response: str) -> float:
        right = score.outcome is Outcome.RIGHT
        flipped = Rng("noisy", seed, next(calls)).chance(false_negative if right else false_positive)
        return (-score.value if right else 1.0 - score.value) if flipped else 0.0

    return shape


def brier_penalty(amount: float = 1.0) -> RewardShaping:
    """Subtracts `amount` times (confidence - value)^2: stating the true probability of being right maximises the reward.

    The confidence is the last <confidence>p</confidence> of the response; `CONFIDENCE_INSTRUCTIONS` requests it. An answer without a
    readable confidence loses the whole amount. A right answer with any confidence earns at least as much as a wrong answer with any
    confidence. From "Beyond Binary Rewards: Training LMs to Reason About Their Uncertainty".
    """
    if not 0 < amount <= 1:
        raise KnobError(f"amount must be above 0 and at most 1, got {amount!r}")

    def shape(score: Score, response: str) -> float:
        stated = stated_confidence(response)
        return -amount * (1.0 if stated is None else (stated - score.value) ** 2)

    return shape


def stated_confidence(response: str) -> float | None:
    """The last confidence that a response states, from 0 to 1; None where it states none, or no such number."""
    stated = re.findall(r"<confidence>(.*?)</confidence>", response, re.DOTALL)
    if not stated or not re.fullmatch(r"(0?\.\d+|[01](\.0*)?)", stated[-1].strip(), re.ASCII):
        return None
    return float(stated[-1])
