"""Scores a batch of responses at once, in threads. Programs run in the sandbox's own processes, so threads keep all cores busy."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from rlgym.core.errors import KnobError, RowError
from rlgym.core.score import Outcome, Score
from rlgym.episode.scoring import Response, score

LIMIT_SECONDS = 600.0
THREADS_PER_CORE = 4  # how many programs the sandbox runs at once if most of them sleep
MOST_THREADS = 64
ATTEMPTS = 2  # what the machine is to blame for, such as too many programs at once, is tried again


def default_workers() -> int:
    """The number of threads that a batch gets by default: four for each core that this process may use, at most 64."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_THREADS, THREADS_PER_CORE * cores)


def score_batch(
    rows: Sequence[Mapping[str, Any]], responses: Sequence[Response], *, workers: int | None = None, limit_seconds: float = LIMIT_SECONDS
) -> list[Score]:
    """The scores of a batch, in order: those of `rlgym.score`. Equal responses to one row are scored once.
    What says nothing about the model, as where the machine is overloaded, is tried once more.

    workers        number of threads; `default_workers()` without it
    limit_seconds  time for the whole batch; what is not scored by then gets Outcome.ERROR, which trainers mask
    """
    if len(rows) != len(responses):
        raise RowError(f"there are {len(rows)} rows but {len(responses)} responses")
    if workers is not None and workers < 1:
        raise KnobError(f"workers must be 1 or more, got workers={workers!r}")
    if not limit_seconds > 0:
        raise KnobError(f"limit_seconds must be more than 0, got limit_seconds={limit_seconds!r}")
    end = time.monotonic() + limit_seconds
    pool = ThreadPoolExecutor(workers or default_workers(), thread_name_prefix="rlgym-score")
    try:
        keys = [_key(row, response) for row, response in zip(rows, responses, strict=True)]
        pairs = dict(zip(keys, zip(rows, responses, strict=True), strict=True))
        scores: dict[tuple[object, ...], Score] = {}
        for _ in range(ATTEMPTS):
            pending = [key for key in pairs if key not in scores or scores[key].masked]
            if scores and time.monotonic() >= end:
                break
            futures = {key: pool.submit(score, *pairs[key]) for key in pending}
            scores |= {key: _score_by(end, future, limit_seconds) for key, future in futures.items()}
        return [scores[key] for key in keys]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


async def score_batch_async(
    rows: Sequence[Mapping[str, Any]], responses: Sequence[Response], *, workers: int | None = None, limit_seconds: float = LIMIT_SECONDS
) -> list[Score]:
    """`score_batch` for an event loop, which stays free meanwhile."""
    return await asyncio.to_thread(score_batch, rows, responses, workers=workers, limit_seconds=limit_seconds)


def _score_by(end: float, future: Future[Score], limit_seconds: float) -> Score:
    try:
        return future.result(timeout=max(0.0, end - time.monotonic()))
    except TimeoutError:
        if future.done():  # just now, or with a TimeoutError of its own
            return future.result()
        return Score.nothing(Outcome.ERROR, f"the batch was not scored within its time limit of {limit_seconds:g} s")


def _key(row: Mapping[str, Any], response: Response) -> tuple[object, ...]:
    content = response if isinstance(response, str) else tuple(response)
    return (*(str(row.get(column)) for column in _TASK), type(response) is str, content)


_TASK = ("env", "version", "knobs", "prompt", "data", "answer_format")
"""The columns that decide a score."""
