"""Judges responses in batches; what is wrong with one item is said in its place."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from functools import lru_cache
from typing import Any

import rlgym
from rlgym.serve.desk import Desk, check_text, scored
from rlgym.serve.errors import ServiceError, as_service_error, read
from rlgym.serve.keys import Key, spend
from rlgym.serve.reply import encode
from rlgym.serve.shapes import AskScored, Item

SLICE = 0.25
"""Seconds after which a thread hands back what it has, so that nobody waits long for a thread."""

STRIPES = 4


class Scorer:
    """Judges responses in the threads of a desk. Tasks that were drawn of late are kept, since groups of responses share one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._drawn = lru_cache(maxsize=2048)(_draw)

    async def judge(self, key: Key, items: list[dict[str, Any]]) -> str:
        """The scores of the items, as JSON."""
        spend(self._desk.quotas, key, "scores", len(items))
        told = [""] * len(items)
        stripes = [range(first, len(items), STRIPES) for first in range(min(STRIPES, len(items)))]
        await asyncio.gather(*(self._stripe(key, items, list(stripe), told) for stripe in stripes))
        return f'{{"scores":[{",".join(told)}]}}'

    async def _stripe(self, key: Key, items: list[dict[str, Any]], places: list[int], told: list[str]) -> None:
        """Judge the items at these places, one after the other."""
        settings, left = self._desk.settings, deque(places)
        while left:
            done: list[str] = []
            todo = [items[place] for place in left]
            try:
                work = _Work(self, key, todo, done)
                await self._desk.threads.run(work, settings.draw_seconds + settings.judge_seconds, "judging a response")
            except ServiceError as error:
                # The item after the last that is done is the one that hangs, or none could be begun.
                done = [*done, _refused(error)] if error.code == "too_slow" else [*done, *[_refused(error)] * (len(todo) - len(done))]
            for text in done[: len(todo)]:
                told[left.popleft()] = text

    def one(self, key: Key, given: dict[str, Any]) -> str:
        """The score of one item, or what is wrong with it."""
        try:
            item = read(Item, given)
            for text in [item.response] if isinstance(item.response, str) else item.response:
                check_text(text, self._desk.settings)
            if (item.task is None) == (item.row is None):
                raise ServiceError("invalid", "give either task or row")
            found = self._of_task(item.task, item.response) if item.task else _of_row(item.row or {}, item.response)
            self._desk.metrics.scores.labels(found.outcome.value).inc()
            return encode(scored(found, key))
        except Exception as error:
            refused = as_service_error(error)
            if refused.code == "broken":
                self._desk.log.broken(error, route="/v1/score")
            return _refused(refused)

    def _of_task(self, ask: AskScored, response: str | list[str]) -> rlgym.Score:
        declared = rlgym.environment(ask.name)
        if ask.version is not None and ask.version != declared.version:
            raise ServiceError(
                "invalid", f"{ask.name} is here in version {declared.version}, the task is of version {ask.version}: make it again"
            )
        task = self._drawn(ask.name, ask.seed, ask.level, json.dumps(ask.knobs, sort_keys=True), ask.split)
        return rlgym.score(task, response, answer_style=ask.answer_style)


class _Work:
    """A slice of items for a thread; `done` fills as it goes on."""

    def __init__(self, scorer: Scorer, key: Key, todo: list[dict[str, Any]], done: list[str]) -> None:
        self._scorer, self._key, self._todo, self._done = scorer, key, todo, done

    def __call__(self) -> None:
        began = time.monotonic()
        for item in self._todo:
            self._done.append(self._scorer.one(self._key, item))
            if time.monotonic() - began > SLICE:
                return


def _draw(name: str, seed: int, level: float | None, knobs: str, split: str) -> Any:
    given = json.loads(knobs)
    rlgym.environment(name).config.of(given)  # names nothing but knobs
    return rlgym.task(name, seed, level=level, split=split, **given)


def _of_row(row: dict[str, Any], response: str | list[str]) -> rlgym.Score:
    try:
        return rlgym.score(row, response)
    except rlgym.RlgymError:
        raise
    except Exception as error:
        raise ServiceError("invalid", f"this row cannot be played ({type(error).__name__}): was it changed?") from error


def _refused(error: ServiceError) -> str:
    return encode({"error": error.to_dict()})
