"""The asynchronous client."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

from rlgym import Score
from rlgym.serve.client import calls, desk
from rlgym.serve.client.async_env import AsyncEnv
from rlgym.serve.client.calls import Call, given
from rlgym.serve.client.client import Transport, check_transport
from rlgym.serve.client.desk import Item
from rlgym.serve.client.errors import ServiceError
from rlgym.serve.client.player import Player, Reward, Stepped, Wanted, as_rewards, checked_seed
from rlgym.serve.client.programs import Program, Tries, aplay, ask
from rlgym.serve.client.rest import AsyncRest
from rlgym.serve.client.socket_async import AsyncSocket
from rlgym.serve.client.views import Drawn

T = TypeVar("T")


class AsyncClient:
    """Asks a service for environments, tasks, scores and episodes.

    key          the service's key, where it wants one
    timeout      seconds that one answer may take
    retries      how many times more is tried what may help and cannot harm; a Tries says it all
    transport    how episodes are played: "rest", a request a step, or "ws", over one WebSocket, whose sessions end with it
    connections  the most HTTP connections at once

    Any number of calls may be under way at once, also over the one WebSocket. It belongs to the event loop that it was made in.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int | Tries = 6,
        transport: Transport = "rest",
        connections: int = 100,
    ) -> None:
        self.url, self.timeout, self.transport, self.connections = url, timeout, check_transport(transport), connections
        self.tries = retries if isinstance(retries, Tries) else Tries(most=retries)
        self._checked: set[str] = set()
        self._rest = AsyncRest(url, key, timeout, connections)
        self._socket = AsyncSocket(url, key, timeout)

    async def environments(self, search: str | None = None, domain: str | None = None, kind: str | None = None) -> list[dict[str, Any]]:
        """What can be played, a dictionary each."""
        return await self.run(desk.field(calls.environments(search, domain, kind), "environments", self.tries))

    async def spec(self, name: str) -> dict[str, Any]:
        """What there is to know about an environment."""
        return await self.run(ask(calls.spec(name), self.tries))

    async def task(
        self, name: str, seed: int, *, level: float | None = None, split: str = "main", answer_style: str = "tag", **knobs: Any
    ) -> Drawn:
        """The task that (name, seed, level, knobs) makes, as a player sees it."""
        return await self.run(desk.draw(Wanted(name, level, answer_style, split, knobs), checked_seed(seed), self.tries))

    async def sample(
        self,
        names: str | Sequence[str],
        count: int,
        *,
        levels: Sequence[float] | None = None,
        seed: int | None = None,
        split: str | None = None,
        answer_style: str | None = None,
    ) -> list[Drawn]:
        """Tasks of environments, domains or patterns, different from each other."""
        who = names if isinstance(names, str) else list(names)
        levels = None if levels is None else list(levels)
        fields = given(names=who, count=count, levels=levels, seed=seed, split=split, answer_style=answer_style)
        return await self.run(desk.sample(fields, self.tries))

    @overload
    async def score(self, items: Iterable[Item], *, answer_style: str | None = None) -> list[Score]: ...

    @overload
    async def score(
        self, items: Iterable[Item], *, answer_style: str | None = None, errors: Literal["return"]
    ) -> list[Score | ServiceError]: ...

    async def score(self, items: Iterable[Item], *, answer_style: str | None = None, errors: str = "raise") -> Any:
        """The scores of (task, response) pairs, in order; many in a request.

        A task is one that this client drew, a mapping with name, seed and what else there is, or a dataset row. The first
        item that cannot be scored raises; with errors="return" its error stands in its place.
        """
        found = await self.run(desk.score(items, answer_style, self.tries))
        return found if errors == "return" else desk.whole(found)

    async def runs(self) -> list[dict[str, Any]]:
        """The runs that the service shows: evaluations and trainings."""
        return await self.run(desk.field(calls.runs(), "runs", self.tries))

    async def run_of(self, run_id: str) -> dict[str, Any]:
        """What there is to know about a run."""
        return await self.run(ask(calls.run(run_id), self.tries))

    async def transcripts(self, run_id: str, **fields: Any) -> dict[str, Any]:
        """A page of a run's transcripts; `fields` may be offset, limit, env and right."""
        return await self.run(ask(calls.transcripts(run_id, given(**fields)), self.tries))

    async def report(self, run_id: str) -> str:
        """A run's report, as HTML."""
        return str(await self.run(ask(calls.report(run_id), self.tries)))

    async def ready(self) -> bool:
        """Whether the service takes requests now; never tried again."""
        try:
            await self.run(ask(Call("GET", "/readyz"), Tries(most=0)))
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
        keep: bool = False,
        **knobs: Any,
    ) -> AsyncEnv:
        """An Env that plays what `rlgym.make` plays, by the service. What cannot be played is refused here.

        recover  where the service lost the episode, make it again by the same responses
        keep     over a WebSocket: the session may be gone on with over REST once the connection has ended
        """
        wanted = Wanted(name, level, answer_style, split, knobs, as_rewards(rewards), render_mode, keep and self.transport == "ws")
        asked = repr((name, level, answer_style, split, sorted(knobs.items())))
        if asked not in self._checked:
            await self.run(desk.draw(wanted, 0, self.tries))
            self._checked.add(asked)
        return AsyncEnv(self, Player(wanted, self.tries, recover))

    async def attach(self, session: str) -> AsyncEnv:
        """An Env that goes on with a session which another client of the same key opened."""
        view = await self.run(Player(Wanted(""), self.tries, False).attach(session))
        env = AsyncEnv(self, Player(Wanted(view.origin.name, view.origin.level, knobs=view.origin.knobs), self.tries, False))
        await self.run(env.player.attach(session))
        return env

    async def steps(self, each: Sequence[tuple[AsyncEnv, str]]) -> list[Stepped | ServiceError]:
        """Step many Envs at once, each with its response: what each `step` would give, or the error that it met."""
        return await self.run(desk.steps([(env.player, response) for env, response in each], self.tries))

    async def run(self, program: Program[T]) -> T:
        """Play a program of this package."""
        return await aplay(program, self._send)

    async def _send(self, call: Call) -> Any:
        return await self._socket.send(call) if call.op and self.transport == "ws" else await self._rest.send(call)

    async def close(self) -> None:
        """End the connections."""
        await self._socket.close()
        await self._rest.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()
