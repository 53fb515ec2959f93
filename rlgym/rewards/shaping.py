"""Small shapings that no wrong answer can profit from."""

from __future__ import annotations

import re
from collections.abc import Callable

from rlgym.core.errors import KnobError
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome, Score

Shape = Callable[[Score, str], float]

ASK_CONFIDENCE = "Before the final answer, say how likely it is to be right as <confidence>p</confidence>, p being a number from 0 to 1."
"""What a prompt must say beside the task for `with_confidence` to mean anything."""


def readable_bonus(amount: float = 0.05) -> Shape:
    """Adds `amount` to a wrong answer that was at least readable, so that a format is learned before the task is.

    Kept below a tenth, so that a right answer is always worth far more. Leave it out once the format is learned.
    """
    if not 0 <= amount <= 0.1:
        raise KnobError(f"amount must be from 0 to 0.1, got {amount!r}")
    return lambda score, response: amount if score.outcome in (Outcome.WRONG, Outcome.PARTIAL) else 0.0


def length_penalty(free: int, most: int, amount: float = 0.2) -> Shape:
    """Takes up to `amount` from a right answer whose response is longer than `free` characters, all of it from `most` on.

    Only right answers pay, and never with more than half of what they earned: a short wrong answer gains nothing.
    """
    if not (0 <= free < most and 0 <= amount <= 0.5):
        raise KnobError(f"need 0 <= free < most and amount from 0 to 0.5, got free={free!r}, most={most!r}, amount={amount!r}")

    def shape(score: Score, response: str) -> float:
        over = min(1.0, max(0.0, (len(response) - free) / (most - free)))
        return -amount * over if score.outcome is Outcome.RIGHT else 0.0

    return shape


def noisy(false_positive: float, false_negative: float, seed: int = 0) -> Shape:
    """Turns wrong answers into paid ones and right into unpaid ones at these rates, to study noisy verifiers.

    The draw depends on the seed and the response alone, so that the same response is always judged alike.
    """
    for rate in (false_positive, false_negative):
        if not 0 <= rate <= 1:
            raise KnobError(f"rates must be from 0 to 1, got {rate!r}")

    def shape(score: Score, response: str) -> float:
        right = score.outcome is Outcome.RIGHT
        flipped = Rng("noisy", seed, response).chance(false_negative if right else false_positive)
        return (-score.value if right else 1.0 - score.value) if flipped else 0.0

    return shape


def with_confidence(amount: float = 1.0) -> Shape:
    """Takes `amount` times (confidence - value)^2 from an answer: stating the true chance of being right pays best.

    The confidence is the last <confidence>p</confidence> of the response; ask for it with `ASK_CONFIDENCE`. An answer without one that
    can be read loses the whole amount, as if it had been as far off as can be. A right answer with any confidence is worth at
    least as much as a wrong one with any. From "Beyond Binary Rewards: Training LMs to Reason About Their Uncertainty".
    """
    if not 0 < amount <= 1:
        raise KnobError(f"amount must be above 0 and at most 1, got {amount!r}")

    def shape(score: Score, response: str) -> float:
        stated = stated_confidence(response)
        return -amount * (1.0 if stated is None else (stated - score.value) ** 2)

    return shape


def stated_confidence(response: str) -> float | None:
    """The last confidence that a response states, from 0 to 1; None where it is no such number, or there is none."""
    said = re.findall(r"<confidence>(.*?)</confidence>", response, re.DOTALL)
    if not said or not re.fullmatch(r"(0?\.\d+|[01](\.0*)?)", said[-1].strip(), re.ASCII):
        return None
    return float(said[-1])
