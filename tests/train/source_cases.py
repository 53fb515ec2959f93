"""Random batches in two layouts, for comparisons with the formulas of reference code.

Reference code keeps rollouts as padded tables [N, L] with a mask over the response's tokens; the trainer concatenates them. A test writes the
source's computation on the tables, in words of its own, and compares values and gradients with the trainer's on the packed batch.

Axes: N rollouts, L positions in a rollout, T tokens of the pack.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from rlgym.train.data.batch import Batch
from rlgym.train.registry import ADVANTAGES, LOSSES

SOURCES: dict[str, dict[str, None]] = {}
"""What is compared, such as `advantage grpo`, with the reference code that the tests read it from."""


def compared(*subjects: str, source: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Marks a test that compares these subjects with a source; `docs/train/compared.yaml` lists the same."""

    def mark(test: Callable[..., None]) -> Callable[..., None]:
        for subject in subjects:
            SOURCES.setdefault(subject, {})[source] = None
        return test

    return mark


@dataclass
class Case:
    """A random batch. Positions that the policy did not sample, in the middle of rollouts too, hold numbers that must not count."""

    batch: Batch
    inside_NL: torch.Tensor
    mask_NL: torch.Tensor
    new_NL: torch.Tensor

    def table(self, value_T: torch.Tensor) -> torch.Tensor:
        """A packed tensor as a table, 0 beyond the ends."""
        table_NL = value_T.new_zeros(self.inside_NL.shape)
        table_NL[self.inside_NL] = value_T
        return table_NL

    def pack(self, table_NL: torch.Tensor) -> torch.Tensor:
        return table_NL[self.inside_NL]

    @property
    def old_NL(self) -> torch.Tensor:
        return self.table(self.batch.old_logprobs_T)

    @property
    def rollout_NL(self) -> torch.Tensor:
        return self.table(self.batch.rollout_logprobs_T)

    @property
    def ref_NL(self) -> torch.Tensor:
        return self.table(self.batch.ref_logprobs_T)

    @property
    def reward_N(self) -> torch.Tensor:
        return self.batch.reward_N

    @property
    def groups(self) -> list[torch.Tensor]:
        """The rollouts of each group."""
        return [(self.batch.group_N == group).nonzero().squeeze(1) for group in self.batch.group_N.unique()]

    def per_group(self, value_N: torch.Tensor, compute: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
        """The computation on the values of each group, put back in the order of the rollouts."""
        out_N = torch.zeros_like(value_N)
        for members in self.groups:
            out_N[members] = compute(value_N[members])
        return out_N

    @property
    def last_NL(self) -> torch.Tensor:
        """1 at the last sampled token of each rollout, else 0."""
        later_NL = self.mask_NL.flip(1).cumsum(1).flip(1)
        return self.mask_NL * (later_NL == 1)

    def with_rewards(self, *rewards: float) -> Case:
        return replace(self, batch=replace(self.batch, reward_N=torch.tensor(rewards)))


BINARY = (1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0)
"""Two groups of mixed rewards and one that is all right."""


def draw(seed: int, *, binary: bool = False, spread: float = 0.6) -> Case:
    """Three groups of four rollouts of different lengths. `spread` is that of the log-ratios."""
    random = torch.Generator().manual_seed(seed)
    count = 12
    total_N = torch.randint(3, 10, (count,), generator=random)
    inside_NL = torch.arange(10)[None] < total_N[:, None]
    mask_NL = (torch.rand(count, 10, generator=random) < 0.7) & inside_NL
    mask_NL[torch.arange(count), total_N - 1] |= torch.rand(count, generator=random) < 0.5
    mask_NL[:, 1] = True

    def noise() -> torch.Tensor:
        return spread * torch.randn(count, 10, generator=random)

    old_NL = -0.05 - 2 * torch.rand(count, 10, generator=random)
    new_NL, rollout_NL, ref_NL = old_NL + noise(), old_NL + noise(), old_NL + noise()
    value_NL, process_NL = torch.rand(count, 10, generator=random), torch.randn(count, 10, generator=random)
    rollout_T = torch.arange(count).repeat_interleave(total_N)
    reward_N = torch.tensor(BINARY) if binary else torch.rand(count, generator=random)
    batch = Batch(
        tokens_T=torch.randint(0, 50, (len(rollout_T),), generator=random),
        rollout_T=rollout_T,
        loss_mask_T=mask_NL[inside_NL],
        rollout_logprobs_T=rollout_NL[inside_NL],
        old_logprobs_T=old_NL[inside_NL],
        reward_N=reward_N,
        group_N=torch.arange(3).repeat_interleave(4),
        valid_N=torch.ones(count, dtype=torch.bool),
        truncated_N=torch.zeros(count, dtype=torch.bool),
        ref_logprobs_T=ref_NL[inside_NL],
        value_T=value_NL[inside_NL],
        process_reward_T=process_NL[inside_NL],
    )
    return Case(batch, inside_NL, mask_NL.float(), new_NL.where(inside_NL, 0.0))


def our_advantage(name: str, case: Case, **options: object) -> torch.Tensor:
    """A registered advantage as a table."""
    chosen = ADVANTAGES[name]
    return case.table(chosen(case.batch, chosen.options.from_dict(options)))


def our_loss(name: str, case: Case, advantage_NL: torch.Tensor, **options: object) -> Callable[[torch.Tensor], torch.Tensor]:
    """A registered loss as a function of the table of new log-probabilities."""
    chosen = LOSSES[name]

    def loss(new_NL: torch.Tensor) -> torch.Tensor:
        return chosen(case.pack(new_NL), case.batch, case.pack(advantage_NL), chosen.options.from_dict(options))[0]

    return loss


def token_mean(loss_NL: torch.Tensor, mask_NL: torch.Tensor) -> torch.Tensor:
    return (loss_NL * mask_NL).sum() / mask_NL.sum()


def rollout_mean(loss_NL: torch.Tensor, mask_NL: torch.Tensor) -> torch.Tensor:
    return ((loss_NL * mask_NL).sum(1) / mask_NL.sum(1)).mean()


def same_values(ours_NL: torch.Tensor, theirs_NL: torch.Tensor, tolerance: float = 1e-5) -> None:
    """Equal values, which are not all 0."""
    assert theirs_NL.abs().max() > 1e-4
    torch.testing.assert_close(ours_NL, theirs_NL.to(ours_NL.dtype), rtol=tolerance, atol=tolerance)


def same_losses(
    ours: Callable[[torch.Tensor], torch.Tensor], theirs: Callable[[torch.Tensor], torch.Tensor], case: Case, tolerance: float = 1e-5
) -> None:
    """Equal values and gradients over the new log-probabilities; both are checked to be more than zeros."""
    found = []
    for loss in (ours, theirs):
        new_NL = case.new_NL.clone().requires_grad_()
        value = loss(new_NL)
        (gradient_NL,) = torch.autograd.grad(value, new_NL)
        found.append((value.detach(), gradient_NL))
    torch.testing.assert_close(found[0][0], found[1][0], rtol=tolerance, atol=tolerance)
    torch.testing.assert_close(found[0][1], found[1][1], rtol=tolerance, atol=tolerance)
    assert found[0][1].abs().max() > 1e-4
