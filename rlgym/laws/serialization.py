"""A task read back from JSON is equal and is scored the same, in another process too."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from rlgym.core.task import Task
from rlgym.episode.play import advance, start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.freeze import frozen_file
from rlgym.laws.second_process import elsewhere
from rlgym.laws.subject import Subject, fingerprint

TASKS = Samples(least=1, standard=2, certificate=4)
MISTAKES = Samples(least=1, standard=3, certificate=3)


def serialization(subject: Subject, effort: Effort) -> Finding:
    """The saved form of a task, or of a game's state, holds everything that its verdicts depend on.

    At the least effort, another process scores the saved tasks only of environments without frozen verdicts, which another process wrote.
    """
    finding = Finding()
    elsewhere_scored, scored = 0, list[tuple[dict[str, Any], str, dict[str, Any]]]()  # a saved task, a response, its score here
    for seed, level in subject.sample(TASKS, effort):
        task, location = subject.task(seed, level), f"seed {seed} level {level}"
        saved = json.loads(json.dumps(task.to_dict()))
        data = subject.declared.data.model_validate_json(json.dumps(saved["data"]))
        finding.require(data == task.data, f"the data changes when saved and read back, {location}")
        back = Task(task.prompt, data, task.origin)
        finding.require(fingerprint(back) == fingerprint(task), f"the task changes when saved and read back, {location}")
        if subject.single is None:
            _require_same_end(subject, seed, level, finding)
            continue
        mistakes = subject.mistakes(start_episode(subject.declared, task, "tag"))[: MISTAKES.at(effort, subject.runs_programs)]
        for response in [subject.write(answer) for answer in (subject.right(task), *mistakes)]:
            score = subject.score(task, response)
            finding.require(
                score == subject.score_again(back, response), f"{response!r:.60} scores otherwise on the task read back, {location}"
            )
            scored.append((saved, response, score.to_dict()))
    if scored and not (effort is Effort.LEAST and frozen_file(subject).exists()):
        replies = elsewhere(subject, {"score": [(saved, response) for saved, response, _ in scored]})
        for (saved, response, expected), actual in zip(scored, replies):
            location = f"seed {saved['origin']['seed']}"
            finding.require(expected == actual, f"{response!r:.60} scores {actual} in another process, {expected} here, {location}")
        elsewhere_scored = len(scored)
    finding.measured = {"verdicts_elsewhere": elsewhere_scored}
    return finding


def _require_same_end(subject: Subject, seed: int, level: float, finding: Finding) -> None:
    """A game that resumes from a state saved half-way ends as it does without the interruption."""
    location, complete, policy = f"seed {seed} level {level}", subject.solved(seed, level), subject.oracle()
    half = start_episode(subject.declared, subject.task(seed, level), "tag")
    for _ in range(complete.turn // 2):
        half = advance(subject.declared, half, policy(half), "tag")
    state = subject.declared.data.model_validate_json(half.state.model_dump_json())
    finding.require(state == half.state, f"the state half-way changes when saved and read back, {location}")
    resumed = replace(half, state=state)
    while resumed.score is None and resumed.turn <= complete.limit:
        resumed = advance(subject.declared, resumed, policy(resumed), "tag")
    same = resumed.transcript == complete.transcript and resumed.score == complete.score
    finding.require(same, f"the game ends otherwise when it resumes from a saved state, {location}")
