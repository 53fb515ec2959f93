"""Weights of the families in supervised fine-tuning, learned so that a step on the mixture helps on held-out tasks.

From "DreamPRM: Domain-Reweighted Process Reward Model for Multimodal Reasoning": the lower problem trains the model on the weighted mixture, and the upper
one moves the weights along the gradient of the loss on a held-out set, through one unrolled step. With theta' = theta - inner_lr sum_k s_k w_k g_k,
where s_k is the share of family k in a batch and g_k its gradient, the derivative of the held-out loss with respect to w_k is -inner_lr s_k g' g_k,
where g' is its gradient at theta'. A weight moves by the cosine of g' and g_k instead, so that small families move as far as large ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import torch

from rlgym import Rng
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.sft.backward import sft_backward
from rlgym.train.sft.data import SftExample, build_example
from rlgym.train.tasks.curriculum import environments_at, eval_tasks

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
        weights, options = self.data.weights, self.options
        assert weights is not None
        shares = [share * weight for share, weight in zip(self.data.shares, weights, strict=True)]
        parameters = [weight for weight in run.model.parameters() if weight.requires_grad]
        gradients = [_gradient(run, parameters, batch) for batch in batches]
        before = [weight.detach().clone() for weight in parameters]
        with torch.no_grad():
            for place, weight in enumerate(parameters):
                mixed = sum(share * gradient[place] for share, gradient in zip(shares, gradients, strict=True)) / sum(shares)
                weight -= options.inner_lr * mixed
        held_out = _gradient(run, parameters, self.held_out)
        with torch.no_grad():
            for weight, old in zip(parameters, before, strict=True):
                weight.copy_(old)
        raised = [weight * math.exp(options.lr * _cosine(held_out, own)) for weight, own in zip(weights, gradients, strict=True)]
        mean = sum(raised) / len(raised)
        floored = [max(options.min_weight, weight / mean) for weight in raised]
        # The log, from which an interrupted run goes on, keeps nine significant digits.
        return [round(weight * len(floored) / sum(floored), 6) for weight in floored]


def _gradient(run: Run, parameters: Sequence[Tensor], examples: Sequence[SftExample]) -> list[Tensor]:
    """The gradient of the supervised loss on some examples; the gradients of the model are cleared."""
    run.optimizer.zero_grad(set_to_none=True)
    sft_backward(run, examples)
    found = [torch.zeros_like(weight) if weight.grad is None else weight.grad.detach().clone() for weight in parameters]
    run.optimizer.zero_grad(set_to_none=True)
    return found


def _cosine(one: Sequence[Tensor], other: Sequence[Tensor]) -> float:
    product = sum(float((a * b).sum()) for a, b in zip(one, other, strict=True))
    norms = math.sqrt(sum(float((a * a).sum()) for a in one) * sum(float((b * b).sum()) for b in other))
    return product / norms if norms else 0.0
