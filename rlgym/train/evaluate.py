"""Held-out accuracy: avg@k and pass@k by environment and level, with confidence intervals over tasks."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym.core.intervals import wilson
from rlgym.core.names import name_parts
from rlgym.evaluate.metrics.step_errors import step_error_metrics
from rlgym.train.distributed.process_group import SINGLE_PROCESS, ProcessGroup
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.worker import RolloutProgress, RolloutWorker
from rlgym.train.tasks.spec import TaskSpec

if TYPE_CHECKING:
    from rlgym.train.run import Run


@dataclass(frozen=True)
class Accuracy:
    """The accuracy on one set of tasks.

    average    avg@k: the mean over tasks of the fraction of correct samples
    low, high  95 % confidence interval of the average, from the variance between tasks (not between training seeds)
    pass_at    k -> pass@k: the probability that one of k samples is correct, by the unbiased estimator
    cot_pass_at  the same where a sample counts only if its worked steps are right too; empty without `algorithm.token_rewards`. From
               "Reinforcement Learning with Verifiable Rewards Implicitly Incentivizes Correct Reasoning in Base LLMs"
    tasks      number of tasks with a valid score
    masked     number of samples without a score for reasons other than the model
    """

    average: float
    low: float
    high: float
    pass_at: Mapping[int, float]
    tasks: int
    masked: int = 0
    cot_pass_at: Mapping[int, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The accuracy as JSON-able data."""
        pass_at = {f"pass@{k}": value for k, value in self.pass_at.items()}
        pass_at |= {f"cot_pass@{k}": value for k, value in self.cot_pass_at.items()}
        average = None if math.isnan(self.average) else self.average  # JSON has no NaN
        return {"avg": average, "low": self.low, "high": self.high, **pass_at, "tasks": self.tasks, "masked": self.masked}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Accuracy:
        """The inverse of `to_dict`."""
        pass_at = {int(name.removeprefix("pass@")): value for name, value in values.items() if name.startswith("pass@")}
        cot_pass_at = {int(name.removeprefix("cot_pass@")): value for name, value in values.items() if name.startswith("cot_pass@")}
        average = math.nan if values["avg"] is None else values["avg"]
        return cls(average, values["low"], values["high"], pass_at, values["tasks"], values["masked"], cot_pass_at)


Table = dict[str, Accuracy]
"""Accuracies by environment and level (`chain_sum@0.1`), and over all of them that are trained on as `mean`."""


def evaluation_episodes(
    worker: RolloutWorker,
    tasks: Sequence[TaskSpec],
    samples: int,
    seed: int,
    on_progress: RolloutProgress | None = None,
    process_group: ProcessGroup = SINGLE_PROCESS,
) -> list[Episode]:
    """The episodes of every task, sampled `samples` times, or once at temperature 0, on every rank and in order. The ranks share the tasks."""
    indices = process_group.shard(range(len(tasks)))
    mine = worker.rollout([tasks[index] for index in indices], samples if worker.temperature else 1, seed, on_progress, indices)
    return sorted((episode for part in process_group.all_gather(mine) for episode in part), key=lambda episode: episode.key)


def evaluation_worker(run: Run) -> RolloutWorker:
    """The worker of a run's evaluations: `evaluation.temperature`, no branches, and opponents that are the environment's own."""
    return replace(run.worker, temperature=run.config.evaluation.temperature, branching=None, self_play=False)


def with_greedy_decoding(worker: RolloutWorker) -> RolloutWorker:
    """The same worker with greedy decoding."""
    return replace(worker, temperature=0.0)


def accuracy_table(episodes: Iterable[Episode], apart: Collection[str] = ()) -> Table:
    """Accuracies of finished episodes. The mean weights every environment and level equally, without the environments that are measured `apart`."""
    by_label: dict[str, dict[int, list[Episode]]] = {}
    for episode in episodes:
        by_label.setdefault(episode.task.label, {}).setdefault(episode.group, []).append(episode)
    table = {label: _accuracy(list(groups.values())) for label, groups in sorted(by_label.items())}
    names = {label: next(iter(groups.values()))[0].task.name for label, groups in by_label.items()}
    return table | {"mean": _mean([accuracy for label, accuracy in table.items() if names[label] not in apart])}


def step_errors(episodes: Iterable[Episode]) -> dict[str, dict[str, Any]]:
    """For each environment NAME:first_error and level the accuracies on solutions with and without a wrong step, and their F1.

    From "Is PRM Necessary? Problem-Solving RL Implicitly Induces PRM Capability in LLMs".
    """
    pairs: dict[str, list[tuple[int, int]]] = {}
    for episode in episodes:
        task = episode.task
        if name_parts(task.name)[1] == "first_error" and episode.valid and episode.seed is not None:
            knobs: dict[str, Any] = dict(task.knobs)
            data: Any = rlgym.task(task.name, episode.seed, level=task.level, **knobs).data
            # A wrong answer names another step; which one does not matter.
            pairs.setdefault(task.label, []).append((data.wrong - 1, data.wrong - 1 if episode.solved else -2))
    return {label: step_error_metrics(found) for label, found in sorted(pairs.items())}


def _accuracy(groups: list[list[Episode]]) -> Accuracy:
    counted = [[episode.solved for episode in group if episode.valid] for group in groups]
    sound = [[episode.solved and episode.sound for episode in group if episode.valid] for group in groups]
    checked = any(episode.spans is not None for group in groups for episode in group)
    masked = sum(not episode.valid for group in groups for episode in group)
    rates = [sum(group) / len(group) for group in counted if group]
    fewest = min((len(group) for group in counted if group), default=0)

    def curve(flags: list[list[bool]]) -> dict[int, float]:
        ks = [k for k in (1, 2, 4, 8, 16, 32, 64) if k <= fewest]
        return {k: sum(pass_at(k, len(group), sum(group)) for group in flags if group) / len(rates) for k in ks}

    average = sum(rates) / len(rates) if rates else math.nan
    return Accuracy(average, *wilson_interval(rates), curve(counted), len(rates), masked, curve(sound) if checked else {})


def _mean(parts: list[Accuracy]) -> Accuracy:
    parts = [part for part in parts if part.tasks]
    if not parts:
        return Accuracy(math.nan, 0.0, 1.0, {}, 0)
    average = sum(part.average for part in parts) / len(parts)
    half = math.sqrt(sum(((part.high - part.low) / 2) ** 2 for part in parts)) / len(parts)

    def mean_curve(curves: list[Mapping[int, float]]) -> dict[int, float]:
        return {k: sum(curve[k] for curve in curves) / len(curves) for k in curves[0] if all(k in curve for curve in curves)}

    pass_at_k, cot = mean_curve([part.pass_at for part in parts]), mean_curve([part.cot_pass_at for part in parts])
    low, high = max(0.0, average - half), min(1.0, average + half)
    return Accuracy(average, low, high, pass_at_k, sum(part.tasks for part in parts), sum(part.masked for part in parts), cot)


def pass_at(k: int, samples: int, correct: int) -> float:
    """The unbiased estimate that one of k samples is correct, from `correct` of `samples`: 1 - C(n-c, k) / C(n, k)."""
    return 1.0 - math.comb(samples - correct, k) / math.comb(samples, k)


def wilson_interval(rates: Sequence[float]) -> tuple[float, float]:
    """The 95 % confidence interval of the mean of rates in [0, 1], one per task.

    Wilson's interval, which stays inside [0, 1], with the number of trials that matches the variance of the rates.
    """
    count = len(rates)
    if not count:
        return 0.0, 1.0
    mean = sum(rates) / count
    variance = sum((rate - mean) ** 2 for rate in rates) / max(1, count - 1)
    # Several samples of a task carry at least as much information as one: single answers have the largest variance.
    trials = count if variance <= 0 else max(count, count * mean * (1 - mean) / variance)
    return wilson(mean * trials, trials)
