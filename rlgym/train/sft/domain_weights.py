"""Weights of the families in supervised fine-tuning, learned so that a step on the mixture helps on held-out tasks.

From "DreamPRM: Domain-Reweighted Process Reward Model for Multimodal Reasoning"; see `rlgym.train.update.family_weights`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import torch

from rlgym import Rng
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.sft.backward import sft_backward
from rlgym.train.sft.data import SftExample, build_example
from rlgym.train.tasks.curriculum import environments_at, eval_tasks
from rlgym.train.update.family_weights import moved_weights

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.run import Run

METRIC = "domain_weight/"


@runtime_checkable
class FamilySource(Protocol):
    """Supervised examples by family."""

    families: list[str]
    shares: list[float]
    """The shares of the families in a batch where all factors are 1; their sum is 1."""
    weights: list[float] | None
    """Factors of the shares of the families in a batch, or None for 1."""

    def family_batch(self, step: int, family: int, count: int) -> list[SftExample]:
        """Examples of one family, which the step alone determines."""
        ...


class DomainWeights:
    """The weights of a run, which start equal with the mean 1, and the held-out examples that judge them."""

    def __init__(self, run: Run, data: FamilySource) -> None:
        assert run.config.sft is not None
        assert run.config.sft.domain_weights is not None
        if run.process_group.size > 1:
            raise TrainError("sft.domain_weights compares whole gradients, and runs in one process: leave it out")
        self.options, self.data = run.config.sft.domain_weights, data
        if len(data.families) < 2:
            raise TrainError(f"sft.domain_weights weighs families of examples, and needs at least two, got {data.families}")
        names, evaluation = self.options.held_out_names, run.config.evaluation
        parts = [environments_at(names, evaluation)] if names else run.config.tasks
        tasks = eval_tasks(parts, self.options.examples, evaluation.levels)
        # The held-out solutions have an explanation as often as those that are learned from.
        rng, fraction = Rng("held-out explanations", run.config.seed), run.config.sft.explanation_fraction
        held_out = [build_example(run.worker.chat, task, run.worker.settings, rng.chance(fraction)) for task in tasks]
        self.held_out = [example for example in held_out if len(example.tokens) <= run.config.rollout.max_seq_len]
        if not self.held_out:
            raise TrainError("sft.domain_weights has no held-out solution of at most rollout.max_seq_len tokens: raise it")
        # The log of a resumed run ends at its checkpoint, and holds the weights of every step.
        lines = [line for line in read_lines(run.folder / "metrics.jsonl") if line.get("phase") == "sft"] if run.step else []
        data.weights = [float(lines[-1][METRIC + name]) if lines else 1.0 for name in data.families]

    def metrics(self) -> dict[str, float]:
        """The present weights, by family."""
        assert self.data.weights is not None
        return {METRIC + name: weight for name, weight in zip(self.data.families, self.data.weights, strict=True)}

    def update(self, run: Run) -> None:
        """Move the weights by the cosine of each family's gradient with that of the held-out loss after one step on the mixture."""
        if run.step % self.options.every_steps:
            return
        count = len(self.data.families)
        batches = [self.data.family_batch(run.step, family, self.options.examples) for family in range(count)]
        self.data.weights = self.moved(run, batches)

    def moved(self, run: Run, batches: Sequence[Sequence[SftExample]]) -> list[float]:
        """The weights after an update from examples of each family; the model stays as it is."""
        weights = self.data.weights
        assert weights is not None
        parameters = [weight for weight in run.model.parameters() if weight.requires_grad]
        gradients = [_gradient(run, parameters, batch) for batch in batches]
        held_out = partial(_gradient, run, parameters, self.held_out)
        return moved_weights(parameters, weights, self.data.shares, gradients, held_out, self.options)


def _gradient(run: Run, parameters: Sequence[Tensor], examples: Sequence[SftExample]) -> list[Tensor]:
    """The gradient of the supervised loss on some examples; the gradients of the model are cleared."""
    run.optimizer.zero_grad(set_to_none=True)
    sft_backward(run, examples)
    found = [torch.zeros_like(weight) if weight.grad is None else weight.grad.detach().clone() for weight in parameters]
    run.optimizer.zero_grad(set_to_none=True)
    return found
