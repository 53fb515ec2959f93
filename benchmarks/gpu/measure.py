"""What every part needs: sizes, a clock that waits for the device, ceilings, and rows for the table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True)
class Place:
    """Where it runs, and whether at toy size. `minutes` is the longest that the learning run may take."""

    device: str
    small: bool
    minutes: float
    folder: str

    @property
    def dtype(self) -> torch.dtype:
        """The numbers of the network: 16 bits on a GPU."""
        return torch.bfloat16 if self.device == "cuda" else torch.float32

    @property
    def bytes(self) -> int:
        """Bytes of one such number."""
        return 2 if self.device == "cuda" else 4

    def size(self, small: Any, full: Any) -> Any:
        """The first at toy size, else the second."""
        return small if self.small else full


@dataclass(frozen=True)
class Row:
    """One figure: its value with a unit, what it is held against, and the share of that which it reaches."""

    part: str
    what: str
    value: float | None
    unit: str = ""
    against: str = ""
    share: float | None = None
    goal: str = ""


class Skip(Exception):
    """A part cannot be measured here, for a reason that is no fault."""


def now(device: str) -> float:
    """The time in seconds, read after the device has finished all queued work."""
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def seconds(device: str, call: Callable[[], object], times: int = 5, before: int = 2) -> float:
    """The median time of a call, after a few that do not count."""
    for _ in range(before):
        call()
    taken = []
    for _ in range(times):
        start = now(device)
        call()
        taken.append(now(device) - start)
    return statistics.median(taken)


def bandwidth(place: Place) -> float:
    """Bytes a second that a copy from memory to memory of the same device reads and writes."""
    numbers = place.size(1 << 22, 1 << 29)
    source = torch.zeros(numbers, dtype=torch.int32, device=place.device)
    target = torch.empty_like(source)
    return 2 * 4 * numbers / seconds(place.device, lambda: target.copy_(source), times=10)


def matmul_rate(place: Place) -> float:
    """Floating-point operations a second of a large product of square matrices."""
    side = place.size(384, 8192)
    first, second = (torch.randn(side, side, dtype=place.dtype, device=place.device) for _ in range(2))
    return 2 * side**3 / seconds(place.device, lambda: first @ second, times=10)


def fresh(place: Place) -> None:
    """Give back what earlier measurements have left."""
    if place.device == "cuda":
        import gc

        gc.collect()
        torch.cuda.empty_cache()
