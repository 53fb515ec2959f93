"""Plausible wrong answers earn nothing."""

from __future__ import annotations

from typing import Any

from rlgym.core.declare import Environment
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Task
from rlgym.episode.play import EpisodeState, start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject

TASKS = Samples(least=2, quick=3, standard=4, certificate=20)
EPISODES = Samples(least=1, standard=4, certificate=20)
"""Tasks of many turns at each level: each mistake is made at every turn of an episode."""


def mistakes_rejected(subject: Subject, effort: Effort) -> Finding:
    """Declared mistakes and near misses of the right answer score 0; where partial credit is declared, below 1."""
    finding, mistakes, near = Finding(), 0, 0
    for seed, level in subject.sample(TASKS if subject.single else EPISODES, effort):
        task, location = subject.task(seed, level), f"seed {seed} level {level}"
        if subject.single is None:
            if level in subject.chosen_levels(effort):
                mistakes += _play_mistakes(subject, task, finding, location)
            continue
        mistakes += _score_mistakes(subject, subject.single, task, finding, location)
        near += _score_near_misses(subject, subject.single, task, finding, location)
    finding.measured = {"mistakes": mistakes, "near_misses": near, "paid": finding.broken}
    return finding


def _score_mistakes(subject: Subject, single: Environment[Any, Any, Any], task: Task[Any], finding: Finding, location: str) -> int:
    """Require that the declared mistakes on a task fail; returns their number."""
    right, wrong = subject.right(task), 0
    for mistake in subject.mistakes(start_episode(single, task, "tag")):
        if mistake == right:
            if not finding.notes:
                finding.notes.append(f"a declared mistake is the right answer and was skipped: {mistake!r:.60}, {location}")
            continue
        score = subject.score(task, subject.write(mistake))
        if score.value == 1.0 and single.answers == "many":
            continue  # another right answer, which the law `completeness` is about
        wrong += 1
        finding.require(
            _fails(score, single.partial), f"the mistake {mistake!r:.60} earns {score.value:g} ({score.outcome.value}), {location}"
        )
    finding.require(wrong > 0, f"there is no mistake that differs from the right answer, {location}")
    return wrong


def _score_near_misses(subject: Subject, single: Environment[Any, Any, Any], task: Task[Any], finding: Finding, location: str) -> int:
    """Require that answers close to the right one fail, where it is the only one; returns their number."""
    right, near = subject.right(task), list(single.answer.near_misses(subject.right(task)))
    for other in near:
        score = subject.score(task, subject.write(other))
        paid = score.value == 1.0 and single.answers != "many" and other != right
        finding.require(
            score.outcome is not Outcome.ERROR and not paid,
            f"the near miss {other!r:.60} of {right!r:.60} earns {score.value:g}: {score.reason}, {location}",
        )
    return len(near)


def _play_mistakes(subject: Subject, task: Task[Any], finding: Finding, location: str) -> int:
    """Play the k-th mistake at every turn of a game, for every k; such a player must not win."""
    count = len(subject.mistakes(start_episode(subject.declared, task, "tag")))
    finding.require(count > 0, f"there is no mistake, {location}")
    for k in range(count):

        def policy(position: EpisodeState, k: int = k) -> str:
            mistakes = subject.mistakes(position)
            return subject.write(mistakes[min(k, len(mistakes) - 1)]) if mistakes else ""

        score = subject.play(task, policy).score
        finding.require(
            score is not None and _fails(score, subject.declared.partial),
            f"a player who always makes mistake {k} earns {score.value if score else None}, {location}",
        )
    return count


def _fails(score: Score, partial: bool) -> bool:
    return score.outcome is not Outcome.ERROR and (score.value < 1.0 if partial else score.value == 0.0)
