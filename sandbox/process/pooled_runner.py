"""A pool of warm workers: they start when they are needed, serve in turn, and are replaced when they are lost."""

from __future__ import annotations

import os
import threading
from abc import abstractmethod
from collections import deque
from typing import Generic, Protocol, TypeVar

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import RunResult, SandboxError
from rlgym.sandbox.process.backend import Backend, EncodedJob

SPARE_FACTOR = 4  # workers that there may be for every one that may use a processor
LOOK = 0.1  # seconds between two looks at whether a run rests


class Worker(Protocol):
    """Serves one job at a time. `lost` says that it is of no more use."""

    lost: bool

    def run(self, job: EncodedJob, limits: Limits) -> RunResult: ...

    def alive(self) -> bool: ...

    def rests(self) -> bool: ...

    def close(self) -> None: ...


W = TypeVar("W", bound=Worker)


class PooledRunner(Backend, Generic[W]):
    """A Runner whose runs go to a pool of workers, first come, first served. A subclass sets `languages` and implements `_start`.

    At most `workers` runs use a processor at a time. A run that mostly sleeps or waits does not count, so programs that sleep do
    not hold up the others: further workers start for those, up to SPARE_FACTOR times as many.
    """

    def __init__(self, limits: Limits | None, workers: int) -> None:
        self.limits, self.workers = limits or Limits(), workers
        self._owner, self._closed = os.getpid(), False
        self._changed = threading.Condition()
        self._line: deque[object] = deque()  # one ticket for every run that waits
        self._free: list[W] = []
        self._all: list[W] = []
        self._count = 0  # workers that there are, or that are about to start

    def close(self) -> None:
        """End the workers, and whatever still runs in them."""
        if os.getpid() != self._owner:
            return
        with self._changed:
            self._closed = True
            workers, self._all, self._free, self._count = self._all, [], [], 0
            self._changed.notify_all()
        for worker in workers:
            worker.close()

    @abstractmethod
    def _start(self) -> W:
        """Start another worker. SandboxError where none can be started."""

    def _attempt(self, job: EncodedJob, limits: Limits) -> RunResult:
        worker = self._take()
        try:
            return worker.run(job, limits)
        finally:
            self._give_back(worker)

    def _take(self) -> W:
        """A responsive worker: a free one, a new one, or the next one that becomes free."""
        while True:
            worker = self._take_free()
            if worker is None:
                return self._start_counted()
            if worker.alive():
                return worker
            self._give_back(worker)

    def _take_free(self) -> W | None:
        """Wait for this run's turn; a free worker, or None where one is to be started."""
        ticket = object()
        with self._changed:
            self._line.append(ticket)
            try:
                while not self._closed and (self._line[0] is not ticket or not self._admits()):
                    self._changed.wait(LOOK if self._line[0] is ticket else None)
            finally:
                self._line.remove(ticket)
                self._changed.notify_all()
            if self._closed:
                raise SandboxError("this runner has been closed")
            if self._free:
                return self._free.pop()
            self._count += 1
            return None

    def _admits(self) -> bool:
        """Whether another run may begin."""
        if self._count - len(self._free) < self.workers:
            return True
        if not self._free and self._count >= self.workers * SPARE_FACTOR:
            return False
        resting = sum(worker.rests() for worker in self._all if worker not in self._free)
        return self._count - len(self._free) - resting < self.workers

    def _start_counted(self) -> W:
        try:
            worker = self._start()
        except BaseException:
            with self._changed:
                self._count -= 1
                self._changed.notify_all()
            raise
        with self._changed:
            if not self._closed:
                self._all.append(worker)
                return worker
        worker.close()
        raise SandboxError("this runner has been closed")

    def _give_back(self, worker: W) -> None:
        """Keep a worker for the next run. It ends if it is lost, as do those that were started for want of one once nobody waits."""
        with self._changed:
            if worker in self._all:
                self._free.append(worker)
            leaving = [free for free in self._free if free.lost]
            if not self._line:
                leaving += [free for free in self._free if not free.lost][: max(0, self._count - len(leaving) - self.workers)]
            for entry in leaving:
                self._free.remove(entry)
                self._all.remove(entry)
                self._count -= 1
            self._changed.notify_all()
        for entry in leaving:
            entry.close()
