"""Thresholds on an audit, for a user's continuous integration."""

from __future__ import annotations

from dataclasses import dataclass

from rlgym.audit.report import AuditReport, Rate


@dataclass(frozen=True)
class Thresholds:
    """The most that an audit may measure; None allows anything.

    max_false_negatives  share of right responses that are rejected
    max_false_positives  share of wrong responses that are accepted
    max_gap              paid minus true reward of the best of n responses
    max_seconds          the slowest call
    checks               names of checks that must pass
    strict               whether every check must pass
    """

    max_false_negatives: float | None = None
    max_false_positives: float | None = None
    max_gap: float | None = None
    max_seconds: float | None = None
    checks: tuple[str, ...] = ()
    strict: bool = False

    def exceeded(self, report: AuditReport) -> list[str]:
        """One line for each threshold that the report exceeds."""
        lines = _rate("false negatives", report.false_negatives, self.max_false_negatives)
        lines += _rate("false positives", report.false_positives, self.max_false_positives)
        gap = max((point.paid - point.true for point in report.best_of_n), default=0.0)
        if self.max_gap is not None and gap > self.max_gap:
            lines.append(f"the paid reward exceeds the true one by {gap:.3f}, more than {self.max_gap:g}")
        if self.max_seconds is not None and report.cost and report.cost.slowest_seconds > self.max_seconds:
            lines.append(f"the slowest call takes {report.cost.slowest_seconds:g} s, more than {self.max_seconds:g} s")
        required = set(report.failed) if self.strict else set(self.checks) & set(report.failed)
        return lines + [f"the check {name} fails" for name in report.failed if name in required]


def _rate(name: str, rate: Rate, most: float | None) -> list[str]:
    if most is None or rate.mean is None or rate.mean <= most:
        return []
    return [f"{rate.mean:.2%} {name}, more than {most:.2%}"]
