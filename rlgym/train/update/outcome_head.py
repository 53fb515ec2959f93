"""A head that predicts, at every token, the joint distribution of the final reward and the number of tokens that remain, and the choice of samples by it.

From "Zero-Overhead Introspection for Adaptive Test-Time Compute" (ZIP-RC), in its variant with a frozen network and a trained head: the head has outputs of
its own in place of reserved entries of the vocabulary.

Axes: S tokens of some responses, E width, L bins of lengths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from rlgym.train.update.optimizers import clip_and_step

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.hidden_states import OutcomeHeadConfig
    from rlgym.train.config.schema import Config
    from rlgym.train.data.batch import Batch


@dataclass(frozen=True)
class Outlook:
    """What is expected of a response: the probability of its being right, and the number of tokens that remain."""

    right: float
    remaining: float


@dataclass
class OutcomeHead:
    """The head, its optimizer and its options. Outputs are those of wrong responses by bins of lengths, then those of right ones."""

    head: nn.Linear
    optimizer: torch.optim.Optimizer
    options: OutcomeHeadConfig
    max_tokens: int

    @classmethod
    def create(cls, hidden_size: int, options: OutcomeHeadConfig, max_tokens: int, device: torch.device) -> OutcomeHead:
        """A head whose prediction is uniform at first; lengths beyond the last edge are taken to end at `max_tokens`."""
        head = nn.Linear(hidden_size, 2 * (len(options.length_edges) + 1)).to(device)
        for weight in head.parameters():
            nn.init.zeros_(weight)
        return cls(head, torch.optim.AdamW(head.parameters(), lr=options.lr, weight_decay=0.0), options, max_tokens)

    @classmethod
    def from_config(cls, config: Config, hidden_size: int, device: torch.device) -> OutcomeHead | None:
        """The configured head; None if there is none."""
        options = config.algorithm.outcome_head
        return None if options is None else cls.create(hidden_size, options, config.rollout.max_new_tokens, device)

    def learn(self, batch: Batch, hidden: Sequence[Tensor], scores: Sequence[float]) -> dict[str, float]:
        """One optimizer step on the cross-entropy at every token of the responses that ended by themselves; metrics of the head before it.

        hidden   the hidden states from which the used tokens of each rollout are drawn
        scores   what the verifier gives each of them, before any change of the rewards
        Gradients that are not finite change nothing.
        """
        ended = (batch.valid_N & ~batch.truncated_N).tolist()
        right = [score >= self.options.success_threshold for score in scores]
        chosen = [number for number, states in enumerate(hidden) if ended[number] and len(states)]
        if not chosen:
            return {"outcome_head/loss": 0.0}
        target_S = torch.cat([self.targets(len(hidden[number]), right[number]) for number in chosen]).to(self.head.weight.device)
        output_SX = self.head(torch.cat([hidden[number] for number in chosen]))
        loss = nn.functional.cross_entropy(output_SX, target_S)
        loss.backward()
        clip_and_step(self.head, self.optimizer, math.inf)
        bins, found_S2L = len(self.options.length_edges) + 1, output_SX.detach().softmax(1).unflatten(1, (2, -1))
        agrees = ((found_S2L[:, 1].sum(1) > 0.5) == (target_S >= bins)).float().mean()
        right_length = (found_S2L.sum(1).argmax(1) == target_S % bins).float().mean()
        return {"outcome_head/loss": float(loss.detach()), "outcome_head/reward": float(agrees), "outcome_head/length": float(right_length)}

    def targets(self, length: int, right: bool) -> Tensor:
        """The numbers of the outputs that come true at the tokens of a response of this length: before its first token all of them remain."""
        remaining_S = torch.arange(length, 0, -1)
        bin_S = torch.bucketize(remaining_S, torch.tensor(self.options.length_edges), right=False)
        return bin_S + right * (len(self.options.length_edges) + 1)

    @torch.no_grad()
    def outlook(self, hidden_SE: Tensor) -> Outlook:
        """What is expected after the last of some hidden states of a response."""
        found_2L = self.head(hidden_SE[-1:]).softmax(1)[0].unflatten(0, (2, -1))
        edges = [0, *self.options.length_edges, max(self.max_tokens, self.options.length_edges[-1])]
        middle_L = torch.tensor([(low + high) / 2 for low, high in pairwise(edges)], device=found_2L.device)
        return Outlook(float(found_2L[1].sum()), float((found_2L.sum(0) * middle_L).sum()))

    def state_dict(self) -> dict[str, Any]:
        """Weights and optimizer, for a checkpoint."""
        return {"head": self.head.state_dict(), "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a `state_dict`."""
        self.head.load_state_dict(state["head"])
        self.optimizer.load_state_dict(state["optimizer"])


def best_subset(running: Sequence[Outlook], ended: Sequence[float], compute_weight: float, latency_weight: float) -> tuple[int, ...]:
    """Which running responses of a task to continue: those of the greatest expected best reward minus the costs of tokens and of waiting.

    ended  the probabilities of being right of the responses that have ended; without any, at least one is continued
    The best reward of a set of responses is taken to be that of independent ones, 1 - prod(1 - p). Costs are per token: of all tokens that remain, and of
    the longest response.
    """
    failed = prod(1 - right for right in ended)

    def utility(chosen: tuple[int, ...]) -> float:
        best = 1 - failed * prod(1 - running[place].right for place in chosen)
        lengths = [running[place].remaining for place in chosen]
        return best - compute_weight * sum(lengths) - latency_weight * max(lengths, default=0.0)

    sizes = range(0 if ended else 1, len(running) + 1)
    subsets = [chosen for size in sizes for chosen in combinations(range(len(running)), size)]
    return max(subsets, key=utility, default=())
