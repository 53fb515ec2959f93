"""Every equivalent spelling of a right answer is accepted."""

from __future__ import annotations

from typing import Any

from rlgym.core.answer import Answer, Unreadable, wrap
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject, short

TASKS = Samples(least=3, standard=3, certificate=12)


def equivalent_spellings(subject: Subject, effort: Effort) -> Finding:
    """Every variant that the answer format writes of a right answer is parsed as that answer, and scores 1."""
    finding, tried, answer = Finding(), 0, subject.declared.answer
    for seed, level in subject.sample(TASKS, effort):
        task = subject.task(seed, level)
        right = subject.right(task)
        for text in answer.variants(right):
            tried += 1
            response = text if type(answer).extract is not Answer.extract else wrap(text, "tag")
            location = f"seed {seed} level {level}: the spelling {short(text)} of {right!r:.60}"
            if subject.single:
                score = subject.score(task, response)
                finding.require(score.value == 1.0, f"{location} is rejected: {score.reason}")
            else:
                _require_parsed(finding, answer, response, right, location)
    finding.measured = {"spellings": tried, "accepted": 1 - finding.broken / max(tried, 1)}
    return finding


def _require_parsed(finding: Finding, answer: Answer[Any], response: str, right: Any, location: str) -> None:
    try:
        read = answer.parse_response(response, "tag")
    except Unreadable as why:
        finding.require(False, f"{location} cannot be parsed: {why}")
    else:
        finding.require(read == right, f"{location} is parsed as {read!r:.60}")
