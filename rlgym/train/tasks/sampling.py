"""Sampling rules: bundles and pairs of tasks, and numbers of rollouts and tasks.

Pure functions; all randomness comes from the Rng that is passed in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from rlgym.core.rng import Rng
from rlgym.train.registry import OptionError

K = TypeVar("K")


def sample_bundles(tasks: Sequence[K], size: int, rng: Rng) -> tuple[list[tuple[K, ...]], list[K]]:
    """The tasks in random bundles of `size`, and the tasks left over. From "RiskPO"."""
    if size < 1:
        raise OptionError(f"a bundle needs at least one task, got size={size}")
    order = rng.shuffled(tasks)
    bundled = len(order) // size * size
    return [tuple(order[start : start + size]) for start in range(0, bundled, size)], order[bundled:]


def pair_hard_with_easy(success: Mapping[K, float], rng: Rng) -> list[tuple[K, K]]:
    """Pairs of a task with a low and a task with a high success rate; tasks never or always solved are left out.

    The hardest is paired with the easiest, the next with the next; ties are ordered at random.
    """
    known = [task for task, rate in success.items() if 0 < rate < 1]
    order = sorted(rng.shuffled(known), key=lambda task: success[task])
    hard = [task for task in order if success[task] <= 0.5]
    easy = [task for task in reversed(order) if success[task] > 0.5]
    return list(zip(hard, easy, strict=False))


def rollouts_for_success_rate(success: float, group_size: int, max_group_size: int, hardness_weighted: bool = False) -> int:
    """The number of rollouts for a task, from the success rate of its first ones. From "DARS".

    Mean-only advantages of n rollouts sum to 2 n p (1 - p), which starves hard tasks. Tasks solved at least half of the time keep
    `group_size`; harder ones get enough to reach group_size / 2, or group_size (1 - p) if `hardness_weighted`, up to
    `max_group_size`, which tasks never solved get.
    """
    if not 0 <= success <= 1 or not 1 <= group_size <= max_group_size:
        raise OptionError(
            f"need a success rate from 0 to 1 and 1 <= group_size <= max_group_size, got {success=}, {group_size=}, {max_group_size=}"
        )
    if success >= 0.5:
        return group_size
    if success == 0:
        return max_group_size
    wanted = group_size / (2 * success) if hardness_weighted else group_size / (4 * success * (1 - success))
    return min(max_group_size, max(group_size, math.ceil(wanted - 1e-9)))


def num_tasks_to_draw(wanted: int, kept_fraction: float, max_tasks: int) -> int:
    """The number of tasks to sample at once for about `wanted` useful groups, if `kept_fraction` of recent groups were useful.

    From "CodeV-R1", instead of sampling repeatedly until a batch is full.
    """
    if wanted < 1 or max_tasks < wanted or not 0 <= kept_fraction <= 1:
        raise OptionError(f"need 1 <= wanted <= max_tasks and a fraction from 0 to 1, got {wanted=}, {kept_fraction=}, {max_tasks=}")
    return max_tasks if kept_fraction == 0 else min(max_tasks, math.ceil(wanted / kept_fraction - 1e-9))
