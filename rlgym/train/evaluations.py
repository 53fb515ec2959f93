"""The evaluations of a run: when one is due, held-out accuracy with its votes and hints, and what the curriculum learns from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rlgym.train.data.collate import collate
from rlgym.train.evaluate import accuracy_table, evaluation_episodes, evaluation_worker, step_errors
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.rewards.group.context import GroupContext
from rlgym.train.rollout.adaptive import adaptive_accuracy
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.rounds import claim_engine
from rlgym.train.rollout.trace_scores import step_scores
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.run import Run
from rlgym.train.shifts import shifted_accuracies
from rlgym.train.tasks.curriculum import eval_tasks, transferred_names, with_transfer
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.votes import best_accuracy, self_rewards, vote_accuracy


def evaluation_due(run: Run) -> str | None:
    """The label of the evaluation before the next step, or None."""
    config = run.config
    if run.step == config.steps:
        return "end"
    if run.step == 0:
        return "middle" if config.sft else "start"
    if config.evaluation.every_steps and run.step % config.evaluation.every_steps == 0:
        return f"step {run.step}"
    return None


def run_evaluation(run: Run, label: str, callback: ProgressCallback) -> None:
    """Measure held-out accuracy and log it."""
    config = run.config.evaluation
    claim_engine(run)
    worker = evaluation_worker(run)
    followed = run.curriculum.validated_levels()
    tasks = eval_tasks(with_transfer(run.config.tasks, config), config.tasks_per_level, config.levels, followed)
    episodes = evaluation_episodes(worker, tasks, config.samples_per_task, run.config.seed, callback.on_rollout_progress, run.process_group)
    table = accuracy_table(episodes, transferred_names(config))
    run.evaluations[label] = table
    accuracies = {cell: accuracy.to_dict() for cell, accuracy in table.items()}
    votes = vote_accuracies(run, worker, episodes) | hinted_accuracies(run, worker, tasks, episodes)
    if config.adaptive is not None:
        votes |= {"adaptive": adaptive_accuracy(run, worker, tasks, episodes)}
    if found := step_errors(episodes):
        votes["step_errors"] = found
    votes |= shifted_accuracies(run, worker, label, callback)
    run.logger.write_line("evaluations.jsonl", {"label": label, "phase": run.phase, "step": run.step, "accuracy": accuracies} | votes)
    labels = {place: TaskSpec(place.name, place.level, 0, "test", run.config.tasks[place.part].knobs).label for place in followed}
    run.curriculum.record_held_out({place: table[label].average for place, label in labels.items() if label in table})
    callback.on_evaluation(label, table)


def hinted_accuracies(run: Run, worker: RolloutWorker, tasks: Sequence[TaskSpec], plain: Sequence[Episode]) -> dict[str, Any]:
    """For each of `evaluation.hints`, the accuracies on the same tasks with it in the prompt, and `gain`: by how much the mean is above that without.

    plain  the samples without hints. Both means are over the tasks that have a score with and without the hint: one whose prompt has no room for it counts
           in neither. `gain` is None where there is no such task.
    From "Beyond Accuracy: Dissecting Mathematical Reasoning for LLMs Under Reinforcement Learning" (SPARKLE).
    """
    config, found = run.config.evaluation, dict[str, Any]()
    apart = transferred_names(config)
    for hint in config.hints:
        chosen = {"hint_fraction": hint} if isinstance(hint, float) else {"hint_fraction": 1.0, "hint_tier": hint}
        given = [replace(task, **chosen) for task in tasks]
        hinted = evaluation_episodes(worker, given, config.samples_per_task, run.config.seed, None, run.process_group)
        table = {cell: accuracy.to_dict() for cell, accuracy in accuracy_table(hinted, apart).items()}
        both = {episode.group for episode in hinted if episode.valid} & {episode.group for episode in plain if episode.valid}
        means = [accuracy_table((each for each in some if each.group in both), apart)["mean"].average for some in (hinted, plain)]
        found[str(hint)] = table | {"gain": means[0] - means[1] if both else None}
    return {"hints": found} if found else {}


def vote_accuracies(run: Run, worker: RolloutWorker, episodes: Sequence[Episode]) -> dict[str, dict[str, float]]:
    """With several samples of a task, the accuracy of what is chosen of them.

    majority     the plain vote, in runs with one of the others
    self_reward  the vote weighted by self-rewards
    process      the response with the highest score of the process model
    trace        the response whose steps of thinking the judge scores highest
    """
    options, process_model = run.config.algorithm.self_reward, run.process_model
    offset = run.self_reward_offset if options is None or options.reference_logprob is None else options.reference_logprob
    if run.config.evaluation.samples_per_task < 2 or not worker.temperature:
        return {}
    votes: dict[str, float] = {}
    context = GroupContext(run.step, run.config.rollout.answer_style)
    if options is not None and offset is not None:
        votes["self_reward"] = vote_accuracy(episodes, self_rewards(worker, episodes, options, offset), context)
    if process_model is not None:
        batch = collate(episodes, run.device)
        if run.reference is not None:
            batch = replace(batch, ref_logprobs_T=run.reference.forward(batch).logprob_T)
        votes["process"] = best_accuracy(episodes, process_model.scores(batch))
    if (traced := run.config.algorithm.trace_reward) is not None:
        votes["trace"] = best_accuracy(episodes, step_scores(run.second_models[traced.model], episodes, traced))
    if votes:
        votes["majority"] = vote_accuracy(episodes, [1.0] * len(episodes), context)
    return {"votes": votes} if votes else {}
