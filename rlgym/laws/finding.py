"""What one law found out about one environment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MOST_FAILURES = 5


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
    """How long one law may take. Its least samples are always taken; more follow while there is time."""

    seconds: float
    started: float = field(default_factory=time.perf_counter)

    def samples(self, least: int, most: int, share: float = 1.0) -> Iterator[int]:
        """0, 1, 2... up to `most`, ending early (but not before `least`) when this share of the time is over."""
        for i in range(most):
            if i >= least and time.perf_counter() - self.started > self.seconds * share:
                return
            yield i
