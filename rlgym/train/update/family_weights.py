"""Weights of families of examples, moved so that a step on their mixture helps on held-out ones.

From "DreamPRM: Domain-Reweighted Process Reward Model for Multimodal Reasoning": the lower problem trains the model on the weighted mixture, and the upper
one moves the weights along the gradient of the loss on a held-out set, through one unrolled step. With theta' = theta - inner_lr sum_k s_k w_k g_k,
where s_k is the share of family k in a batch and g_k its gradient, the derivative of the held-out loss with respect to w_k is -inner_lr s_k g' g_k,
where g' is its gradient at theta'. A weight moves by the cosine of g' and g_k instead, so that small families move as far as large ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.sections import DomainWeightsConfig


def moved_weights(
    parameters: Sequence[Tensor],
    weights: Sequence[float],
    shares: Sequence[float],
    gradients: Sequence[Sequence[Tensor]],
    held_out: Callable[[], Sequence[Tensor]],
    options: DomainWeightsConfig,
) -> list[float]:
    """The weights after an update, with the mean 1; the parameters stay as they are.

    shares     of the families in a batch where all weights are 1
    gradients  of each family, at the parameters
    held_out   the gradient of the held-out loss at the parameters of the moment
    """
    counts = [share * weight for share, weight in zip(shares, weights, strict=True)]
    before = [weight.detach().clone() for weight in parameters]
    with torch.no_grad():
        for place, weight in enumerate(parameters):
            mixed = sum(count * gradient[place] for count, gradient in zip(counts, gradients, strict=True)) / sum(counts)
            weight -= options.inner_lr * mixed
    after = held_out()
    with torch.no_grad():
        for weight, old in zip(parameters, before, strict=True):
            weight.copy_(old)
    raised = [weight * math.exp(options.lr * cosine(after, own)) for weight, own in zip(weights, gradients, strict=True)]
    mean = sum(raised) / len(raised)
    floored = [max(options.min_weight, weight / mean) for weight in raised]
    # Logs, from which an interrupted run goes on, keep nine significant digits.
    return [round(weight * len(floored) / sum(floored), 6) for weight in floored]


def cosine(one: Sequence[Tensor], other: Sequence[Tensor]) -> float:
    """The cosine of the angle between two gradients; 0 where one of them is 0."""
    product = sum(float((a * b).sum()) for a, b in zip(one, other, strict=True))
    norms = math.sqrt(sum(float((a * a).sum()) for a in one) * sum(float((b * b).sum()) for b in other))
    return product / norms if norms else 0.0
