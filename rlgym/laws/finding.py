"""What one law measured on one environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MOST_FAILURES = 5


@dataclass
class Finding:
    """Measured numbers, and the failures that break the law.

    notes        observations that break no law
    not_measured why the law was not run, or empty
    """

    measured: dict[str, Any] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    broken: int = 0
    notes: list[str] = field(default_factory=list)
    not_measured: str = ""

    @property
    def passed(self) -> bool:
        return self.broken == 0

    def require(self, holds: bool, failure: str) -> bool:
        """Record a failure unless the condition holds. Every failure is counted; only the first few keep their message."""
        if not holds:
            self.broken += 1
            if len(self.failures) < MOST_FAILURES:
                self.failures.append(failure)
        return holds

    def to_dict(self) -> dict[str, Any]:
        facts = {"passed": self.passed, "measured": self.measured, "failures": self.failures, "broken": self.broken}
        optional = {"notes": self.notes, "not_measured": self.not_measured}
        return facts | {key: value for key, value in optional.items() if value}
