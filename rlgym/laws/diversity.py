"""There are many different tasks."""

from __future__ import annotations

from itertools import pairwise

from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.margins import most_by_chance
from rlgym.laws.subject import Subject

TASKS = Samples(least=10, quick=24, standard=200, certificate=1000)
TRIED_NEXT = (240, 1000)
SMALLEST_POOL = 10_000
"""Among 1,000 tasks of a pool of 10,000 equally likely ones, 50 pairs are equal on average (5 %); among 24 tasks, 0.03 pairs, among 10 tasks 0.005."""
EASIEST = Samples(least=10, quick=24, standard=60, certificate=60)
LEAST_DIFFERENT = 0.5


def diversity(subject: Subject, effort: Effort) -> Finding:
    """Tasks of the middle level repeat no more often than chance repeats those of a pool of 10,000; neighbouring seeds give different tasks.

    A sample with more repeats than expected from such a pool is enlarged to up to 1,000 tasks. At level 0, half of the tasks differ.
    """
    finding, first = Finding(), TASKS.at(effort, subject.runs_programs)
    for count in (first, *(more for more in TRIED_NEXT if more > first)):
        prompts = [subject.task(seed).prompt for seed in range(1, count + 1)]
        repeats = count - len(set(prompts))
        if repeats <= expected_repeats(count) or repeats > most_repeats(count):
            break
    most = most_repeats(count)
    finding.require(
        repeats <= most,
        f"{repeats} of the tasks of level 0.5, seeds 1 to {count}, repeat an earlier one; a pool of {SMALLEST_POOL:,} explains up to {most}",
    )
    neighbours = [seed for seed, (first, second) in enumerate(pairwise(prompts), 1) if first == second]
    finding.require(
        not neighbours, f"{len(neighbours)} pairs of neighbouring seeds give the same task, first seed {(neighbours or [0])[0]}"
    )
    easiest = EASIEST.at(effort, subject.runs_programs)
    different = len({subject.task(seed, 0.0).prompt for seed in range(1, easiest + 1)})
    finding.require(different >= LEAST_DIFFERENT * easiest, f"at level 0 only {different} of the tasks of seeds 1 to {easiest} differ")
    finding.measured = {
        "tasks": count,
        "repeats": round(repeats / count, 5),
        "neighbours": len(neighbours),
        f"different_of_{easiest}_at_level_0": different,
    }
    return finding


def expected_repeats(count: int) -> float:
    """How many pairs of equal tasks to expect among this many from the smallest pool that is allowed."""
    return count * (count - 1) / 2 / SMALLEST_POOL


def most_repeats(count: int) -> int:
    """How many pairs of equal tasks chance explains among this many from the smallest pool that is allowed."""
    return most_by_chance(count * (count - 1) // 2, 1 / SMALLEST_POOL)
