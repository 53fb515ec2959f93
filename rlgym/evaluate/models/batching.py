"""Batches concurrent requests to a local model and hands them to the one thread that runs it."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from rlgym.evaluate.models.base import RequestFailed
from rlgym.evaluate.models.certainty import TokenMeans
from rlgym.evaluate.models.chat_format import EncodedPrompt


@dataclass(frozen=True, slots=True)
class DecodingParams:
    """How tokens are sampled. A temperature of 0 is greedy; top_p=1 and top_k=0 disable these filters."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """One request: the prompt, how tokens are sampled, how many at most, and whether means over their distributions are wanted. `future` gets the result."""

    prompt: EncodedPrompt
    decoding: DecodingParams
    max_new_tokens: int
    means: bool = False
    future: Future[GeneratedTokens] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class GeneratedTokens:
    """Generated token ids, why generation stopped ("stop" or "length"), and the means over the distributions of the tokens where they were wanted."""

    tokens: tuple[int, ...]
    finish_reason: str
    means: TokenMeans | None = None


class BatchQueue:
    """A queue and its worker thread. The thread calls `work` repeatedly, which takes requests with `take_batch`.

    If `work` raises, the requests it took and did not complete fail; the thread continues with the next ones.
    """

    def __init__(self, work: Callable[[BatchQueue], None], name: str) -> None:
        self._waiting: queue.SimpleQueue[GenerationRequest | None] = queue.SimpleQueue()
        self._taken: list[GenerationRequest] = []
        self._work, self.closed = work, False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def submit(self, request: GenerationRequest) -> GeneratedTokens:
        """Queue a request and wait for its result. Raises RequestFailed if the model raised an exception."""
        if self.closed:
            raise RequestFailed("the model has been closed")
        self._waiting.put(request)
        return await asyncio.wrap_future(request.future)

    def take_batch(self, limit: int, *, block: bool = True, window_seconds: float = 0.0) -> list[GenerationRequest]:
        """Up to `limit` requests: those waiting and, after the first, those that arrive within the window. Empty once the queue is closed."""
        batch: list[GenerationRequest] = []
        deadline = 0.0
        while len(batch) < limit and not self.closed:
            wait = bool(window_seconds) if batch else block
            try:
                request = self._waiting.get(wait, max(0.0, deadline - time.monotonic()) if batch else None)
            except queue.Empty:
                break
            if request is None:
                break
            if request.future.set_running_or_notify_cancel():
                batch.append(request)
                deadline = deadline or time.monotonic() + window_seconds
        self._taken = [request for request in self._taken if not request.future.done()] + batch
        return batch

    def close(self, seconds: float = 60.0) -> None:
        """Stop the thread after its current work."""
        self.closed = True
        self._waiting.put(None)
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self.closed:
            try:
                self._work(self)
            except Exception as error:
                self._fail_taken(f"the model raised {type(error).__name__}: {error}")
        while not self._waiting.empty():
            request = self._waiting.get()
            if request is not None and request.future.set_running_or_notify_cancel():
                self._taken.append(request)
        self._fail_taken("the model was closed before it answered")

    def _fail_taken(self, message: str) -> None:
        for request in self._taken:
            if not request.future.done():
                request.future.set_exception(RequestFailed(message))
        self._taken = []
