"""Tasks get harder as the level rises."""

from __future__ import annotations

from itertools import pairwise

from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import FROZEN_LEVELS, LEVELS, Subject

TASKS = Samples(least=2, quick=3, standard=16, certificate=48)  # at each level
TRIED_NEXT = (3, 16, 48, 120)
MOST_SHARED = 0.02


def monotonic_difficulty(subject: Subject, effort: Effort) -> Finding:
    """The mean cost rises from each level to the next, and no two levels share more than 2 % of their tasks.

    The small efforts compare levels 0, 0.5 and 1, whose tasks the other laws generate too; the other efforts compare all five levels.
    The costs of single tasks may lie far apart, and a task may be drawn twice by chance, so a sample that does not show this is
    enlarged to up to 120 tasks at each level.
    """
    finding, first = Finding(), TASKS.at(effort)
    levels = FROZEN_LEVELS if effort.is_small else LEVELS
    means: list[float] = []
    shared = 1.0
    for count in (first, *(more for more in TRIED_NEXT if more > first)):
        means = [_mean_cost(subject, level, count) for level in levels]
        prompts = [{subject.task(seed, level).prompt for seed in range(1, count + 1)} for level in levels]
        shared = max(len(prompt & other) / count for k, prompt in enumerate(prompts) for other in prompts[:k])
        if shared <= MOST_SHARED and all(current < after for current, after in pairwise(means)):
            break
    for level, current, after in zip(levels[1:], means, means[1:]):
        finding.require(
            after > current, f"the mean cost at level {level} is {after:g}, not above {current:g} of the level before (seeds 1 to {count})"
        )
    finding.require(shared <= MOST_SHARED, f"two levels share {shared:.0%} of their tasks (seeds 1 to {count})")
    finding.measured = {"cost": [round(mean, 2) for mean in means], "tasks": count, "shared": round(shared, 4)}
    return finding


def _mean_cost(subject: Subject, level: float, count: int) -> float:
    tasks = [subject.task(seed, level) for seed in range(1, count + 1)]
    return sum(float(subject.declared.cost(task if subject.single else task.data)) for task in tasks) / count
