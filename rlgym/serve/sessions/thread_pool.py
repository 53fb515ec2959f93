"""A thread pool for slow work, some of which may never return."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from rlgym.serve.protocol.errors import ServiceError

T = TypeVar("T")

MAX_QUEUED = 2000


class _Job:
    """A function to run, and the future that awaits its result."""

    __slots__ = ("abandoned", "function", "future", "lock", "loop", "started")

    def __init__(self, function: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.function, self.loop = function, loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.lock = threading.Lock()
        self.started = self.abandoned = False


class ThreadPool:
    """A pool of daemon threads. Its counters are changed on the event loop only.

    A thread cannot be killed. One that exceeds its time limit counts as stuck until it returns; another thread takes its place,
    and with too many stuck threads the pool rejects new work.
    """

    def __init__(self, max_threads: int, max_stuck: int, max_queued: int = MAX_QUEUED) -> None:
        self._max_threads, self._max_stuck, self._max_queued = max_threads, max_stuck, max_queued
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._num_threads = self._num_jobs = self.stuck = 0

    async def run(self, function: Callable[[], T], timeout_seconds: float, description: str) -> T:
        """Await the result of `function`; `description` names the work in error messages."""
        if self.stuck >= self._max_stuck:
            raise ServiceError("overloaded", f"{self.stuck} threads are stuck in work that timed out; retry later", retry_after=5)
        if self._num_jobs - self._num_threads >= self._max_queued:
            raise ServiceError("overloaded", "too many requests are queued; retry later", retry_after=1)
        job = _Job(function, asyncio.get_running_loop())
        self._num_jobs += 1
        self._queue.put(job)
        if self._num_threads < min(self._num_jobs, self._max_threads + self.stuck):
            self._num_threads += 1
            threading.Thread(target=self._work, daemon=True, name="rlgym-serve").start()
        try:
            async with asyncio.timeout(timeout_seconds):
                result: T = await job.future
                return result
        except TimeoutError:
            if job.future.done() and not job.future.cancelled():
                raise
            if not job.started:
                message = f"{description} waited {timeout_seconds:g} s for a free thread; retry later"
                raise ServiceError("overloaded", message, retry_after=5) from None
            raise ServiceError("timed_out", f"{description} exceeded its time limit of {timeout_seconds:g} s") from None
        finally:
            self._abandon_unfinished(job)

    def _abandon_unfinished(self, job: _Job) -> None:
        """Stop awaiting a job. If it has started and is unfinished, its thread is stuck."""
        with job.lock:
            unfinished = not (job.future.done() and not job.future.cancelled())
            job.abandoned = unfinished
            started = job.started
        if unfinished and started:
            self.stuck += 1
        elif unfinished:
            self._num_jobs -= 1

    def close(self) -> None:
        """End the idle threads."""
        for _ in range(self._num_threads):
            self._queue.put(None)
        self._num_threads = 0

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            with job.lock:
                job.started = not job.abandoned
            if not job.started:
                continue
            result, error = None, None
            try:
                result = job.function()
            except Exception as raised:
                # A future cannot carry StopIteration: it would end the coroutine that awaits it.
                error = RuntimeError(repr(raised)) if isinstance(raised, StopIteration) else raised
            except BaseException as raised:  # a SystemExit must end this job, not the service
                error = RuntimeError(repr(raised))
            try:
                job.loop.call_soon_threadsafe(self._finish, job, result, error)
            except RuntimeError:  # the event loop is closed, so nobody awaits the result
                return
            del job, result, error

    def _finish(self, job: _Job, result: Any, error: BaseException | None) -> None:
        self._num_jobs -= 1
        if job.abandoned:
            self.stuck -= 1
        elif not job.future.done():
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)
