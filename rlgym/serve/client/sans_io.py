"""The client's logic without I/O: generators that yield calls and receive their responses.

So retries, steps whose responses were lost, and the recovery of episodes are written once. The synchronous client drives a generator
with `run_sync`, the asynchronous one with `run_async`.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol, TypeVar

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ServiceError, SessionGone

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sleep:
    """Asks the driver to wait."""

    seconds: float


SansIO = Generator[Call | Sleep, Any, T]
"""A procedure that yields calls, receives their responses (or a ServiceError), and returns a T."""


class SyncExecutor(Protocol):
    """Runs procedures; `Client` is one."""

    def execute(self, procedure: SansIO[T]) -> T:
        """Run a procedure."""
        ...


class AsyncExecutor(Protocol):
    """Runs procedures; `AsyncClient` is one."""

    async def execute(self, procedure: SansIO[T]) -> T:
        """Run a procedure."""
        ...


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with jitter.

    max_retries    attempts after the first
    first_seconds  the wait before the second attempt; it doubles with each further one
    max_seconds    the longest wait; if the service asks for a longer one, its error is raised at once
    """

    max_retries: int = 6
    first_seconds: float = 0.05
    max_seconds: float = 30.0

    def wait_before_retry(self, attempt: int, error: ServiceError) -> float | None:
        """Seconds before the next attempt, or None to give up."""
        if not error.retryable or attempt >= self.max_retries or isinstance(error, SessionGone):
            return None
        # Jitter, so that clients that failed together do not retry together.
        backoff = min(self.max_seconds, self.first_seconds * 2**attempt) * (0.5 + secrets.randbelow(1000) / 1000)
        requested = error.retry_after or 0.0
        return None if requested > self.max_seconds else max(backoff, requested)


def call_with_retries(call: Call, policy: RetryPolicy) -> SansIO[Any]:
    """The response to a call, retried where that may help and is safe."""
    for attempt in count():
        try:
            return (yield call)
        except ServiceError as error:
            wait = policy.wait_before_retry(attempt, error)
            if wait is None or not (call.idempotent or error.has_no_effect):
                raise
        yield Sleep(wait)
    raise AssertionError("unreachable")


def run_sync(procedure: SansIO[T], send: Callable[[Call], Any]) -> T:
    """Run a procedure. `send` returns the response to a call or raises a ServiceError."""
    try:
        request = next(procedure)
        while True:
            if isinstance(request, Sleep):
                time.sleep(request.seconds)
                request = procedure.send(None)
                continue
            try:
                response = send(request)
            except ServiceError as error:
                request = procedure.throw(error)
            else:
                request = procedure.send(response)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


async def run_async(procedure: SansIO[T], send: Callable[[Call], Awaitable[Any]]) -> T:
    """`run_sync`, with a `send` that is awaited."""
    try:
        request = next(procedure)
        while True:
            if isinstance(request, Sleep):
                await asyncio.sleep(request.seconds)
                request = procedure.send(None)
                continue
            try:
                response = await send(request)
            except ServiceError as error:
                request = procedure.throw(error)
            else:
                request = procedure.send(response)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
