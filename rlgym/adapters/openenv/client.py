"""The OpenEnv client of our environments."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.request import Request, urlopen

from rlgym.adapters.openenv.environment import RlgymAction, RlgymObservation
from rlgym.core.packages import extra

with extra("openenv"):
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server.types import State


class RlgymEnv(EnvClient[RlgymAction, RlgymObservation, State]):
    """The client. `reset(seed=...)`, `reset(split=..., index=...)` or `reset(task_json=...)`, then `step(RlgymAction(...))` until done."""

    def __init__(self, base_url: str, **settings: Any) -> None:
        super().__init__(base_url=base_url, **settings)
        self._http = base_url.replace("ws://", "http://", 1).replace("wss://", "https://", 1).rstrip("/")

    async def list_splits(self) -> list[str]:
        """The splits of the server's tasks."""
        return [split["name"] for split in await self._ask("splits", None)]

    async def num_tasks(self, split: str) -> int:
        """How many tasks a split offers by index."""
        return int((await self._ask("num_tasks", {"split": split}))["num_tasks"])

    async def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """The tasks of a split from `start` up to but without `stop`: identity, index, environment and level of each."""
        return list((await self._ask("task_range", {"split": split, "start": start, "stop": stop}))["tasks"])

    async def _ask(self, path: str, body: dict[str, Any] | None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._http}/rlgym/{path}", data, {"content-type": "application/json"})

        def ask() -> Any:
            with urlopen(request, timeout=30) as response:
                return json.load(response)

        return await asyncio.to_thread(ask)

    def _step_payload(self, action: RlgymAction) -> dict[str, Any]:
        return action.model_dump(exclude={"metadata"}, exclude_none=True)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[RlgymObservation]:
        done, reward = payload.get("done", False), payload.get("reward")
        return StepResult(observation=RlgymObservation(**payload["observation"], done=done, reward=reward), reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
