"""Supervised fine-tuning on reference solutions, the phase before reinforcement learning."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from rlgym.train.config.sections import TrainError
from rlgym.train.sft.backward import sft_backward
from rlgym.train.sft.data import SftData, SftExample
from rlgym.train.sft.domain_weights import DomainWeights, FamilySource
from rlgym.train.sft.rollouts import RolloutData
from rlgym.train.sft.selection import trace_scores
from rlgym.train.update.schedule import sft_lr_at_step

if TYPE_CHECKING:
    from rlgym.train.logging.progress import ProgressCallback
    from rlgym.train.run import Run


class ExampleSource(Protocol):
    """Where supervised examples come from."""

    def batch(self, step: int) -> list[SftExample]:
        """The examples of a step, which the step alone determines."""
        ...


def run_sft(run: Run, callback: ProgressCallback, data: ExampleSource | None = None) -> None:
    """The supervised phase, from the run's present step to its end; then the run starts its reinforcement phase.

    `data` are the examples; by default those that the configuration names.
    """
    sft = run.config.sft
    assert sft is not None
    data = data or default_source(run)
    weights = _domain_weights(run, data)
    while run.phase == "sft":
        start = time.perf_counter()
        run.set_lr(sft_lr_at_step(run.step, sft))
        if weights is not None:
            weights.update(run)
        examples = data.batch(run.step)
        data_seconds = time.perf_counter() - start
        loss = sft_step(run, examples)
        run.step += 1
        metrics = {"phase": "sft", "loss": loss, "tokens": sum(len(example.tokens) for example in examples)}
        metrics |= weights.metrics() if weights is not None else {}
        times = {"seconds": time.perf_counter() - start, "seconds_data": data_seconds}
        run.logger.log_step(run.step, metrics, times)
        callback.on_step_end("sft", run.step, metrics | times)
        if run.step == sft.steps:
            run.start_phase("rl")
            run.sync_engine()
        if run.phase == "rl" or run.step % run.config.checkpoints.every_steps == 0:
            run.save_checkpoint()


def default_source(run: Run) -> ExampleSource:
    """The examples that the configuration names: the responses of an evaluation, or the oracle's solutions."""
    assert run.config.sft is not None
    if run.config.sft.rollouts:
        return RolloutData(run.config, run.worker.chat, run.worker.settings, partial(trace_scores, run))
    return SftData(run.config, run.worker.chat, run.worker.settings)


def _domain_weights(run: Run, data: ExampleSource) -> DomainWeights | None:
    if run.config.sft is None or run.config.sft.domain_weights is None:
        return None
    if not isinstance(data, FamilySource):
        raise TrainError("sft.domain_weights needs examples by family, which this source has not: leave it out")
    return DomainWeights(run, data)


def sft_step(run: Run, examples: Sequence[SftExample]) -> float:
    """One optimizer step on the mean negative log-probability of the oracle's tokens; its value."""
    run.seed_dropout()
    loss = sft_backward(run, examples)
    run.optimizer_step(run.config.update.max_grad_norm)
    return loss
