"""Accuracies on named shifts of the tasks: what a run has learned beyond the tasks that it trains on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlgym.train.config.tasks import TaskConfig
from rlgym.train.evaluate import accuracy_table, evaluation_episodes
from rlgym.train.tasks.curriculum import eval_tasks

if TYPE_CHECKING:
    from rlgym.train.config.sections import EvaluationConfig
    from rlgym.train.logging.progress import ProgressCallback
    from rlgym.train.rollout.worker import RolloutWorker
    from rlgym.train.run import Run


def shifted_parts(evaluation: EvaluationConfig) -> dict[str, TaskConfig]:
    """The shifts of `evaluation.shifts` as parts of a mixture, by name."""
    return {
        name: TaskConfig(names=list(shift.names), levels=list(shift.levels), knobs=dict(shift.knobs))
        for name, shift in evaluation.shifts.items()
    }


def shifted_accuracies(run: Run, worker: RolloutWorker, label: str, callback: ProgressCallback) -> dict[str, Any]:
    """The accuracies on each shift of `evaluation.shifts`, by its name, and over its environments and levels as `mean`.

    They are not part of the evaluation's own mean, so that naming a shift changes no other number. From "BeamPERL: Parameter-Efficient RL with
    Verifiable Rewards Specializes Compact LLMs for Structured Beam Mechanics Reasoning".
    """
    config, found = run.config.evaluation, dict[str, Any]()
    for name, part in shifted_parts(config).items():
        tasks = eval_tasks([part], config.tasks_per_level)
        table = accuracy_table(evaluation_episodes(worker, tasks, config.samples_per_task, run.config.seed, None, run.process_group))
        callback.on_evaluation(f"{label}, {name}", table)
        found[name] = {cell: accuracy.to_dict() for cell, accuracy in table.items()}
    return {"shifts": found} if found else {}
