"""Whose run is next: the tenants of a service take turns, and none may have more than its quota."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class QuotaExceeded(Exception):
    """A run was refused: `tenant` says whether the tenant or the whole service has too many already."""

    def __init__(self, message: str, *, tenant: bool) -> None:
        super().__init__(message)
        self.tenant = tenant


class FairQueue:
    """Lets `running` runs through at a time, one tenant after the other, whatever each of them has waiting.

    queued  the number of runs that may wait, of all tenants together
    quota   the number of runs that one tenant may have, running or waiting; 0 for no limit of its own

    Used by one event loop.
    """

    def __init__(self, running: int, queued: int, quota: int = 0) -> None:
        self._room, self._most, self._quota = running, running + queued, quota
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._held: dict[str, int] = {}

    @property
    def held(self) -> int:
        """How many runs there are, running or waiting."""
        return sum(self._held.values())

    @asynccontextmanager
    async def turn(self, tenant: str) -> AsyncIterator[None]:
        """Wait for a turn and hold it. QuotaExceeded where the tenant or the service has too many runs already."""
        if self._quota and self._held.get(tenant, 0) >= self._quota:
            raise QuotaExceeded(f"{tenant or 'this key'} has {self._quota} runs already, as many as it may have at a time", tenant=True)
        if self.held >= self._most:
            raise QuotaExceeded("too many runs wait", tenant=False)
        self._held[tenant] = self._held.get(tenant, 0) + 1
        try:
            await self._enter(tenant)
            try:
                yield
            finally:
                self._room += 1
                self._wake()
        finally:
            self._held[tenant] -= 1
            if not self._held[tenant]:
                del self._held[tenant]

    async def _enter(self, tenant: str) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(place)
        self._wake()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._room += 1  # the turn came as the client left
                self._wake()
            raise

    def _wake(self) -> None:
        """Give free turns to the tenants in rotation."""
        while self._room and self._waiting:
            tenant = next(iter(self._waiting))
            line = self._waiting.pop(tenant)
            place = line.popleft()
            if line:
                self._waiting[tenant] = line  # behind all others
            if not place.done():
                self._room -= 1
                place.set_result(None)
