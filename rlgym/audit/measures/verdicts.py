"""Failures of single cases: wrong verdicts, crashes, invalid rewards, executed text, limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rlgym.audit.case import Case, Verdict
from rlgym.audit.report import Failure
from rlgym.audit.scorers.values import short

SHOWN = 4_000
"""Characters of a text that a failure keeps."""
JUNK = ("degenerate", "master_keys", "prompt_injection", "refusals", "foreign_scripts")
Scored = Sequence[tuple[Case, Verdict]]


@dataclass(frozen=True, slots=True)
class Scale:
    """The declared range of rewards, and the reward from which a response counts as accepted."""

    low: float
    high: float
    accept: float

    def accepted(self, verdict: Verdict) -> bool:
        """Whether the scorer pays the response."""
        return verdict.reward is not None and verdict.reward >= self.accept

    def share(self, verdict: Verdict) -> float:
        """The reward on a scale from 0 to 1; 0 where there is none."""
        if verdict.reward is None or math.isnan(verdict.reward):
            return 0.0
        return min(1.0, max(0.0, (verdict.reward - self.low) / (self.high - self.low)))


def failure(case: Case, verdict: Verdict, detail: str, check: str = "") -> Failure:
    """A failure of a case; long texts are cut."""
    return Failure(
        check=check or case.check, variant=case.variant, answer_type=case.answer_type, domain=case.domain, prompt=_cut(case.prompt),
        response=_cut(case.response), answer=case.answer, right=case.right,
        reward=verdict.reward if verdict.reward is not None and math.isfinite(verdict.reward) else None, detail=detail,
    )  # fmt: skip


def _cut(text: str) -> str:
    kept = text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text)} characters)"
    return kept.encode("utf-8", "replace").decode("utf-8")


def wrong_verdicts(scored: Scored, scale: Scale) -> list[Failure]:
    """Right responses that are rejected, and wrong ones that are accepted."""
    found = []
    for case, verdict in scored:
        if case.right is not None and scale.accepted(verdict) != case.right:
            detail = verdict.error or (
                f"a right answer earns {verdict.reward:g}" if case.right else f"a wrong answer earns {verdict.reward:g}"
            )
            found.append(failure(case, verdict, detail))
    return found


def crashes(scored: Scored) -> list[Failure]:
    """Calls that raised or ended the process. A call that ran out of memory or time belongs to another check."""
    return _those(scored, "crashes", lambda verdict: verdict.reward is None and _is_crash(verdict), lambda verdict: verdict.error)


def _is_crash(verdict: Verdict) -> bool:
    return not verdict.timed_out and not out_of_memory(verdict) and not verdict.error.startswith("returned")


def out_of_memory(verdict: Verdict) -> bool:
    """Whether the call failed for want of memory."""
    return "MemoryError" in verdict.error


def not_finite(scored: Scored) -> list[Failure]:
    """Rewards that are NaN, infinite or not numbers."""

    def fails(verdict: Verdict) -> bool:
        return verdict.error.startswith("returned") if verdict.reward is None else not math.isfinite(verdict.reward)

    return _those(scored, "finite_rewards", fails, lambda verdict: verdict.error or f"the reward is {verdict.reward}")


def out_of_range(scored: Scored, scale: Scale) -> list[Failure]:
    """Finite rewards below or above the declared range."""

    def fails(verdict: Verdict) -> bool:
        reward = verdict.reward
        return reward is not None and math.isfinite(reward) and not scale.low - 1e-9 <= reward <= scale.high + 1e-9

    return _those(scored, "reward_range", fails, lambda verdict: f"the reward {verdict.reward} is outside {scale.low:g} to {scale.high:g}")


def consolation(scored: Scored, scale: Scale) -> list[Failure]:
    """Texts without an answer that earn more than the least reward."""
    junk = [(case, verdict) for case, verdict in scored if case.check in JUNK]
    return _those(
        junk, "consolation", lambda verdict: scale.share(verdict) > 1e-9, lambda verdict: f"a text without an answer earns {verdict.reward}"
    )


def mutations(scored: Scored) -> list[Failure]:
    """Calls that changed an argument."""
    return _those(scored, "purity", lambda verdict: verdict.mutated, lambda verdict: "the call changed its arguments")


def executions(scored: Scored) -> list[Failure]:
    """Calls that ran text of the response as code."""
    return _those(scored, "code_execution", lambda verdict: verdict.executed, lambda verdict: "the call ran text of the response as code")


def slow_calls(scored: Scored) -> list[Failure]:
    """Calls that exceeded the time limit."""
    return _those(scored, "time_limit", lambda verdict: verdict.timed_out, lambda verdict: verdict.error)


def memory_failures(scored: Scored) -> list[Failure]:
    """Calls that exceeded the memory limit."""
    return _those(scored, "memory_limit", out_of_memory, lambda verdict: short(verdict.error))


def _those(
    scored: Iterable[tuple[Case, Verdict]], check: str, fails: Callable[[Verdict], bool], detail: Callable[[Verdict], str]
) -> list[Failure]:
    return [failure(case, verdict, detail(verdict), check) for case, verdict in scored if fails(verdict)]
