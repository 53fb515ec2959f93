"""Failures of groups: responses or calls that differ only in what must not change the reward."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from rlgym.audit.case import Case, Verdict
from rlgym.audit.measures.verdicts import Scale, Scored, failure
from rlgym.audit.report import Failure


def groups(scored: Scored, *checks: str) -> list[Scored]:
    """The cases of some checks by their group."""
    found: dict[tuple[str, str], list[tuple[Case, Verdict]]] = defaultdict(list)
    for case, verdict in scored:
        if case.check in checks and case.group:
            found[case.check, case.group].append((case, verdict))
    return list(found.values())


def inconsistent(grouped: Sequence[Scored], scale: Scale) -> list[Failure]:
    """Groups in which some responses are accepted and others are not; the failure is a response of the minority."""
    found = []
    for group in grouped:
        accepted = [scale.accepted(verdict) for _, verdict in group]
        if len(set(accepted)) > 1:
            rare = sum(accepted) * 2 <= len(accepted)
            case, verdict = group[accepted.index(rare)]
            kind = "accepted" if rare else "rejected"
            found.append(
                failure(case, verdict, f"{accepted.count(rare)} of {len(group)} responses with this answer are {kind}", "consistency")
            )
    return found


def unequal_rewards(grouped: Sequence[Scored], check: str, what: str) -> list[Failure]:
    """Groups whose rewards differ; the failure is the response with the highest reward."""
    found = []
    for group in grouped:
        rewards = [verdict.reward for _, verdict in group if verdict.reward is not None and math.isfinite(verdict.reward)]
        if rewards and max(rewards) - min(rewards) > 1e-9:
            case, verdict = next((case, verdict) for case, verdict in group if verdict.reward == max(rewards))
            found.append(failure(case, verdict, f"rewards from {min(rewards):g} to {max(rewards):g} {what}", check))
    return found


def changed(cases: Sequence[Case], first: Sequence[Verdict], second: Sequence[Verdict], check: str, where: str) -> list[Failure]:
    """Cases whose reward in a second call is another one. Calls that timed out are left out."""
    found = []
    for case, one, other in zip(cases, first, second, strict=True):
        if not one.timed_out and not other.timed_out and not _equal_or_nan(one.reward, other.reward):
            found.append(failure(case, other, f"{_render_verdict(one)} before, {_render_verdict(other)} {where}", check))
    return found


def _equal_or_nan(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or (math.isnan(one) and math.isnan(other))


def _render_verdict(verdict: Verdict) -> str:
    return verdict.error if verdict.reward is None else f"{verdict.reward:g}"


def inversions(grouped: Sequence[Scored]) -> list[Failure]:
    """Wrong responses that earn more than a right one to the same task."""
    found = []
    for group in grouped:
        paid = [verdict.reward for case, verdict in group if case.right and verdict.reward is not None]
        for case, verdict in group:
            if paid and not case.right and verdict.reward is not None and verdict.reward > min(paid):
                detail = f"a failure earns {verdict.reward:g}, and a success on the same task {min(paid):g}"
                found.append(failure(case, verdict, detail, "recorded_order"))
    return found
