"""A remote environment for asynchronous programs, which play many at once."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from rlgym import Event, Rng
from rlgym.serve.client.env_core import EnvCore, check_seed
from rlgym.serve.client.episode import Snapshot
from rlgym.serve.client.models import RemoteTask
from rlgym.serve.client.sans_io import AsyncExecutor


class AsyncEnv:
    """Plays one environment through a service, with the calls, observations, rewards and infos of Env, each call awaited."""

    def __init__(self, client: AsyncExecutor, core: EnvCore) -> None:
        self.client, self.core = client, core
        spec = core.spec
        self.name, self.level, self.knobs = spec.name, spec.level, spec.knobs
        self.answer_style, self.rewards, self.render_mode = spec.answer_style, spec.rewards, spec.render_mode
        self._seeds: Rng | None = None

    async def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the task of this seed. Without a seed, start the next task of the stream that the last seed fixed, as the local Env does."""
        if seed is not None:
            seed = check_seed(seed)
            self._seeds = Rng("reset", seed)
        else:
            if self._seeds is None:
                self._seeds = Rng("reset", secrets.randbits(64))
            seed = self._seeds.integer(0, 2**63 - 1)
        return await self.client.execute(self.core.reset(seed, options))

    async def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Step with a model response. It is scored once, whatever happens to the connection."""
        return await self.client.execute(self.core.step(action))

    async def oracle(self) -> str:
        """The oracle's response at this turn; requires a key that may see answers."""
        return await self.client.execute(self.core.oracle())

    async def mistake(self, index: int | None = None) -> str:
        """A plausible wrong response at this turn; requires a key that may see answers."""
        return await self.client.execute(self.core.mistake(index))

    async def hint(self, tier: str = "concept") -> str:
        """A hint: "concept", "plan", "partial" or, with the answer, "solution"; requires a key that may see answers."""
        return await self.client.execute(self.core.hint(tier))

    async def snapshot(self) -> Snapshot:
        """Save the state of the episode; `restore` returns to it any number of times."""
        return await self.client.execute(self.core.require_episode().snapshot())

    async def restore(self, snapshot: Snapshot) -> str:
        """Restore a snapshot of this Env, or of another Env of the same environment; returns its observation."""
        return await self.client.execute(self.core.restore(snapshot))

    async def events(self) -> tuple[Event, ...]:
        """The environment's event log of this episode."""
        return await self.client.execute(self.core.require_episode().events())

    @property
    def task(self) -> RemoteTask:
        """The current task: its prompt and origin."""
        return self.core.task

    @property
    def session_id(self) -> str | None:
        """The id of the episode's session, by which another client may `attach` to it."""
        return self.core.episode.session_id

    async def messages(self) -> list[dict[str, str]]:
        """The transcript in chat format."""
        return await self.client.execute(self.core.messages())

    async def render(self) -> str:
        """The transcript as text; with render_mode="svg" a drawing of what the player sees."""
        return await self.client.execute(self.core.render())

    async def close(self) -> None:
        """Close the session."""
        await self.client.execute(self.core.episode.end())
