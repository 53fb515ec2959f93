"""The asynchronous client."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

from rlgym import Score
from rlgym.serve.client import calls, operations
from rlgym.serve.client.async_env import AsyncEnv
from rlgym.serve.client.calls import Call, drop_none
from rlgym.serve.client.env_core import EnvCore, EnvSpec, Reward, StepResult, as_rewards, check_seed
from rlgym.serve.client.errors import ServiceError
from rlgym.serve.client.http_transport import AsyncHttpTransport
from rlgym.serve.client.models import TaskView
from rlgym.serve.client.operations import ScoreItem
from rlgym.serve.client.sans_io import RetryPolicy, SansIO, call_with_retries, run_async
from rlgym.serve.client.websocket_async import AsyncWebSocketTransport
from rlgym.serve.client.wire import Transport, check_transport

T = TypeVar("T")


class AsyncClient:
    """Requests environments, tasks, scores and episodes from a service.

    key          an API key, if the service requires one
    timeout      seconds to wait for one response
    retries      the number of retries of requests for which a retry may help and is safe, or a RetryPolicy
    transport    how episodes are played: "rest", one HTTP request per step, or "ws", one WebSocket, whose sessions end with it
    connections  the maximum number of HTTP connections

    Any number of calls may be in flight at once, also over the one WebSocket. It belongs to the event loop in which it was created.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int | RetryPolicy = 6,
        transport: Transport = "rest",
        connections: int = 100,
    ) -> None:
        self.url, self.timeout, self.transport, self.connections = url, timeout, check_transport(transport), connections
        self.retry_policy = retries if isinstance(retries, RetryPolicy) else RetryPolicy(max_retries=retries)
        self._checked: set[str] = set()
        self._http = AsyncHttpTransport(url, key, timeout, connections)
        self._websocket = AsyncWebSocketTransport(url, key, timeout)

    async def environments(self, search: str | None = None, domain: str | None = None, kind: str | None = None) -> list[dict[str, Any]]:
        """The catalogue entries that match."""
        return await self.execute(operations.get_field(calls.list_environments(search, domain, kind), "environments", self.retry_policy))

    async def spec(self, name: str) -> dict[str, Any]:
        """The full specification of an environment."""
        return await self.execute(call_with_retries(calls.get_spec(name), self.retry_policy))

    async def task(
        self, name: str, seed: int, *, level: float | None = None, split: str = "main", answer_style: str = "tag", **knobs: Any
    ) -> TaskView:
        """The task of (name, seed, level, knobs), as a player sees it."""
        spec = EnvSpec(name, level, answer_style, split, knobs)
        return await self.execute(operations.generate_task(spec, check_seed(seed), self.retry_policy))

    async def sample(
        self,
        names: str | Sequence[str],
        count: int,
        *,
        levels: Sequence[float] | None = None,
        seed: int | None = None,
        split: str | None = None,
        answer_style: str | None = None,
    ) -> list[TaskView]:
        """Distinct tasks from environments, domains or patterns."""
        selection = names if isinstance(names, str) else list(names)
        levels = None if levels is None else list(levels)
        fields = drop_none(names=selection, count=count, levels=levels, seed=seed, split=split, answer_style=answer_style)
        return await self.execute(operations.sample_tasks(fields, self.retry_policy))

    @overload
    async def score(self, items: Iterable[ScoreItem], *, answer_style: str | None = None) -> list[Score]: ...

    @overload
    async def score(
        self, items: Iterable[ScoreItem], *, answer_style: str | None = None, errors: Literal["return"]
    ) -> list[Score | ServiceError]: ...

    async def score(self, items: Iterable[ScoreItem], *, answer_style: str | None = None, errors: str = "raise") -> Any:
        """The scores of (task, response) pairs, in order; many per request.

        A task is one that this client generated, a mapping with name, seed and optional fields, or a dataset row. The first item
        that cannot be scored raises; with errors="return" its error takes its place.
        """
        scores = await self.execute(operations.score(items, answer_style, self.retry_policy))
        return scores if errors == "return" else operations.raise_first_error(scores)

    async def runs(self) -> list[dict[str, Any]]:
        """The evaluation and training runs that the service shows."""
        return await self.execute(operations.get_field(calls.list_runs(), "runs", self.retry_policy))

    async def run(self, run_id: str) -> dict[str, Any]:
        """The summary of a run."""
        return await self.execute(call_with_retries(calls.get_run(run_id), self.retry_policy))

    async def transcripts(self, run_id: str, **filters: Any) -> dict[str, Any]:
        """A page of a run's transcripts; `filters` may be offset, limit, env, right and outcome."""
        return await self.execute(call_with_retries(calls.get_transcripts(run_id, drop_none(**filters)), self.retry_policy))

    async def report(self, run_id: str) -> str:
        """The report of a run, as HTML."""
        return str(await self.execute(call_with_retries(calls.get_report(run_id), self.retry_policy)))

    async def ready(self) -> bool:
        """Whether the service accepts requests now; not retried."""
        try:
            await self.execute(call_with_retries(calls.get_ready(), RetryPolicy(max_retries=0)))
        except ServiceError:
            return False
        return True

    async def make(
        self,
        name: str,
        *,
        level: float | None = None,
        answer_style: str = "tag",
        rewards: Reward | Sequence[Reward] | None = None,
        render_mode: str | None = None,
        split: str = "main",
        recover: bool = False,
        persistent: bool = False,
        **knobs: Any,
    ) -> AsyncEnv:
        """An AsyncEnv like the Env of `rlgym.make`, played by the service. Invalid arguments raise here.

        recover     recreate the episode from its responses if the service lost it
        persistent  over a WebSocket: the session outlives the connection
        """
        persistent = persistent and self.transport == "ws"
        spec = EnvSpec(name, level, answer_style, split, knobs, as_rewards(rewards), render_mode, persistent)
        cache_key = repr((name, level, answer_style, split, sorted(knobs.items())))
        if cache_key not in self._checked:
            await self.execute(operations.generate_task(spec, 0, self.retry_policy))
            self._checked.add(cache_key)
        return AsyncEnv(self, EnvCore(spec, self.retry_policy, recover))

    async def attach(self, session_id: str) -> AsyncEnv:
        """An AsyncEnv that continues a session which another client with the same key opened."""
        view = await self.execute(EnvCore(EnvSpec(""), self.retry_policy, False).attach(session_id))
        env = AsyncEnv(self, EnvCore(EnvSpec(view.origin.name, view.origin.level, knobs=view.origin.knobs), self.retry_policy, False))
        await self.execute(env.core.attach(session_id))
        return env

    async def step_batch(self, steps: Sequence[tuple[AsyncEnv, str]]) -> list[StepResult | ServiceError]:
        """Step many AsyncEnvs at once, each with its response; returns the result of each `step`, or its error."""
        return await self.execute(operations.step_batch([(env.core, response) for env, response in steps], self.retry_policy))

    async def execute(self, procedure: SansIO[T]) -> T:
        """Run a procedure of this package."""
        return await run_async(procedure, self._send)

    async def _send(self, call: Call) -> Any:
        return await self._websocket.send(call) if call.op and self.transport == "ws" else await self._http.send(call)

    async def close(self) -> None:
        """Close the connections."""
        await self._websocket.close()
        await self._http.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()
