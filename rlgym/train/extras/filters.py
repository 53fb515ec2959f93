"""Rollouts that should not be learned from as they are: groups without a signal, and answers that were cut off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from rlgym.train.axes import group_std, rewards_N
from rlgym.train.choices import Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


class OverlongOptions(Options):
    """Options of `soft_overlong`."""

    most: int = Field(..., ge=1, description="tokens at which the penalty is whole")
    margin: int = Field(..., ge=1, description="tokens before `most` at which it begins")
    penalty: float = Field(1.0, ge=0, le=10, description="what a rollout of `most` tokens or more loses")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.margin > self.most:
            raise ValueError(f"margin must not exceed most, or the shortest rollout is penalised, got {self.margin} and {self.most}")
        return self


@dataclass(frozen=True, slots=True)
class Counts:
    """How many groups of a batch there were, by what they can teach.

    dead        all rewards equal, and below `right_from`
    saturated   all rewards equal, and at least `right_from`
    useful      rewards that differ
    empty       no rollout with a valid score
    """

    dead: int
    saturated: int
    useful: int
    empty: int


def signal_counts(batch: Batch, right_from: float = 0.5) -> Counts:
    """The groups by what they can teach; a group of one is dead or saturated."""
    groups = batch.group_N.unique().tolist()
    facts = zip(
        batch.group_N.tolist(),
        batch.valid_N.tolist(),
        (group_std(rewards_N(batch), batch) > 0).tolist(),
        rewards_N(batch).tolist(),
        strict=True,
    )
    kinds = {group: (useful, reward) for group, valid, useful, reward in facts if valid}
    useful = sum(differ for differ, _ in kinds.values())
    saturated = sum(reward >= right_from for differ, reward in kinds.values() if not differ)
    return Counts(len(kinds) - useful - saturated, saturated, useful, len(groups) - len(kinds))


def dynamic_sampling(batch: Batch, right_from: float = 0.5) -> tuple[Batch, Counts]:
    """The batch with groups of equal rewards left out, and how many groups of each kind it had. From "DAPO".

    The loop is to draw further tasks in their place (`rlgym.train.samplers.tasks_to_draw`); an average over tokens then runs
    over the tokens that teach something.
    """
    useful_N = group_std(rewards_N(batch), batch) > 0
    return replace(batch, valid_N=batch.valid_N & useful_N), signal_counts(batch, right_from)


def overlong_filter(batch: Batch) -> Batch:
    """The batch with rollouts that were cut off left out: what they were worth is not known. From "DAPO"."""
    return replace(batch, valid_N=batch.valid_N & ~batch.cut_N)


def soft_overlong(length_N: Tensor, options: OverlongOptions) -> Tensor:
    """What to add to the reward of a rollout of so many sampled tokens: 0 up to most - margin, then down to -penalty. From "DAPO"."""
    over_N = (length_N.float() - (options.most - options.margin)) / options.margin
    return -options.penalty * over_N.clamp(0, 1)
