"""Generating a task and scoring an answer stay within N times a reference loop that is measured at the same time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from rlgym.core.task import Task
from rlgym.episode.play import advance, start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.reference import cpu_seconds, in_reference_units, least_units, reference_seconds
from rlgym.laws.subject import Subject

TASKS = Samples(least=2, quick=3, standard=9, certificate=25)
MOST_TO_GENERATE = {0.0: 50.0, 0.25: 50.0, 0.5: 50.0, 0.75: 250.0, 1.0: 250.0}  # in reference units, about milliseconds
MOST_TO_VERIFY = 10.0
HEAVY = 8  # times as much where a verdict runs a program or asks a solver
SLOWEST = 40  # times as much for a single task: a search that does not end for some seeds shows in no median
FURTHER = Samples(least=0, standard=6, certificate=6)  # tasks that are drawn in addition where the median of the first is above the limit


def speed(subject: Subject, effort: Effort) -> Finding:
    """Generating takes at most 50 reference units (250 at the levels above 0.5), a verdict at most 10 (80 with a program or a solver).

    A single task takes at most 40 times the limit. A task that is composed of several tasks may take as many times as long.
    The measure `share_of_limit` is the largest share of a limit of a median or a verdict.
    """
    finding, unit, shares = Finding(), reference_seconds(), list[float]()
    for level in (0.5, 1.0) if effort.is_small else sorted(MOST_TO_GENERATE):
        count = _tasks_inside(subject, level)
        allowed = MOST_TO_GENERATE[level] * count
        units = _units_to_generate(subject, level, effort, allowed, unit)
        shares.append(units / allowed)
        finding.require(
            units <= allowed, f"generating a task at level {level} takes {units:.0f} reference units, the limit is {allowed:.0f}"
        )
        seed, slowest = _slowest_task(subject, level, unit)
        finding.require(
            slowest <= SLOWEST * allowed,
            f"generating the task of seed {seed} at level {level} takes {slowest:.0f} reference units, the limit is {SLOWEST * allowed:.0f}",
        )
        allowed = MOST_TO_VERIFY * count * (HEAVY if _is_heavy(subject) else 1)
        judged = _units_to_verify(subject, subject.task(1, level), effort, allowed, unit)
        shares.append(judged / allowed)
        finding.require(judged <= allowed, f"a verdict at level {level} takes {judged:.1f} reference units, the limit is {allowed:.0f}")
        finding.measured[f"generate_ms_{level:g}"] = round(units * unit * 1000, 3)
        finding.measured[f"verify_ms_{level:g}"] = round(judged * unit * 1000, 4)
        if not finding.passed:  # the levels above would take longer still
            break
    finding.measured["reference_ms"] = round(unit * 1000, 3)
    finding.measured["share_of_limit"] = round(max(shares), 3)
    return finding


def _units_to_generate(subject: Subject, level: float, effort: Effort, allowed: float, unit: float) -> float:
    """The median time of generating a task, as measured when the shared tasks were generated.

    If that is above the limit, these and further tasks are generated anew, each with a reference loop before and after it; the least of
    two medians counts, because a busy machine slows down what uses much memory more than it slows down the loop.
    """
    count = TASKS.at(effort)
    seeds = range(1, count + 1)
    for seed in seeds:
        subject.task(seed, level)
    median = statistics.median_low(subject.generation_seconds[seed, level] / unit for seed in seeds)
    if median <= allowed:
        return median
    more = range(1, count + FURTHER.at(effort) + 1)
    medians = [statistics.median(in_reference_units(partial(subject.fresh, seed, level)) for seed in more) for _ in range(2)]
    return min(medians)


def _slowest_task(subject: Subject, level: float, unit: float) -> tuple[int, float]:
    """The seed of the shared task of a level that took longest, and its time in reference units."""
    seconds = {seed: each for (seed, at), each in subject.generation_seconds.items() if at == level}
    seed = max(seconds, key=seconds.__getitem__)
    return seed, seconds[seed] / unit


def _units_to_verify(subject: Subject, task: Task[Any], effort: Effort, allowed: float, unit: float) -> float:
    """The time of one verdict. Where it runs a program in another process, elapsed time is compared with elapsed time.

    At the small efforts, a verdict well below the limit is timed once, by the unit of the law; all others with references of their own.
    """
    response = subject.write(subject.right(task))
    call = partial(_play_turn, subject, task, response)
    if effort.is_small and not subject.sandboxed and (units := cpu_seconds(call) / unit) <= allowed / 2:
        return units
    return least_units(call, allowed, clock=time.perf_counter if subject.sandboxed else time.process_time)


def _play_turn(subject: Subject, task: Task[Any], response: str) -> None:
    advance(subject.declared, start_episode(subject.declared, task, "tag"), response, "tag")


def _tasks_inside(subject: Subject, level: float) -> int:
    """How many tasks of another environment a task of this one is composed of."""
    inside: Callable[[Task[Any]], int] | None = getattr(subject.declared, "tasks_inside", None)
    return inside(subject.task(1, level)) if inside else 1


def _is_heavy(subject: Subject) -> bool:
    needs: tuple[str, ...] = getattr(subject.declared, "needs", ())
    return subject.runs_programs or bool(needs)
