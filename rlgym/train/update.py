"""From episodes to a change of the weights.

A loss is a function of log-probabilities. So its gradient with respect to them is taken first, over the whole batch, and then
carried through the network in micro-batches: what a loss compares across rollouts, or divides by a count over the batch, comes
out the same however the batch is divided, and rollouts whose gradient is zero cost nothing.

Axes: T tokens of all rollouts, N rollouts, P tokens of one micro-batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.batch import Batch
from rlgym.train.critic import estimates
from rlgym.train.logprobs import score
from rlgym.train.packing import pack
from rlgym.train.sharding import settle
from rlgym.train.sharing import lying, openings, pack_families, plans, shared
from rlgym.train.team import ALONE, Team

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
        oracle_N=_flags([episode.oracle for episode in episodes]),
        hinted_N=_flags([episode.hinted for episode in episodes]),
    )
    moved: dict[str, Any] = {entry.name: getattr(batch, entry.name) for entry in fields(batch)}
    return Batch(**{name: value if value is None else value.to(device) for name, value in moved.items()})


def _flags(values: list[bool]) -> Tensor | None:
    return torch.tensor(values) if any(values) else None


def own(batch: Batch) -> Batch:
    """The batch in which only those tokens count that the policy sampled without help."""
    for helped_N in (batch.oracle_N, batch.hinted_N):
        if helped_N is not None:
            batch = replace(batch, mask_T=batch.mask_T & ~helped_N[batch.rollout_T])
    return batch


def part(batch: Batch, chosen_N: Tensor) -> Batch:
    """The batch of some of its rollouts; groups and rollouts are numbered anew."""
    chosen_T = chosen_N[batch.rollout_T]
    taken: dict[str, Any] = {}
    for entry in fields(batch):
        value = getattr(batch, entry.name)
        taken[entry.name] = None if value is None else value[chosen_T if entry.name.endswith("_T") else chosen_N]
    for name in ("rollout_T", "group_N"):
        taken[name] = torch.unique(taken[name], return_inverse=True)[1]
    return Batch(**taken)


@dataclass
class Work:
    """Floating-point operations done so far, by all ranks: a forward pass is a third of a forward and a backward one."""

    flops: float = 0.0


@dataclass(frozen=True)
class Seen:
    """What one forward pass told of each sampled token; 0 elsewhere. `value_T` is 0 everywhere without a value head."""

    logprob_T: Tensor
    entropy_T: Tensor
    value_T: Tensor


@dataclass(frozen=True)
class Scorer:
    """The trainer's own forward pass over a batch, of which each rank of `team` does its part. All ranks end with the same numbers."""

    model: Decoder
    most_tokens: int
    temperature: float = 1.0
    dtype: torch.dtype = torch.float32
    team: Team = ALONE
    work: Work = field(default_factory=Work)

    def read(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Log-probabilities and entropies of the sampled tokens of a batch, without gradient; 0 elsewhere."""
        seen = self.look(batch)
        return seen.logprob_T, seen.entropy_T

    def look(self, batch: Batch) -> Seen:
        """As `read`, with the value head's estimates from the same pass."""
        seen = Seen(*(torch.zeros_like(batch.sampled_T) for _ in range(3)))
        with torch.no_grad():
            for place_P, logprob_P, entropy_P, value_P in self._micro(batch, torch.ones_like(batch.valid_N), 1 / 3):
                seen.logprob_T[place_P], seen.entropy_T[place_P] = logprob_P, entropy_P
                if value_P is not None:
                    seen.value_T[place_P] = value_P
        settle(self.model)
        return Seen(*(self.team.add(part_T) for part_T in (seen.logprob_T, seen.entropy_T, seen.value_T)))

    def descend(
        self, batch: Batch, slope_T: Tensor, entropy_slope_T: Tensor | None, value_slope_T: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Add to the weights' gradients what these gradients of the log-probabilities (entropies, values) amount to.

        Returns the log-probabilities and entropies met on the way; they are 0 for rollouts that were not needed.
        """
        slope_T = self.team.agreed(slope_T)
        entropy_slope_T, value_slope_T = (
            None if more_T is None else self.team.agreed(more_T) for more_T in (entropy_slope_T, value_slope_T)
        )
        needed_T = slope_T != 0
        for more_T in (entropy_slope_T, value_slope_T):
            needed_T = needed_T if more_T is None else needed_T | (more_T != 0)
        needed_N = torch.zeros_like(batch.valid_N).index_put((batch.rollout_T[needed_T],), needed_T[needed_T])
        logprob_T, entropy_T = torch.zeros_like(slope_T), torch.zeros_like(slope_T)
        for place_P, logprob_P, entropy_P, value_P in self._micro(batch, needed_N, 1.0):
            objective = (logprob_P * slope_T[place_P]).sum()
            if entropy_slope_T is not None:
                objective = objective + (entropy_P * entropy_slope_T[place_P]).sum()
            if value_slope_T is not None and value_P is not None:
                objective = objective + (value_P * value_slope_T[place_P]).sum()
            objective.backward()
            logprob_T[place_P], entropy_T[place_P] = logprob_P.detach(), entropy_P.detach()
        return self.team.add(logprob_T), self.team.add(entropy_T)

    def _micro(self, batch: Batch, chosen_N: Tensor, share: float) -> Any:
        """Micro-batches of this rank's chosen rollouts: the places of their tokens in the batch, log-probabilities, entropies, values."""
        lengths = torch.bincount(batch.rollout_T, minlength=len(batch.reward_N)).tolist()
        starts = [0, *torch.tensor(lengths).cumsum(0).tolist()]
        chosen = [n for n, wanted in enumerate(chosen_N.tolist()) if wanted]
        tokens, masks = ([row[starts[n] : starts[n + 1]] for n in chosen] for row in (batch.tokens_T.tolist(), batch.mask_T.tolist()))
        opening, own_lengths = openings(masks), [lengths[n] for n in chosen]
        all_plans = plans(tokens, opening, self.most_tokens, self.team.size)
        brought = shared([members for plan in all_plans for members in plan], opening)
        self.work.flops += share * self.model.shape.training_flops(own_lengths, brought)
        mine, device = all_plans[self.team.rank], batch.tokens_T.device
        for members in [*mine, *[[] for _ in range(max(map(len, all_plans)) - len(mine))]]:
            # A divided network is gathered by all ranks at once: one that has nothing left to do goes along with a sequence of no weight.
            packed = pack_families(tokens, opening, members, device) if members else pack([[0, 0]], device)
            place_P = lying([starts[n] for n in chosen], own_lengths, opening, members).to(device)
            wanted_P = batch.mask_T[place_P] if members else None
            with torch.autocast(packed.tokens_T.device.type, self.dtype, enabled=self.dtype != torch.float32):
                hidden_PE = value_P = None
                if self.model.value_1E is not None:
                    hidden_PE = self.model(packed.tokens_T, packed.positions_T, packed.attention)
                    value_P = estimates(self.model, hidden_PE, packed, packed.positions_T >= 0 if wanted_P is None else wanted_P)
                    value_P = value_P[: len(place_P)]
                logprob_P, entropy_P = score(self.model, packed, wanted_P, self.temperature, hidden_PE)
            yield place_P, logprob_P[: len(place_P)], entropy_P[: len(place_P)], value_P


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


def as_before(batch: Batch) -> Seen:
    """What a pass over the batch would tell of a policy that has not changed since; entropies are left at 0."""
    zero_T = torch.zeros_like(batch.old_T)
    return Seen(batch.old_T, zero_T, zero_T if batch.value_T is None else batch.value_T)


def with_old(batch: Batch, old_T: Tensor, reference_T: Tensor | None = None) -> Batch:
    """The batch with the old policy's log-probabilities by the trainer, and the reference's."""
    return replace(batch, old_T=old_T, reference_T=reference_T)
