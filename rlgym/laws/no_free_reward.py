"""Only a right answer earns a reward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from rlgym.core.answer import STYLES, Style
from rlgym.core.score import Outcome
from rlgym.core.task import Task
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.junk import junk_responses
from rlgym.laws.subject import Subject, short

TASKS = Samples(least=1, standard=2, certificate=4)
PROGRAMS_STEP = 6
"""At the small efforts, an environment whose verdicts run programs gets every sixth junk response, each environment others."""
TURNS_SHARE = 2
"""At the least effort, an environment of many turns gets every second of the junk responses of a level, each environment others."""
LEVELS_STEP = 3
"""At the least effort, and at `quick` in an environment of many turns, each junk response is given at one of the three levels."""


def no_free_reward(subject: Subject, effort: Effort) -> Finding:
    """Junk earns 0 unless it happens to spell the oracle's own answer."""
    finding, earned = Finding(), []
    for place, (seed, level) in enumerate(subject.sample(TASKS, effort)):
        task = subject.task(seed, level)
        responses = junk_responses(subject, task)
        if effort.is_small and subject.runs_programs:
            responses = responses[crc32(subject.name.encode()) % PROGRAMS_STEP :: PROGRAMS_STEP]
        elif effort is Effort.LEAST or (effort is Effort.QUICK and subject.single is None):
            responses = responses[place::LEVELS_STEP]
            if effort is Effort.LEAST and subject.single is None:
                responses = responses[crc32(subject.name.encode()) % TURNS_SHARE :: TURNS_SHARE]
        earned += _junk_scores(subject, task, responses, f"seed {seed} level {level}", finding)
    finding.measured = {
        "junk_tried": len(earned),
        "junk_paid": sum(value > 0 for value in earned) if finding.broken else 0,
        "junk_paid_in_full": sum(value == 1 for value in earned) if finding.broken else 0,
    }
    return finding


def _junk_scores(subject: Subject, task: Task[Any], responses: Sequence[tuple[str, Style]], location: str, finding: Finding) -> list[float]:
    """The scores of junk responses to one task."""
    values = []
    for response, style in responses:
        score = subject.play(task, lambda _, response=response: response, style).score  # type: ignore[misc]
        values.append(score.value if score else 0.0)
        crashed = score is not None and score.outcome is Outcome.ERROR
        finding.require(not crashed, f"the verifier raises on {short(response)}, {location}: {score and score.reason}")
        # A junk word may happen to be the answer of a small task; the constant_answer measures how often.
        unearned = values[-1] > 0 and not _is_right(subject, task, response)
        finding.require(not unearned, f"{short(response)} earns {values[-1]:g}, {location}")
    return values


def _is_right(subject: Subject, task: Task[Any], response: str) -> bool:
    """Whether a junk response happens to spell the oracle's own answer."""
    right = subject.right(task)
    try:
        for style in STYLES:
            if subject.declared.answer.extract(response, style):
                return bool(subject.declared.answer.parse_response(response, style) == right)
    except ValueError:
        pass
    return False
