"""Records sample episodes of environments for a playground page that has no service behind it.

Each sample is a tree of positions. Its root is the task; one branch is the oracle's episode, the others follow mistakes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from functools import partial
from typing import Any

from rlgym import RlgymError
from rlgym.serve.access.keys import ANONYMOUS
from rlgym.serve.access.quotas import LocalQuotas
from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.protocol.requests import OpenRequest, TaskRequest
from rlgym.serve.sessions.service import SessionService
from rlgym.serve.sessions.tasks import encode_task
from rlgym.serve.sessions.thread_pool import ThreadPool
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.metrics import Metrics
from rlgym.serve.telemetry.request_log import RequestLog

TIMEOUT_SECONDS = 600.0
"""Time limit for a task or a score: a slow machine must not end a build."""
MAX_MISTAKES = 4
MAX_TURNS = 400
MAX_WRONG_TURNS = 40
TIERS = ("concept", "plan", "partial", "solution")
RECORDED_FIELDS = "observation turn max_turns done reward terminated truncated feedback score masked".split()
"""The fields of a session view that change between the turns of an episode."""


class RecordError(RlgymError):
    """A sample could not be recorded."""


async def record_environments(names: Iterable[str], levels: Iterable[float], seeds: Iterable[int]) -> dict[str, dict[str, Any]]:
    """Record samples of each environment; RecordError names the one that fails."""
    settings = Settings(serve_page=False, generate_timeout_seconds=TIMEOUT_SECONDS, score_timeout_seconds=TIMEOUT_SECONDS)
    thread_pool = ThreadPool(settings.num_threads, settings.max_stuck_threads)
    service = SessionService(settings, LocalQuotas(), Metrics(), thread_pool, RequestLog(None, settings.worker_id), time.monotonic)
    tasks, recordings = [(level, seed) for level in levels for seed in seeds], {}
    try:
        for name in names:
            spec = json.loads(service.catalogue.spec_json(name))
            samples = [await _record_sample(service, OpenRequest(name=name, level=level, seed=seed), spec) for level, seed in tasks]
            recordings[name] = {"environment": spec, "samples": samples}
    finally:
        thread_pool.close()
    return recordings


async def _record_sample(service: SessionService, request: OpenRequest, spec: dict[str, Any]) -> dict[str, Any]:
    description = f"{request.name} (level {request.level:g}, seed {request.seed})"
    task_request = TaskRequest.model_validate(request.model_dump(exclude={"persistent"}))
    try:
        task = await service.generate(partial(encode_task, task_request, service.catalogue.tools_json), request.name)
        tree = EpisodeTree(service, description, spec["has_picture"])
        await tree.open(request)
        await tree.record_oracle()
        await (tree.record_first_mistakes() if spec["kind"] == "environment" else tree.record_mistaken_episode())
        await tree.close()
    except RecordError:
        raise
    except Exception as error:
        raise RecordError(f"cannot record {description}: {type(error).__name__}: {error}") from error
    return {"level": request.level, "seed": request.seed, "split": "main", "task": json.loads(task), "nodes": tree.nodes}


class EpisodeTree:
    """The visited positions of one sample, the root first, and the session that visits them."""

    def __init__(self, service: SessionService, description: str, has_picture: bool) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._service, self._description, self._has_picture = service, description, has_picture
        self._session_id = self._root_snapshot = ""
        self._current = self._num_events = 0

    async def open(self, request: OpenRequest) -> None:
        """Open the session and record the root."""
        self._session_id, view = await self._service.open(ANONYMOUS, request)
        self._root_snapshot = (await self._call("snapshot"))["snapshot"]
        hints = {tier: await self._hint(tier) for tier in TIERS}
        self.nodes.append({"view": _recorded_fields(json.loads(view)), "hints": {tier: hint for tier, hint in hints.items() if hint}})

    async def record_oracle(self) -> None:
        """Play the oracle's episode from the root."""
        while not self._is_done and len(self.nodes) <= MAX_TURNS:
            response = (await self._call("oracle"))["response"]
            self.nodes[self._current]["oracle"] = response
            await self._step(response)
        view = self.nodes[self._current]["view"]
        if not view["done"] or view["score"]["outcome"] != "right":
            problem = f"{view['score']['outcome']}: {view['score']['reason']}" if view["done"] else f"no end after {MAX_TURNS} turns"
            raise RecordError(f"cannot record {self._description}: the oracle's episode does not score 1 ({problem})")

    async def record_first_mistakes(self) -> None:
        """Answer the root with each of the first mistakes."""
        count, index = 1, 0
        while index < min(count, MAX_MISTAKES):
            await self._return_to_root()
            mistake = await self._mistake(index)
            if mistake is None:
                return
            count, index = mistake["count"], index + 1
            self.nodes[0].setdefault("mistakes", []).append(mistake["response"])
            await self._step(mistake["response"])

    async def record_mistaken_episode(self) -> None:
        """Play the first mistake at every turn, from the root."""
        await self._return_to_root()
        for _ in range(MAX_WRONG_TURNS):
            mistake = None if self._is_done else await self._mistake(0)
            if mistake is None:
                return
            self.nodes[self._current]["mistakes"] = [mistake["response"]]
            await self._step(mistake["response"])

    async def close(self) -> None:
        """Close the session."""
        await self._call("close")

    @property
    def _is_done(self) -> bool:
        return bool(self.nodes[self._current]["view"]["done"])

    async def _return_to_root(self) -> None:
        await self._call("restore", snapshot=self._root_snapshot)
        self._current = self._num_events = 0

    async def _step(self, response: str) -> None:
        """Step to the node that this response leads to, and add it if it is new."""
        children = self.nodes[self._current].setdefault("next", {})
        view = await self._call("step", response=response)
        node: dict[str, Any] = {"view": _recorded_fields(view)}
        if view["max_turns"] > 1:
            events = (await self._call("get"))["events"]
            node["events"], self._num_events = events[self._num_events :], len(events)
        if response not in children:
            if self._has_picture and view["max_turns"] > 1:
                node["svg"] = (await self._call("render", mode="svg"))["svg"]
            children[response] = len(self.nodes)
            self.nodes.append(node)
        self._current = children[response]

    async def _mistake(self, index: int) -> dict[str, Any] | None:
        """A mistake, or None if the environment lists none here."""
        mistake: dict[str, Any] | None = await self._call_or_none("mistake", index=index)
        return mistake

    async def _hint(self, tier: str) -> str:
        """A hint, or an empty string if the environment has none of this tier."""
        hint = await self._call_or_none("hint", tier=tier)
        return str(hint["hint"]) if hint else ""

    async def _call_or_none(self, operation: str, **fields: Any) -> Any:
        try:
            return await self._call(operation, **fields)
        except ServiceError as error:
            if error.code == "not_found":
                return None
            raise

    async def _call(self, operation: str, **fields: Any) -> dict[str, Any]:
        text = await self._service.dispatch_forwarded(ANONYMOUS, operation, self._session_id, fields)
        response: dict[str, Any] = json.loads(text)
        return response


def _recorded_fields(view: dict[str, Any]) -> dict[str, Any]:
    return {field: view[field] for field in RECORDED_FIELDS}
