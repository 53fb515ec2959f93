"""Explanations lead to the answer; hints and feedback do not reveal it."""

from __future__ import annotations

from typing import Any, get_args

from rlgym.core.task import Task
from rlgym.episode.hints import Tier, concept_of, hint_from, holds
from rlgym.episode.play import feedback, start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject

TASKS = Samples(least=1, standard=2, certificate=8)
LONG_ENOUGH = 4  # shorter answers occur in any text by chance
MISTAKES = Samples(least=4, standard=4, certificate=4, programs=2)  # whose feedback is read


def explanations_and_hints(subject: Subject, effort: Effort) -> Finding:
    """An explanation ends with the answer; hints below the last tier, and feedback, never contain it."""
    finding, explained = Finding(), 0
    finding.require(bool(subject.declared.concept), "there is no `concept`, the idea given as the first hint")
    for seed, level in subject.sample(TASKS, effort):
        task, location = subject.task(seed, level), f"seed {seed} level {level}"
        answer = subject.declared.answer.render(subject.right(task))
        steps: list[Any] = []
        if subject.declared.explain is not None:
            explained += 1
            steps = subject.explanation(task)
            _require_conclusion(steps, answer, finding, location)
        if len(answer) >= LONG_ENOUGH and not holds(task.prompt, answer):
            _require_no_leak(subject, task, steps, answer, MISTAKES.at(effort, subject.runs_programs), finding, location)
    finding.measured = {"explains": subject.declared.explain is not None, "explained": explained}
    return finding


def _require_conclusion(steps: list[Any], answer: str, finding: Finding, location: str) -> None:
    complete = bool(steps) and all(isinstance(step, str) and step.strip() for step in steps)
    if finding.require(complete, f"the explanation has empty steps, {location}"):
        finding.require(answer in steps[-1], f"the explanation does not end with the answer {answer!r:.60}, {location}")


def _require_no_leak(
    subject: Subject, task: Task[Any], steps: list[Any], answer: str, mistakes: int, finding: Finding, location: str
) -> None:
    position, concept = start_episode(subject.declared, task, "tag"), concept_of(subject.declared)
    for tier in get_args(Tier)[:-1]:
        finding.require(not holds(hint_from(steps, answer, concept, tier), answer), f"the hint {tier!r} contains the answer, {location}")
    if subject.single is None:
        return
    for mistake in subject.mistakes(position)[:mistakes]:
        shown = feedback(subject.score(task, subject.write(mistake)))
        answer_text = subject.declared.answer.render(mistake)
        finding.require(
            holds(answer_text, answer) or not holds(shown, answer), f"the feedback contains the answer, {location}: {shown!r:.80}"
        )
