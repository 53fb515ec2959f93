"""Scores responses in batches. An item that cannot be scored has an error in its place."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from functools import lru_cache, partial
from typing import Any

import rlgym
from rlgym.serve.access.keys import ApiKey
from rlgym.serve.access.quotas import charge
from rlgym.serve.protocol.encoding import JsonText, encode, encode_list_field
from rlgym.serve.protocol.errors import ServiceError, as_service_error, validate
from rlgym.serve.protocol.requests import ScoredTask, ScoreItem
from rlgym.serve.sessions.redaction import score_fields
from rlgym.serve.sessions.service import SessionService, check_length

SLICE_SECONDS = 0.25
"""A thread returns after this time with the items it has scored, so that no request waits long for a thread."""

NUM_STRIPES = 4
"""Threads that one request may use at once."""

CACHED_TASKS = 2048


class BatchScorer:
    """Scores responses in the threads of a service. Recently generated tasks are cached, since groups of responses share one."""

    def __init__(self, service: SessionService) -> None:
        self._service = service
        self._cached_task = lru_cache(maxsize=CACHED_TASKS)(_generate_task)

    async def score(self, key: ApiKey, items: list[dict[str, Any]]) -> JsonText:
        """Score the items."""
        charge(self._service.quotas, key, "scores", len(items))
        scores = [JsonText("")] * len(items)
        stripes = [range(start, len(items), NUM_STRIPES) for start in range(min(NUM_STRIPES, len(items)))]
        await asyncio.gather(*(self._score_stripe(key, items, list(stripe), scores) for stripe in stripes))
        return encode_list_field("scores", scores)

    async def _score_stripe(self, key: ApiKey, items: list[dict[str, Any]], indices: list[int], scores: list[JsonText]) -> None:
        """Score the items at these indices one after the other, and write their scores into `scores`."""
        settings, remaining = self._service.settings, deque(indices)
        timeout = settings.generate_timeout_seconds + settings.score_timeout_seconds
        while remaining:
            done: list[JsonText] = []
            todo = [items[index] for index in remaining]
            try:
                await self._service.thread_pool.run(partial(self._score_slice, key, todo, done), timeout, "scoring a response")
            except ServiceError as error:
                # After a time-out the item behind the last finished one is the slow one; otherwise no item could be started.
                failed = 1 if error.code == "timed_out" else len(todo) - len(done)
                done = [*done, *[_encode_error(error)] * failed]
            for text in done[: len(todo)]:
                scores[remaining.popleft()] = text

    def _score_slice(self, key: ApiKey, items: list[dict[str, Any]], done: list[JsonText]) -> None:
        """Score items for one time slice; `done` is filled item by item, so that it is valid after a time-out."""
        started = time.monotonic()
        for item in items:
            done.append(self._score_or_error(key, item))
            if time.monotonic() - started > SLICE_SECONDS:
                return

    def _score_or_error(self, key: ApiKey, fields: dict[str, Any]) -> JsonText:
        try:
            item = validate(ScoreItem, fields)
            for text in [item.response] if isinstance(item.response, str) else item.response:
                check_length(text, self._service.settings)
            if (item.task is None) == (item.row is None):
                raise ServiceError("invalid_request", "give either task or row")
            score = self._score_task(item.task, item.response) if item.task else _score_row(item.row or {}, item.response)
            self._service.metrics.scores.labels(score.outcome.value).inc()
            return encode(score_fields(score, key))
        except Exception as raised:
            error = as_service_error(raised)
            if error.code == "internal_error":
                self._service.log.log_failure(raised, route="/v1/score")
            return _encode_error(error)

    def _score_task(self, request: ScoredTask, response: str | list[str]) -> rlgym.Score:
        declared = rlgym.environment(request.name)
        if request.version is not None and request.version != declared.version:
            message = (
                f"this server has version {declared.version} of {request.name}, the task has version {request.version}; generate it again"
            )
            raise ServiceError("invalid_request", message)
        knobs = json.dumps(request.knobs, sort_keys=True)
        task = self._cached_task(request.name, request.seed, request.level, knobs, request.split)
        return rlgym.score(task, response, answer_style=request.answer_style)


def _generate_task(name: str, seed: int, level: float | None, knobs_json: str, split: str) -> Any:
    knobs = json.loads(knobs_json)
    rlgym.environment(name).config.from_knobs(knobs)  # rejects unknown names, which `task` could take for one of its own arguments
    return rlgym.task(name, seed, level=level, split=split, **knobs)


def _score_row(row: dict[str, Any], response: str | list[str]) -> rlgym.Score:
    try:
        return rlgym.score(row, response)
    except rlgym.RlgymError:
        raise
    except Exception as error:
        message = f"cannot score this row ({type(error).__name__}); check that it is an unchanged dataset row"
        raise ServiceError("invalid_request", message) from error


def _encode_error(error: ServiceError) -> JsonText:
    return encode({"error": error.to_dict()})
