"""What a client does, as generators that yield what is to be asked and get what was answered.

So everything that needs thought (trying again, steps whose answers were lost, making an episode again) is written once, and
played by the synchronous client with `play`, by the asynchronous one with `aplay`.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ServiceError, SessionGone

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for so many seconds."""

    seconds: float


Program = Generator[Call | Wait, Any, T]


@dataclass(frozen=True, slots=True)
class Tries:
    """How often, and how patiently, what may help is tried again.

    most      how many times more, after the first
    first     seconds before the second try; twice that before the third, and so on
    longest   the longest wait; where the service asks for a longer one, its error is raised at once
    """

    most: int = 6
    first: float = 0.05
    longest: float = 30.0

    def wait(self, attempt: int, error: ServiceError) -> float | None:
        """Seconds before the next try, or None where there is none."""
        if not error.retryable or attempt >= self.most or isinstance(error, SessionGone):
            return None
        # Clients that failed together must not come back together.
        own = min(self.longest, self.first * 2**attempt) * (0.5 + secrets.randbelow(1000) / 1000)
        asked = error.retry_after or 0.0
        return None if asked > self.longest else max(own, asked)


def ask(call: Call, tries: Tries) -> Program[Any]:
    """The answer to a call, tried again where that may help and cannot harm."""
    for attempt in count():
        try:
            return (yield call)
        except ServiceError as error:
            wait = tries.wait(attempt, error)
            if wait is None or not (call.again or error.nothing_done):
                raise
        yield Wait(wait)
    raise AssertionError("unreachable")


def play(program: Program[T], send: Callable[[Call], Any]) -> T:
    """Run a program, with a function that sends a call and gives its answer or raises a ServiceError."""
    try:
        wanted = next(program)
        while True:
            if isinstance(wanted, Wait):
                time.sleep(wanted.seconds)
                wanted = program.send(None)
                continue
            try:
                told = send(wanted)
            except ServiceError as error:
                wanted = program.throw(error)
            else:
                wanted = program.send(told)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


async def aplay(program: Program[T], send: Callable[[Call], Awaitable[Any]]) -> T:
    """`play`, for a function that is awaited."""
    try:
        wanted = next(program)
        while True:
            if isinstance(wanted, Wait):
                await asyncio.sleep(wanted.seconds)
                wanted = program.send(None)
                continue
            try:
                told = await send(wanted)
            except ServiceError as error:
                wanted = program.throw(error)
            else:
                wanted = program.send(told)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
