"""An environment that is played elsewhere, for programs that play the local one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium

from rlgym import AnyText, Event, Rng
from rlgym.serve.client.episode import Snapshot
from rlgym.serve.client.player import Player, checked_seed
from rlgym.serve.client.views import RemoteTask

if TYPE_CHECKING:
    from rlgym.serve.client.client import Client


class Env(gymnasium.Env[str, str]):
    """Plays one environment through a service: the same calls, observations, rewards and infos as the Env of `rlgym.make`.

    Other than there, the task's data is hidden, and `declared` and `config`, which hold the environment's code, are not here.
    """

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(self, client: Client, player: Player) -> None:
        self.client, self.player = client, player
        wanted = player.wanted
        self.name, self.level, self.knobs = wanted.name, wanted.level, wanted.knobs
        self.answer_style, self.rewards, self.render_mode = wanted.answer_style, wanted.rewards, wanted.render_mode
        self.observation_space = AnyText()
        self.action_space = AnyText()
        self._seeds: Rng | None = None

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the task of this seed. Without one, the next task of the stream that the last given seed fixed, as the local Env does."""
        if seed is not None:
            seed = checked_seed(seed)
            super().reset(seed=seed)
            self._seeds = None
        else:
            if self._seeds is None:
                self._seeds = Rng("reset", self.np_random_seed)
            seed = self._seeds.integer(0, 2**63 - 1)
        return self.client.run(self.player.reset(seed, options))

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Give the model's response. It is judged once, whatever happens to the connection."""
        return self.client.run(self.player.step(action))

    def oracle(self) -> str:
        """What the oracle would answer now, as a whole response; only for keys that may reveal answers."""
        return self.client.run(self.player.oracle())

    def mistake(self, which: int | None = None) -> str:
        """What a tempted player would answer now; only for keys that may reveal answers."""
        return self.client.run(self.player.mistake(which))

    def hint(self, tier: str = "concept") -> str:
        """A hint: "concept", "plan", "partial" or, with the answer, "solution"; only for keys that may reveal answers."""
        return self.client.run(self.player.hint(tier))

    def snapshot(self) -> Snapshot:
        """Where the episode stands: keep any number of them, and go back with `restore`."""
        return self.client.run(self.player.started().snapshot())

    def restore(self, snapshot: Snapshot) -> str:
        """Go back (or over) to a snapshot of an Env of the same environment; returns its observation."""
        return self.client.run(self.player.restore(snapshot))

    @property
    def events(self) -> tuple[Event, ...]:
        """The environment's own log of this episode."""
        return self.client.run(self.player.started().events())

    @property
    def task(self) -> RemoteTask:
        """The task being played: its prompt and where it comes from."""
        return self.player.task

    @property
    def session(self) -> str | None:
        """The service's name for the episode, by which another client may `attach` to it."""
        return self.player.episode.session

    @property
    def messages(self) -> list[dict[str, str]]:
        """The transcript in chat format."""
        return self.client.run(self.player.messages())

    def render(self) -> str:
        """The transcript so far, as text; with render_mode="svg" what the player sees now as SVG."""
        return self.client.run(self.player.render())

    def close(self) -> None:
        """Let the service forget the episode."""
        self.client.run(self.player.episode.end())
