"""What one law found out about one environment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MOST_FAILURES = 5
HURRIED = 0.06  # seconds for one law


@dataclass
class Finding:
    """Numbers that were measured, and what broke the law."""

    measured: dict[str, Any] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    broken: int = 0

    @property
    def passed(self) -> bool:
        return self.broken == 0

    def require(self, holds: bool, failure: str) -> bool:
        """Note a failure unless the condition holds; only the first few are kept in words."""
        if not holds:
            self.broken += 1
            if len(self.failures) < MOST_FAILURES:
                self.failures.append(failure)
        return holds

    def to_dict(self) -> dict[str, Any]:
        return {"passed": self.passed, "measured": self.measured, "failures": self.failures, "broken": self.broken}


@dataclass
class Effort:
    """How long one law may take. Its least samples are always taken, a third of them where it may take hardly any time at all; more
    follow while there is time."""

    seconds: float
    started: float = field(default_factory=time.perf_counter)

    @property
    def hurried(self) -> bool:
        """Whether there is hardly any time."""
        return self.seconds < HURRIED

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels that costly laws look at: the lowest, the middle and the highest, in a hurry the middle one."""
        return (0.5,) if self.hurried else (0.0, 0.5, 1.0)

    def samples(self, least: int, most: int, share: float = 1.0) -> Iterator[int]:
        """0, 1, 2... up to `most`, ending early (but not before `least`) when this share of the time is over."""
        if self.hurried:
            least = max(1, least // 3)
        for i in range(most):
            if i >= least and time.perf_counter() - self.started > self.seconds * share:
                return
            yield i
