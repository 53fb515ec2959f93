"""Laws 8 and 9. Tasks get harder as the level rises, and there is no end of different ones."""

from __future__ import annotations

from itertools import pairwise

from rlgym.laws.finding import Effort, Finding
from rlgym.laws.subject import LEVELS, Subject

COSTED = (16, 48, 120)
REPEATS = 0.01
SHARED = 0.02


def harder(subject: Subject, effort: Effort) -> Finding:
    """Law 8: the mean cost rises from each level to the next, and no two levels draw from one small pool.

    Where a few tasks do not show it more are drawn, since the costs of single tasks may lie far apart and a task may be drawn twice by chance.
    """
    found = Finding()
    means: list[float] = []
    shared = 1.0
    for count in COSTED:
        means = [_mean_cost(subject, level, count) for level in LEVELS]
        prompts = [{subject.task(i, level).prompt for i in range(count)} for level in LEVELS]
        shared = max(len(one & other) / count for k, one in enumerate(prompts) for other in prompts[:k])
        if shared <= SHARED and all(here < after for here, after in pairwise(means)):
            break
    for level, here, after in zip(LEVELS[1:], means, means[1:]):
        found.require(after > here, f"the mean cost at level {level} is {after:g}, not above {here:g} of the level before")
    found.require(shared <= SHARED, f"two levels share {shared:.0%} of their tasks")
    found.measured = {"cost": [round(mean, 2) for mean in means], "tasks": count, "shared": round(shared, 4)}
    return found


def _mean_cost(subject: Subject, level: float, count: int) -> float:
    tasks = [subject.task(i, level) for i in range(count)]
    return sum(float(subject.declared.cost(task if subject.single else task.data)) for task in tasks) / count


def rich(subject: Subject, effort: Effort) -> Finding:
    """Law 9: near-no duplicates in a thousand seeds at the middle level, and neighbouring seeds share none."""
    found = Finding()
    prompts = [subject.task(seed).prompt for seed in effort.samples(120, 1000)]
    repeats = 1 - len(set(prompts)) / len(prompts)
    neighbours = sum(one == other for one, other in pairwise(prompts))
    found.require(repeats <= REPEATS, f"{repeats:.1%} of {len(prompts)} tasks at the middle level repeat an earlier one")
    found.require(neighbours == 0, f"{neighbours} pairs of neighbouring seeds make the same task")
    easiest = [subject.task(seed, 0.0).prompt for seed in range(60)]
    found.require(len(set(easiest)) >= 30, f"at level 0 there are only {len(set(easiest))} different tasks in 60 seeds")
    found.measured = {
        "tasks": len(prompts),
        "repeats": round(repeats, 5),
        "neighbours": neighbours,
        "different_of_60_at_level_0": len(set(easiest)),
    }
    return found
