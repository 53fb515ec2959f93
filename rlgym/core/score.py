"""Scores: how good an answer is, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """The category of a score."""

    RIGHT = "right"
    PARTIAL = "partial"
    WRONG = "wrong"
    UNREADABLE = "unreadable"  # no answer in the requested format, or several that contradict each other
    REFUSED = "refused"  # the answer was parsed but is not allowed: a forbidden statement, an illegal move
    TIMED_OUT = "timed out"  # the answer used up its own work limit
    ERROR = "error"  # not the model's fault: a verifier raised, a sandbox could not start; trainers mask it


LOWER_IS_BETTER = frozenset({"brier", "closed_wrong", "closed_abstained", "open_answered"})
"""Parts of scores of which lower values are better, besides those whose names end with `_error`."""


def lower_is_better(part: str) -> bool:
    """Whether lower values of a part of a score are better; of all others higher ones are."""
    return part in LOWER_IS_BETTER or part.endswith("_error")


@dataclass(frozen=True, slots=True)
class Score:
    """`value` in [0, 1], the outcome, a reason in words, and named parts in [0, 1], of which higher values are better unless `lower_is_better`."""

    value: float
    outcome: Outcome
    reason: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and 0.0 <= self.value <= 1.0):
            raise ValueError(f"a score must be from 0 to 1, got {self.value!r}")
        if (self.value == 1.0) != (self.outcome is Outcome.RIGHT):
            raise ValueError(f"only a right answer scores 1, got value={self.value!r} with outcome={self.outcome.value!r}")

    @classmethod
    def exact(cls, correct: bool, reason: str = "", **parts: float) -> Score:
        """1 or 0. The reason is kept for wrong answers only; it must not give the right answer away."""
        return cls(1.0, Outcome.RIGHT, "", parts) if correct else cls(0.0, Outcome.WRONG, reason, parts)

    @classmethod
    def wrong(cls, reason: str, **parts: float) -> Score:
        """0, and why."""
        return cls(0.0, Outcome.WRONG, reason, parts)

    @classmethod
    def partial(cls, value: float, reason: str = "", **parts: float) -> Score:
        """Real partial credit; the environment must declare `partial=True`."""
        if value >= 1.0:
            return cls(1.0, Outcome.RIGHT, "", parts)
        return cls(value, Outcome.PARTIAL if value > 0 else Outcome.WRONG, reason, parts)

    @classmethod
    def nothing(cls, outcome: Outcome, reason: str) -> Score:
        """0 for an answer that was not scored on its content."""
        return cls(0.0, outcome, reason)

    @property
    def masked(self) -> bool:
        """True where the score says nothing about the model. A trainer must skip the sample."""
        return self.outcome is Outcome.ERROR

    def to_dict(self) -> dict[str, object]:
        """The score as JSON-able data."""
        return {"value": self.value, "outcome": self.outcome.value, "reason": self.reason, "parts": dict(self.parts)}
