"""Askings of a model that runs here, handed to the one thread that it runs in."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from rlgym.evaluate.conversation import Asked
from rlgym.evaluate.models import AskingFailed


@dataclass(frozen=True, slots=True)
class Choice:
    """How the next token is chosen. A temperature of 0 takes the likeliest; top_p of 1 and top_k of 0 leave out none."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """One asking: what the model reads, how it chooses, and how much it may say."""

    asked: Asked
    choice: Choice
    most_tokens: int
    done: Future[Made] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Made:
    """The tokens that a model said, and why it ended: "stop" or "length"."""

    tokens: tuple[int, ...]
    finish: str


class Gathering:
    """A queue with the thread that works on it. `work` is called in that thread, again and again, and takes jobs with `take`.

    What `work` raises fails the jobs that were taken and are not done; the thread goes on with the next ones.
    """

    def __init__(self, work: Callable[[Gathering], None], name: str) -> None:
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._taken: list[Job] = []
        self._work, self.closed = work, False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def ask(self, job: Job) -> Made:
        """Hand a job over and wait for what the model says. AskingFailed where the model broke down over it."""
        if self.closed:
            raise AskingFailed("the model has been closed")
        self._waiting.put(job)
        return await asyncio.wrap_future(job.done)

    def take(self, most: int, *, block: bool = True, moment: float = 0.0) -> list[Job]:
        """Up to `most` jobs: those that are there and, after the first, those that come within a moment (seconds). Empty at the end."""
        taken: list[Job] = []
        deadline = 0.0
        while len(taken) < most and not self.closed:
            waits = bool(moment) if taken else block
            try:
                job = self._waiting.get(waits, max(0.0, deadline - time.monotonic()) if taken else None)
            except queue.Empty:
                break
            if job is None:
                break
            if job.done.set_running_or_notify_cancel():
                taken.append(job)
                deadline = deadline or time.monotonic() + moment
        self._taken = [job for job in self._taken if not job.done.done()] + taken
        return taken

    def close(self, seconds: float = 60.0) -> None:
        """End the thread, once what it is at is done."""
        self.closed = True
        self._waiting.put(None)
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self.closed:
            try:
                self._work(self)
            except Exception as error:
                self._fail(f"the model broke down: {type(error).__name__}: {error}")
        while not self._waiting.empty():
            job = self._waiting.get()
            if job is not None and job.done.set_running_or_notify_cancel():
                self._taken.append(job)
        self._fail("the model was closed before it had answered")

    def _fail(self, why: str) -> None:
        for job in self._taken:
            if not job.done.done():
                job.done.set_exception(AskingFailed(why))
        self._taken = []
