"""Selection of recorded responses for fine-tuning by the scores of their thinking.

From "ReasonFlux-PRM: Trajectory-Aware PRMs for Long Chain-of-Thought Reasoning in LLMs": the score of a response is its mean step score plus, with a
solver, its trajectory score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rlgym.dataset.rows import knobs_set_by_name, messages_of
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.trace_scores import step_scores, trajectory_scores
from rlgym.train.tasks.spec import TaskSpec

if TYPE_CHECKING:
    from rlgym.train.run import Run


def trace_scores(run: Run, rows: Sequence[Mapping[str, Any]]) -> list[float]:
    """The score of the thinking of each row of an evaluation, by the models of `algorithm.trace_reward`."""
    options = run.config.algorithm.trace_reward
    assert options is not None, "validate.second_models requires it"
    episodes = [_as_episode(place, row) for place, row in enumerate(rows)]
    scores = step_scores(run.second_models[options.model], episodes, options)
    if options.solver is not None:
        solver, seed = run.second_models[options.solver], run.seed("selected traces")
        whole = trajectory_scores(solver, run.worker, episodes, options, seed)
        scores = [step + trajectory for step, trajectory in zip(scores, whole, strict=True)]
    return scores


def best_rows(rows: Sequence[dict[str, Any]], scores: Sequence[float], fraction: float) -> list[dict[str, Any]]:
    """This fraction of the rows, rounded up, with the highest scores, in their order; of equal ones the first."""
    order = sorted(range(len(rows)), key=lambda place: (-scores[place], place))
    kept = set(order[: math.ceil(fraction * len(rows))])
    return [row for place, row in enumerate(rows) if place in kept]


def _as_episode(place: int, row: Mapping[str, Any]) -> Episode:
    task = TaskSpec(row["env"], row["level"], 0, "", knobs_set_by_name(row), seed=int(row["seed"]))
    turns = [(message["role"], message["content"]) for message in messages_of(row) if message["role"] != "system"]
    return Episode(place, place, task, [], [], [], None, messages=turns, seed=task.seed)
