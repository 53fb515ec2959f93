"""The reference loop: the unit in which the laws measure time.

A limit in seconds would depend on the machine. A multiple of a loop of plain Python, timed next to what it is compared with, does not.
CPU time of this process is measured, not elapsed time, so that other programs on the machine count as little as possible.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable

REFERENCE_LOOPS = 30_000
"""About a millisecond of plain Python on the machine on which the limits were set."""

Clock = Callable[[], float]


def cpu_seconds(call: Callable[[], object], clock: Clock = time.process_time) -> float:
    """How long a call takes by a clock, which counts this process's CPU time unless another one is given."""
    begun = clock()
    call()
    return clock() - begun


def reference_seconds(repeats: int = 3, clock: Clock = time.process_time) -> float:
    """The median time of the reference loop."""
    return statistics.median(cpu_seconds(_loop, clock) for _ in range(repeats))


def least_units(
    call: Callable[[], object], allowed: float, repeats: tuple[int, ...] = (1, 4, 20, 75), clock: Clock = time.process_time
) -> float:
    """The least time of several calls, in reference units; more calls follow while it is above the allowed one.

    The least of several repeats is what the call takes if nothing disturbs it. Each batch of calls is compared with a reference
    of its own, since the clock rate of a shared processor may change within seconds.
    """
    least = math.inf
    for count in repeats:
        unit = reference_seconds(clock=clock)
        least = min(least, *(cpu_seconds(call, clock) / unit for _ in range(count)), math.inf)
        if least <= allowed:
            break
    return least


def in_reference_units(call: Callable[[], object]) -> float:
    """A call in reference units, by one loop before and one after it."""
    before, seconds, after = (cpu_seconds(each) for each in (_loop, call, _loop))
    return 2 * seconds / (before + after)


def _loop() -> int:
    total = 0
    for i in range(REFERENCE_LOOPS):
        total += i * i % 7
    return total
