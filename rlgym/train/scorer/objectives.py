"""What a scorer of steps is trained on. Each objective is a loss on the outputs of the value head at the tokens of some responses.

steps    cross-entropy with the label of each step, at its last token
outcome  squared error from the verdict of the whole response, at every token
tokens   squared error from the share of right responses among those of the task that begin with the same tokens, at every token
td       squared error from the lambda-return of the later steps' own estimates, at the last token of each step
pairs    - log sigmoid(chosen - rejected), at the last token of either step

Axes: T tokens of all responses, S steps of one response.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, logsigmoid

if TYPE_CHECKING:
    from torch import Tensor

OBJECTIVES = ("steps", "outcome", "tokens", "td", "pairs")
LOGITS = frozenset({"steps", "pairs"})
"""Objectives whose output is the logit of a probability; that of the others is the probability itself."""


@dataclass(frozen=True)
class Example:
    """A response as tokens with what is to be learned from it.

    group   of the task; of a pair, its number
    start   the first token of the response
    places  the last token of each step
    labels  of each step, None for an unknown one
    right   whether the response is right; of a pair, whether it is the chosen one
    shares  for the objective `tokens`: of each token of the response
    """

    group: str
    tokens: tuple[int, ...]
    start: int
    places: tuple[int, ...]
    labels: tuple[float | None, ...] = ()
    right: bool = False
    shares: tuple[float, ...] = ()


def objective_loss(name: str, examples: Sequence[Example], output_T: Tensor, decay: float = 0.0) -> Tensor:
    """The loss of an objective over a batch, whose outputs stand one response after another. `decay` is the lambda of `td`."""
    starts = [0]
    for example in examples:
        starts.append(starts[-1] + len(example.tokens))
    parts = [output_T[first:last] for first, last in pairwise(starts)]
    if name == "pairs":
        chosen, rejected = (
            {example.group: output[example.places[-1]] for example, output in zip(examples, parts, strict=True) if example.right == kind}
            for kind in (True, False)
        )
        return -torch.stack([logsigmoid(chosen[group] - rejected[group]) for group in chosen]).mean()
    losses = [_response_losses(name, example, output, decay) for example, output in zip(examples, parts, strict=True)]
    return torch.cat(losses).mean()


def _response_losses(name: str, example: Example, output_T: Tensor, decay: float) -> Tensor:
    """The losses of one response, one for each label, token or step."""
    if name == "steps":
        known = [(place, label) for place, label in zip(example.places, example.labels, strict=True) if label is not None]
        labels_S = output_T.new_tensor([label for _, label in known])
        return binary_cross_entropy_with_logits(output_T[[place for place, _ in known]], labels_S, reduction="none")
    if name == "td":
        values_S = output_T[list(example.places)]
        returns = lambda_returns(values_S.detach().tolist(), float(example.right), decay)
        return (values_S - output_T.new_tensor(returns)).square()
    wanted = example.shares if name == "tokens" else [float(example.right)] * (len(example.tokens) - example.start)
    return (output_T[example.start :] - output_T.new_tensor(wanted)).square()


def lambda_returns(values: Sequence[float], outcome: float, decay: float) -> list[float]:
    """The target of each step: (1 - decay) v_(k+1) + decay G_(k+1), and the outcome for the last one. From "TD(lambda)"."""
    returns = [outcome]
    for later in reversed(values[1:]):
        returns.append((1 - decay) * later + decay * returns[-1])
    return returns[::-1]


def prefix_shares(responses: Sequence[Sequence[int]], right: Sequence[bool]) -> list[tuple[float, ...]]:
    """For each token of the responses to one task the share of right responses among those that begin with the same tokens up to it.

    From "Token-Supervised Value Models for Enhancing Mathematical Problem-Solving Capabilities of Large Language Models".
    """
    nodes: dict[tuple[int, int], int] = {}
    counts: dict[int, list[int]] = {}
    paths: list[list[int]] = []
    for tokens, good in zip(responses, right, strict=True):
        node, path = 0, list[int]()
        for token in tokens:
            node = nodes.setdefault((node, token), len(nodes) + 1)
            path.append(node)
            count = counts.setdefault(node, [0, 0])
            count[0] += good
            count[1] += 1
        paths.append(path)
    return [tuple(counts[node][0] / counts[node][1] for node in path) for path in paths]
