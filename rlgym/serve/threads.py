"""Threads for what takes long, some of which may never come back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from rlgym.serve.errors import ServiceError

T = TypeVar("T")


class _Job:
    """One piece of work, and who waits for it."""

    __slots__ = ("dropped", "future", "lock", "loop", "started", "work")

    def __init__(self, work: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.work, self.loop = work, loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.lock = threading.Lock()
        self.started = self.dropped = False


class Threads:
    """A pool of daemon threads. All counters are touched from the event loop only.

    A thread cannot be ended from outside. One that overstays is counted as stuck until it comes back by itself, another takes its
    place, and with too many of them the pool takes no more work.
    """

    def __init__(self, most: int, most_stuck: int, most_waiting: int = 2000) -> None:
        self._most, self._most_stuck, self._most_waiting = most, most_stuck, most_waiting
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._alive = self._under_way = self.stuck = 0

    async def run(self, work: Callable[[], T], seconds: float, what: str) -> T:
        """The result of `work`; `what` names it in the error when it takes longer than `seconds`."""
        if self.stuck >= self._most_stuck:
            raise ServiceError("full", f"{self.stuck} tasks that take too long still hold threads: try again later", retry_after=5)
        if self._under_way - self._alive >= self._most_waiting:
            raise ServiceError("full", "too much work is waiting: try again later", retry_after=1)
        job = _Job(work, asyncio.get_running_loop())
        self._under_way += 1
        self._queue.put(job)
        if self._alive < min(self._under_way, self._most + self.stuck):
            self._alive += 1
            threading.Thread(target=self._serve, daemon=True, name="rlgym-serve").start()
        try:
            async with asyncio.timeout(seconds):
                result: T = await job.future
                return result
        except TimeoutError:
            if job.future.done() and not job.future.cancelled():
                raise
            if not job.started:
                raise ServiceError("full", f"{what} waited {seconds:g} seconds for its turn: try again later", retry_after=5) from None
            raise ServiceError("too_slow", f"{what} took longer than {seconds:g} seconds and was given up") from None
        finally:
            self._leave(job)

    def _leave(self, job: _Job) -> None:
        """Nobody waits for the job any more; it is stuck if it goes on all the same."""
        with job.lock:
            left_early = not (job.future.done() and not job.future.cancelled())
            job.dropped = left_early
            started = job.started
        if left_early and started:
            self.stuck += 1
        elif left_early:
            self._under_way -= 1

    def close(self) -> None:
        """Let the threads end that have nothing to do."""
        for _ in range(self._alive):
            self._queue.put(None)
        self._alive = 0

    def _serve(self) -> None:
        while (job := self._queue.get()) is not None:
            with job.lock:
                job.started = not job.dropped
            if not job.started:
                continue
            result, error = None, None
            try:
                result = job.work()
            except Exception as raised:
                # A future carries no StopIteration: it would end whoever waits for it.
                error = RuntimeError(repr(raised)) if isinstance(raised, StopIteration) else raised
            except BaseException as raised:  # SystemExit is for this thread's work to end, not for the service
                error = RuntimeError(repr(raised))
            try:
                job.loop.call_soon_threadsafe(self._settle, job, result, error)
            except RuntimeError:  # the loop is closed: nobody is left to be told
                return
            del job, result, error

    def _settle(self, job: _Job, result: Any, error: BaseException | None) -> None:
        self._under_way -= 1
        if job.dropped:
            self.stuck -= 1
        elif not job.future.done():
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)
