"""Bundles of tasks for `mvar`: which rollouts belong together, and quantiles of bundle scores over many steps.

Axes: N rollouts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.train.tasks.sampling import sample_bundles

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


def bundle_rollouts(group_N: Tensor, size: int) -> Tensor:
    """The bundle of each rollout: the i-th rollouts of `size` consecutive tasks belong together.

    The order of a task's rollouts is arbitrary, so any assignment is as good as another; set `Batch.bundle_N` to fix it. Tasks left
    over at the end make smaller bundles.
    """
    seen: dict[int, int] = {}
    names: dict[tuple[int, int], int] = {}
    numbers = []
    for group in group_N.tolist():
        member = seen.get(group, 0)
        seen[group] = member + 1
        numbers.append(names.setdefault((group // size, member), len(names)))
    return group_N.new_tensor(numbers)


def assign_bundles(batch: Batch, size: int, seed: int) -> Batch:
    """The batch with its tasks in random bundles. Tasks left over, and bundles that lack a rollout, carry no loss."""
    bundles, _ = sample_bundles(batch.group_N.unique().tolist(), size, Rng("bundles", seed))
    bundle_of = {group: number for number, members in enumerate(bundles) for group in members}
    counts: dict[int, int] = {}
    members: dict[tuple[int, int], list[int]] = {}
    for index, group in enumerate(batch.group_N.tolist()):
        counts[group] = counts.get(group, -1) + 1
        if group in bundle_of:
            members.setdefault((bundle_of[group], counts[group]), []).append(index)
    full = [indices for indices in members.values() if len(indices) == size]
    # Rollouts in no bundle get a number of their own.
    bundle_N = batch.group_N.new_tensor(range(len(full), len(full) + len(batch.group_N)))
    bundled_N = batch.valid_N.new_zeros(len(batch.valid_N))
    for number, indices in enumerate(full):
        bundle_N[indices], bundled_N[indices] = number, True
    return replace(batch, bundle_N=bundle_N, valid_N=batch.valid_N & bundled_N)
