"""From episodes to a change of the weights.

A loss is a function of log-probabilities. So its gradient with respect to them is taken first, over the whole batch, and then
carried through the network in micro-batches: what a loss compares across rollouts, or divides by a count over the batch, comes
out the same however the batch is divided, and rollouts whose gradient is zero cost nothing.

Axes: T tokens of all rollouts, N rollouts, P tokens of one micro-batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.batch import Batch
from rlgym.train.logprobs import score
from rlgym.train.sharing import families, lying, openings, pack_families

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.decoder import Decoder
    from rlgym.train.episodes import Episode

Objective = Callable[["Tensor", "Tensor"], tuple["Tensor", dict[str, float]]]
"""(log-probabilities T, entropies T) -> the scalar to be lowered, and what to log of it."""


def as_batch(episodes: Sequence[Episode], device: torch.device | str = "cpu") -> Batch:
    """Episodes as the algorithms see them. The log-probabilities of the old policy are the sampler's, until they are replaced."""
    sampled_T = torch.tensor([logprob for episode in episodes for logprob in episode.logprobs])
    lengths = torch.tensor([len(episode.tokens) for episode in episodes])
    groups = {group: place for place, group in enumerate(dict.fromkeys(episode.group for episode in episodes))}
    batch = Batch(
        tokens_T=torch.tensor([token for episode in episodes for token in episode.tokens]),
        rollout_T=torch.repeat_interleave(torch.arange(len(episodes)), lengths),
        mask_T=torch.tensor([sampled for episode in episodes for sampled in episode.mask]),
        sampled_T=sampled_T,
        old_T=sampled_T,
        reward_N=torch.tensor([float(episode.reward) for episode in episodes]),
        group_N=torch.tensor([groups[episode.group] for episode in episodes]),
        valid_N=torch.tensor([episode.valid for episode in episodes]),
        cut_N=torch.tensor([episode.cut for episode in episodes]),
    )
    moved: dict[str, Any] = {field.name: getattr(batch, field.name) for field in fields(batch)}
    return Batch(**{name: value if value is None else value.to(device) for name, value in moved.items()})


def part(batch: Batch, chosen_N: Tensor) -> Batch:
    """The batch of some of its rollouts; groups and rollouts are numbered anew."""
    chosen_T = chosen_N[batch.rollout_T]
    taken: dict[str, Any] = {}
    for field in fields(batch):
        value = getattr(batch, field.name)
        taken[field.name] = None if value is None else value[chosen_T if field.name.endswith("_T") else chosen_N]
    for name in ("rollout_T", "group_N"):
        taken[name] = torch.unique(taken[name], return_inverse=True)[1]
    return Batch(**taken)


@dataclass(frozen=True)
class Scorer:
    """The trainer's own forward pass over a batch. `forward` may be the network itself, or what wraps it for several GPUs."""

    model: Decoder
    most_tokens: int
    temperature: float = 1.0
    dtype: torch.dtype = torch.float32

    def read(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Log-probabilities and entropies of the sampled tokens of a batch, without gradient; 0 elsewhere."""
        logprob_T, entropy_T = torch.zeros_like(batch.sampled_T), torch.zeros_like(batch.sampled_T)
        with torch.no_grad():
            for place_P, logprob_P, entropy_P in self._micro(batch, torch.ones_like(batch.valid_N)):
                logprob_T[place_P], entropy_T[place_P] = logprob_P, entropy_P
        return logprob_T, entropy_T

    def descend(self, batch: Batch, slope_T: Tensor, entropy_slope_T: Tensor | None) -> tuple[Tensor, Tensor]:
        """Add to the weights' gradients what these gradients of the log-probabilities (and entropies) amount to.

        Returns the log-probabilities and entropies met on the way; they are 0 for rollouts that were not needed.
        """
        needed_T = slope_T != 0 if entropy_slope_T is None else (slope_T != 0) | (entropy_slope_T != 0)
        needed_N = torch.zeros_like(batch.valid_N).index_put((batch.rollout_T[needed_T],), needed_T[needed_T])
        logprob_T, entropy_T = torch.zeros_like(slope_T), torch.zeros_like(slope_T)
        for place_P, logprob_P, entropy_P in self._micro(batch, needed_N):
            objective = (logprob_P * slope_T[place_P]).sum()
            if entropy_slope_T is not None:
                objective = objective + (entropy_P * entropy_slope_T[place_P]).sum()
            objective.backward()
            logprob_T[place_P], entropy_T[place_P] = logprob_P.detach(), entropy_P.detach()
        return logprob_T, entropy_T

    def _micro(self, batch: Batch, chosen_N: Tensor) -> Any:
        """Micro-batches of the chosen rollouts: the places of their tokens in the batch, log-probabilities and entropies."""
        lengths = torch.bincount(batch.rollout_T, minlength=len(batch.reward_N)).tolist()
        starts = [0, *torch.tensor(lengths).cumsum(0).tolist()]
        chosen = [n for n, wanted in enumerate(chosen_N.tolist()) if wanted]
        tokens, masks = ([row[starts[n] : starts[n + 1]] for n in chosen] for row in (batch.tokens_T.tolist(), batch.mask_T.tolist()))
        opening = openings(masks)
        for members in families(tokens, opening, self.most_tokens):
            packed = pack_families(tokens, opening, members, batch.tokens_T.device)
            place_P = lying([starts[n] for n in chosen], [lengths[n] for n in chosen], opening, members).to(batch.tokens_T.device)
            with torch.autocast(packed.tokens_T.device.type, self.dtype, enabled=self.dtype != torch.float32):
                logprob_P, entropy_P = score(self.model, packed, batch.mask_T[place_P], self.temperature)
            yield place_P, logprob_P, entropy_P


def slopes(objective: Objective, logprob_T: Tensor, entropy_T: Tensor) -> tuple[Tensor, Tensor | None, dict[str, float]]:
    """The gradients of an objective with respect to log-probabilities and entropies (None where it does not use them)."""
    logprob_T = logprob_T.detach().requires_grad_()
    entropy_T = entropy_T.detach().requires_grad_()
    value, facts = objective(logprob_T, entropy_T)
    if not value.requires_grad:
        return torch.zeros_like(logprob_T), None, facts
    slope_T, entropy_slope_T = torch.autograd.grad(value, (logprob_T, entropy_T), allow_unused=True)
    slope_T = torch.zeros_like(logprob_T) if slope_T is None else slope_T
    return slope_T, entropy_slope_T, facts


def with_old(batch: Batch, old_T: Tensor, reference_T: Tensor | None = None) -> Batch:
    """The batch with the old policy's log-probabilities by the trainer, and the reference's."""
    return replace(batch, old_T=old_T, reference_T=reference_T)
