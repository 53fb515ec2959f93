"""Which tasks go together in a batch, and how often each is tried.

Pure functions of what is known so far; whatever is drawn comes from the Rng that is handed in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from rlgym.core.rng import Rng
from rlgym.train.choices import OptionError

if TYPE_CHECKING:
    from torch import Tensor

K = TypeVar("K")


def bundles(tasks: Sequence[K], size: int, rng: Rng) -> tuple[list[tuple[K, ...]], list[K]]:
    """The tasks in random bundles of `size`, and those left over. From "RiskPO"."""
    if size < 1:
        raise OptionError(f"a bundle holds at least one task, got size={size}")
    order = rng.shuffled(tasks)
    whole = len(order) // size * size
    return [tuple(order[start : start + size]) for start in range(0, whole, size)], order[whole:]


def bundle_rollouts(group_N: Tensor, size: int) -> Tensor:
    """For each rollout its bundle: the i-th rollouts of `size` tasks that follow each other are added up.

    The order of a task's rollouts means nothing, so that any pairing of them is as good as another; give `Batch.bundle_N` to
    fix it. Tasks left over at the end make smaller bundles.
    """
    seen: dict[int, int] = {}
    names: dict[tuple[int, int], int] = {}
    numbers = []
    for group in group_N.tolist():
        turn = seen.get(group, 0)
        seen[group] = turn + 1
        numbers.append(names.setdefault((group // size, turn), len(names)))
    return group_N.new_tensor(numbers)


def pairs(success: Mapping[K, float], rng: Rng) -> list[tuple[K, K]]:
    """Pairs of a task that is seldom solved and one that is seldom failed; tasks never or always solved are left out.

    The hardest goes with the easiest, the next with the next; equals come in random order.
    """
    known = [task for task, rate in success.items() if 0 < rate < 1]
    order = sorted(rng.shuffled(known), key=lambda task: success[task])
    hard = [task for task in order if success[task] <= 0.5]
    easy = [task for task in reversed(order) if success[task] > 0.5]
    return list(zip(hard, easy, strict=False))


def rollouts_wanted(success: float, group: int, most: int, hardness_weighted: bool = False) -> int:
    """How many rollouts a task should get in all, from the success rate of a first few. From "DARS".

    Mean-only advantages of n rollouts add up to 2 n p (1 - p), which starves hard tasks. Tasks solved at least half of the
    time keep `group`; harder ones get enough to reach group / 2, or group (1 - p) when `hardness_weighted`, and never more
    than `most`, which is what tasks never solved get.
    """
    if not 0 <= success <= 1 or not 1 <= group <= most:
        raise OptionError(f"need a success rate from 0 to 1 and 1 <= group <= most, got {success=}, {group=}, {most=}")
    if success >= 0.5:
        return group
    if success == 0:
        return most
    wanted = group / (2 * success) if hardness_weighted else group / (4 * success * (1 - success))
    return min(most, max(group, math.ceil(wanted - 1e-9)))


def tasks_to_draw(wanted: int, kept_share: float, most: int) -> int:
    """How many tasks to try at once so that about `wanted` groups will have a signal, where `kept_share` had one lately.

    From "CodeV-R1", in place of drawing again and again until a batch is full.
    """
    if wanted < 1 or most < wanted or not 0 <= kept_share <= 1:
        raise OptionError(f"need 1 <= wanted <= most and a share from 0 to 1, got {wanted=}, {kept_share=}, {most=}")
    return most if kept_share == 0 else min(most, math.ceil(wanted / kept_share - 1e-9))
