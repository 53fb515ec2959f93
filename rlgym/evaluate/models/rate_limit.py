"""Client-side rate limiting: requests and tokens per minute, pauses that an endpoint asks for, and exponential backoff."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rlgym import RlgymError, Rng

MINUTE = 60.0


@dataclass(slots=True)
class Reservation:
    """The tokens reserved for a request: an estimate at its start, corrected at its end."""

    started: float
    tokens: int


class RateLimiter:
    """Starts requests evenly spaced, within the token limit of every minute, and never during a pause. First come, first served."""

    def __init__(
        self,
        requests: float | None = None,
        tokens: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        for name, limit in (("requests", requests), ("tokens", tokens)):
            if limit is not None and limit <= 0:
                raise RlgymError(f"{name} per minute must be above 0, got {limit!r}")
        self._interval = MINUTE / requests if requests else 0.0
        self._tokens = tokens
        self._clock, self._sleep = clock, sleep
        self._next_start = self._paused_until = float("-inf")
        self._reservations: deque[Reservation] = deque()
        self._lock = asyncio.Lock()

    async def acquire(self, tokens: int) -> Reservation:
        """Wait until a request may start. `tokens` estimates what it will use."""
        async with self._lock:
            while (delay := self._delay(tokens)) > 0:
                await self._sleep(delay)
            reservation = Reservation(self._clock(), tokens)
            self._next_start = reservation.started + self._interval
            if self._tokens is not None:
                self._reservations.append(reservation)
            return reservation

    def reset(self) -> None:
        """Prepare for another run, which may use another event loop."""
        self._lock = asyncio.Lock()

    def pause(self, seconds: float) -> None:
        """Start no request for this many seconds."""
        self._paused_until = max(self._paused_until, self._clock() + seconds)

    def _delay(self, tokens: int) -> float:
        now = self._clock()
        delay = max(self._next_start, self._paused_until) - now
        if self._tokens is None:
            return delay
        while self._reservations and self._reservations[0].started <= now - MINUTE:
            self._reservations.popleft()
        available = self._tokens - min(tokens, self._tokens)  # a request above the limit runs alone
        used = sum(reservation.tokens for reservation in self._reservations)
        for reservation in self._reservations:
            if used <= available:
                break
            used -= reservation.tokens
            delay = max(delay, reservation.started + MINUTE - now)
        return delay


class Backoff:
    """Exponential backoff with jitter, so that clients do not retry at the same moment."""

    def __init__(self, first: float = 0.5, longest: float = 60.0, seed: int = 0) -> None:
        self._first, self._longest, self._rng = first, longest, Rng("backoff", seed)

    def delay(self, failures: int) -> float:
        """Seconds to wait after this many failures, from 1."""
        upper = min(self._longest, self._first * 2.0 ** min(failures - 1, 30))
        return upper * self._rng.real(0.5, 1.0)
