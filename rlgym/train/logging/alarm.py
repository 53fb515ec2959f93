"""An alarm that compares the paid reward with the true score during a run: it sounds when wrong responses are paid more and more."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean, pstdev

WARMUP = 10
SLACK = 0.03
THRESHOLD = 0.3


@dataclass
class RewardAlarm:
    """A cumulative sum of how far the gap (`reward_gap`: what wrong responses are paid beyond their score) lies above its mean in the first steps.

    warmup     steps whose mean gap is the baseline: a penalty or a bonus that is always there sounds no alarm
    slack      growth of the gap, in a step, that is let pass, beside two standard errors of the baseline
    threshold  sum from which the alarm sounds, and never falls silent again
    """

    warmup: int = WARMUP
    slack: float = SLACK
    threshold: float = THRESHOLD
    first: list[float] = field(default_factory=list)
    total: float = 0.0
    sounded: bool = False

    def update(self, gap: float) -> bool:
        """Add the gap of a step; whether the alarm sounds."""
        if len(self.first) < self.warmup:
            self.first.append(gap)
            return False
        allowed = fmean(self.first) + 2 * pstdev(self.first) / math.sqrt(self.warmup) + self.slack
        self.total = max(0.0, self.total + gap - allowed)
        self.sounded = self.sounded or self.total > self.threshold
        return self.sounded


def alarm_step(gaps: Iterable[float], alarm: RewardAlarm | None = None) -> int | None:
    """The first step, counted from 1, at which the alarm sounds over the gaps of a run; None if it never does."""
    alarm = alarm or RewardAlarm()
    return next((step for step, gap in enumerate(gaps, 1) if alarm.update(gap)), None)


def collapse_step(accuracies: Iterable[float], threshold: float = 0.01) -> int | None:
    """The first step, counted from 1, whose `reward_accuracy` is below the threshold; None if there is none.

    The model collapse step of "How Far Can Unsupervised RLVR Scale LLM Training?": how long a policy learns from its own certainty before what it is
    paid for is almost never right.
    """
    return next((step for step, accuracy in enumerate(accuracies, 1) if accuracy < threshold), None)
