"""Laws 10 and 11. What is saved is enough to judge by, elsewhere too; and all of it is fast."""

from __future__ import annotations

import json
import math
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from rlgym.core.task import Task
from rlgym.episode.play import advance, opening
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.other_process import elsewhere
from rlgym.laws.subject import LEVELS, Subject, fingerprint

REFERENCE_LOOPS = 30_000
"""About a millisecond of plain Python on the machine that the limits were set on. Limits are multiples of it, measured
beside the environment, so that they hold on slower and busier machines too."""

MOST_TO_GENERATE = {0.0: 50.0, 0.25: 50.0, 0.5: 50.0, 0.75: 250.0, 1.0: 250.0}
MOST_TO_VERIFY = 10.0
HEAVY = 8  # times as much where programs are run or a solver proves


def saved(subject: Subject, effort: Effort) -> Finding:
    """Law 10: a task read back from JSON is the same, and is scored the same in another process."""
    found, asked, here = Finding(), [], []
    for i in effort.samples(2, 12):
        for level in LEVELS:
            task = subject.task(i, level)
            text = json.dumps(task.to_dict())
            again = subject.declared.data.model_validate_json(json.dumps(json.loads(text)["data"]))
            found.require(again == task.data, f"the data of seed {i} at level {level} changes when saved and read back")
            back = Task(task.prompt, again, task.origin)
            found.require(fingerprint(back) == fingerprint(task), f"seed {i} at level {level} changes when saved and read back")
            if subject.single:
                for answer in [subject.right(task), *subject.mistakes(opening(subject.declared, task, "tag"))[:3]]:
                    response = subject.says(answer)
                    score = subject.score(task, response)
                    found.require(score == subject.score(back, response), f"seed {i} at level {level} is scored otherwise when read back")
                    asked.append((task.to_dict(), response))
                    here.append(score.to_dict())
            else:
                _resumed(subject, task, found, f"seed {i} at level {level}")
    if asked:
        asked, here = asked[:60], here[:60]
        there = elsewhere(subject, {"score": asked})
        for (_, response), one, other in zip(asked, here, there):
            found.require(one == other, f"{response!r:.60} scores {other} in another process, {one} here")
    found.measured = {"verdicts_elsewhere": len(asked)}
    return found


def _resumed(subject: Subject, task: Task[Any], found: Finding, where: str) -> None:
    """A game goes on alike from a state that was saved half way, and from a snapshot."""
    from dataclasses import replace

    whole = subject.play(task, subject.oracle())
    half = opening(subject.declared, task, "tag")
    policy = subject.oracle()
    for _ in range(whole.turn // 2):
        half = advance(subject.declared, half, policy(half), "tag")
    state = subject.declared.data.model_validate_json(half.state.model_dump_json())
    found.require(state == half.state, f"the state half way through {where} changes when saved and read back")
    resumed = replace(half, state=state)
    while resumed.score is None and resumed.turn <= whole.limit:
        resumed = advance(subject.declared, resumed, policy(resumed), "tag")
    found.require(resumed.transcript == whole.transcript and resumed.score == whole.score, f"{where} goes on otherwise from a saved state")


def fast(subject: Subject, effort: Effort) -> Finding:
    """Law 11: a task is made and an answer judged within a budget, in units of a reference loop timed beside them."""
    found = Finding()
    unit = _reference()
    for level in (0.5, 1.0) if effort.hurried else LEVELS:
        generate, units = _generating(subject, level, _seeds(effort))
        task = subject.task(0, level)
        response = subject.says(subject.right(task))
        # A process of its own, or a proof by a solver, is another kind of verdict than a comparison.
        boxed = getattr(subject.declared, "sandbox", None) is not None
        heavy = boxed or bool(getattr(subject.declared, "needs", ()))
        allowed = MOST_TO_VERIFY * (HEAVY if heavy else 1)
        judged = _soonest(partial(_one_verdict, subject, task, response), allowed, time.perf_counter if boxed else time.process_time)
        found.require(units <= MOST_TO_GENERATE[level], f"a task at level {level} takes {units:.0f} reference units")
        found.require(judged <= allowed, f"a verdict at level {level} takes {judged:.1f} reference units")
        found.measured[f"generate_ms_{level:g}"] = round(generate * 1000, 3)
        found.measured[f"verify_ms_{level:g}"] = round(judged * unit * 1000, 4)
        if not found.passed:  # the levels above would take longer still
            break
    found.measured["reference_ms"] = round(unit * 1000, 3)
    return found


def _seeds(effort: Effort) -> list[int]:
    """Seeds to time one level with: more of them where there is time, few in a hurry, where the middle and the highest level are timed only."""
    return [960 + i for i in range(25 if effort.seconds > 0.5 else 5 if effort.hurried else 9)]


def _one_verdict(subject: Subject, task: Task[Any], response: str) -> None:
    advance(subject.declared, opening(subject.declared, task, "tag"), response, "tag")


def _soonest(call: Callable[[], object], allowed: float, clock: Callable[[], float]) -> float:
    """The least of five times, in reference units, or of many where a busy machine may have stretched all five.

    Each is set against the reference beside it, since the clock of a shared processor may change within seconds.
    """
    soonest = math.inf
    for tries in (5, 25, 100):
        unit = _reference()
        soonest = min(soonest, *(_timed(call, clock) / unit for _ in range(tries)))
        if soonest <= allowed:
            break
    return soonest


def _timed(call: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    begun = clock()
    call()
    return clock() - begun


def _generating(subject: Subject, level: float, seeds: list[int]) -> tuple[float, float]:
    """The median time of making a task, in seconds and in reference units: the least of three tries, if one is above the limit.

    A busy machine stretches what touches much memory more than it stretches the reference.
    """
    found = []
    for _ in range(3):
        made = [_beside_reference(partial(subject.fresh, seed, level)) for seed in seeds]
        seconds, units = (statistics.median(column) for column in zip(*made))
        found.append((seconds, units))
        if units <= MOST_TO_GENERATE[level]:
            break
    return min(found, key=lambda pair: pair[1])


def _beside_reference(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds of this process's own work, and how many reference loops that is, by one before and one after.

    What other programs do on the machine then counts as little as can be.
    """
    before, seconds, after = (_timed(one, time.process_time) for one in (_loop, call, _loop))
    return seconds, 2 * seconds / (before + after)


def _reference() -> float:
    return statistics.median(_timed(_loop, time.process_time) for _ in range(15))


def _loop() -> int:
    total = 0
    for i in range(REFERENCE_LOOPS):
        total += i * i % 7
    return total
