"""How fast an endpoint may be asked: limits a minute, pauses that it asks for, and waiting before another try."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rlgym import RlgymError, Rng

MINUTE = 60.0


@dataclass(slots=True)
class Use:
    """Tokens that a request takes, guessed when it starts and put right when it ends."""

    at: float
    tokens: int


class Pace:
    """Lets requests begin: evenly spaced, within the tokens of any minute, and not before a pause is over. First come, first served."""

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
        self._between = MINUTE / requests if requests else 0.0
        self._tokens = tokens
        self._clock, self._sleep = clock, sleep
        self._next = self._until = float("-inf")
        self._uses: deque[Use] = deque()
        self._line = asyncio.Lock()

    async def begin(self, tokens: int) -> Use:
        """Wait for a request's turn. `tokens` is a guess of what it will take."""
        async with self._line:
            while (wait := self._wait(tokens)) > 0:
                await self._sleep(wait)
            use = Use(self._clock(), tokens)
            self._next = use.at + self._between
            if self._tokens is not None:
                self._uses.append(use)
            return use

    def rest(self) -> None:
        """Between two runs: the next one may be of another event loop."""
        self._line = asyncio.Lock()

    def pause(self, seconds: float) -> None:
        """Let no request begin for so long."""
        self._until = max(self._until, self._clock() + seconds)

    def _wait(self, tokens: int) -> float:
        now = self._clock()
        wait = max(self._next, self._until) - now
        if self._tokens is None:
            return wait
        while self._uses and self._uses[0].at <= now - MINUTE:
            self._uses.popleft()
        left = self._tokens - min(tokens, self._tokens)  # a request that is larger than the limit goes alone
        used = sum(use.tokens for use in self._uses)
        for use in self._uses:
            if used <= left:
                break
            used -= use.tokens
            wait = max(wait, use.at + MINUTE - now)
        return wait


class Patience:
    """How long to wait before another try: twice as long each time, shortened by chance so that not all come back at once."""

    def __init__(self, first: float = 0.5, most: float = 60.0, seed: int = 0) -> None:
        self._first, self._most, self._rng = first, most, Rng("patience", seed)

    def wait(self, tries: int) -> float:
        """Seconds to wait after so many tries, from 1, that failed."""
        longest = min(self._most, self._first * 2.0 ** min(tries - 1, 30))
        return longest * self._rng.real(0.5, 1.0)
