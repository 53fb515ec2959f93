"""Quotas: token buckets for rates, and counters of open sessions."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.protocol.errors import ServiceError

Resource = Literal["requests", "steps", "scores"]


class Quotas(Protocol):
    """Counters that several workers may share. All methods are called from event loops and must not block."""

    def consume(self, account: str, resource: str, amount: float, rate_per_second: float, capacity: float) -> float:
        """Take `amount` tokens from the bucket (account, resource), which holds `capacity` and refills at `rate_per_second`.

        Returns 0, or the seconds until the tokens are available; then none is taken. An amount above the capacity needs a full
        bucket only.
        """
        ...

    def acquire_session(self, account: str, limit: int | None) -> bool:
        """Count one more open session of an account, unless it already has `limit`."""
        ...

    def release_session(self, account: str) -> None:
        """Count one session less."""
        ...


class LocalQuotas:
    """Quotas of a single process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._sessions: dict[str, int] = {}

    def consume(self, account: str, resource: str, amount: float, rate_per_second: float, capacity: float) -> float:
        """See Quotas."""
        now = self._clock()
        tokens, updated_at = self._buckets.get((account, resource), (capacity, now))
        tokens = min(capacity, tokens + (now - updated_at) * rate_per_second)
        missing = min(amount, capacity) - tokens
        self._buckets[account, resource] = (tokens if missing > 0 else tokens - amount, now)
        return max(0.0, missing / rate_per_second)

    def acquire_session(self, account: str, limit: int | None) -> bool:
        """See Quotas."""
        count = self._sessions.get(account, 0)
        if limit is not None and count >= limit:
            return False
        self._sessions[account] = count + 1
        return True

    def release_session(self, account: str) -> None:
        """See Quotas."""
        self._sessions[account] = max(0, self._sessions.get(account, 0) - 1)


class _Rate(NamedTuple):
    """A rate as the key file states it, and as a token bucket needs it."""

    stated: float | None
    unit: str
    unit_seconds: float
    burst_seconds: float


def charge(quotas: Quotas, key: ApiKey, resource: Resource, amount: int = 1) -> None:
    """Charge a key's quota; ServiceError("quota_exceeded") if it is used up."""
    rate = {
        "requests": _Rate(key.requests_per_second, "requests per second", 1, 2),
        "steps": _Rate(key.steps_per_minute, "steps per minute", 60, 60),
        "scores": _Rate(key.scores_per_minute, "scores per minute", 60, 60),
    }[resource]
    if rate.stated is None:
        return
    rate_per_second = rate.stated / rate.unit_seconds
    wait = quotas.consume(key.name, resource, amount, rate_per_second, max(rate_per_second * rate.burst_seconds, 1.0))
    if wait > 0:
        raise ServiceError("quota_exceeded", f"quota of {rate.stated:g} {rate.unit} exceeded; retry after {wait:.2f} s", retry_after=wait)
