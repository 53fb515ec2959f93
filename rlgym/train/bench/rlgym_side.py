"""Our side: steps of the training loop itself, with counts of their work."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from rlgym.train.bench.workload import StepStats, TextRewardPool, Workload, make_config, step_tasks
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import training_step
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.run import Run
from rlgym.train.tasks.spec import TaskSettings
from rlgym.train.update.policy import ForwardOutput, PolicyForward

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


@dataclass(frozen=True, kw_only=True)
class CountingPolicy(PolicyForward):
    """Counts the tokens in the backward pass."""

    stats: StepStats

    def backward(
        self, batch: Batch, grad_logprob_T: Tensor, grad_entropy_T: Tensor | None = None, grad_value_T: Tensor | None = None
    ) -> ForwardOutput:
        needed_T = grad_logprob_T != 0
        lengths_N = torch.bincount(batch.rollout_T, minlength=len(batch.reward_N))
        self.stats.trained += int(needed_T.sum())
        self.stats.read += int(lengths_N[batch.rollout_T[needed_T].unique()].sum())
        return super().backward(batch, grad_logprob_T, grad_entropy_T, grad_value_T)


def longest_prompt(workload: Workload, folder: Path) -> int:
    """Tokens of the longest prompt of all steps."""
    probe = make_config(workload, folder, 1)
    chat = Chat(load_tokenizer(probe.model.path))
    settings = TaskSettings(probe.seed, probe.held_out_fraction, probe.rollout.answer_style)
    results = (run_job(ScoringJob(0, task, settings))[1] for step in step_tasks(probe) for task in step)
    return max(len(chat.prompt_tokens(result.observation)) for result in results)


class RlgymSide:
    """A run of ours, one step at a time."""

    def __init__(self, workload: Workload, folder: Path, longest_prompt: int, out: Path | None = None) -> None:
        self.workload = workload
        self.run = Run.open(make_config(workload, folder, longest_prompt, out))
        self.run.worker.pool.close()
        self.run.worker = replace(self.run.worker, pool=TextRewardPool())
        self.run.worker.chat.stop = ()  # every response has its full length

    def step(self) -> StepStats:
        """One step of reinforcement learning."""
        stats, run = StepStats(), self.run
        run.policy = CountingPolicy(**{field.name: getattr(run.policy, field.name) for field in fields(PolicyForward)}, stats=stats)
        start = time.perf_counter()
        metrics, times = training_step(run, ProgressCallback())
        # Not the step's own timer, which stops at its last mark.
        stats.seconds = time.perf_counter() - start
        stats.sampled = round(metrics["response_length"] * self.workload.rollouts)
        scoring = times["seconds_scoring"]
        stats.parts = {"sampling": times["seconds_rollout"] - scoring, "tasks and verdicts": scoring}
        stats.parts["training"] = stats.seconds - sum(stats.parts.values())
        return stats

    def close(self) -> None:
        """End the run."""
        self.run.close()
