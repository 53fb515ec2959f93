"""Measures how often a function runs per second."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def per_second(call: Callable[[int], object], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Calls per second, the median of five rounds; the first call is not counted. `time.process_time` as clock leaves out other processes."""
    call(0)
    rates, i = [], 1
    for _ in range(5):
        begun, first = clock(), i
        while clock() - begun < seconds / 5 or i == first:
            call(i)
            i += 1
        rates.append((i - first) / (clock() - begun))
    return statistics.median(rates)
