"""What Env and AsyncEnv share: an episode in the terms of gymnasium."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlgym import NeedsReset, Score
from rlgym.serve.client import calls
from rlgym.serve.client.episode import Episode, Snapshot
from rlgym.serve.client.errors import EpisodeOver, Invalid
from rlgym.serve.client.programs import Program, Tries
from rlgym.serve.client.views import RemoteTask, View

Reward = Callable[[Score, str], float]
Info = dict[str, Any]
Stepped = tuple[str, float, bool, bool, Info]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an Env plays: an environment with its level and knobs, and how it is played."""

    name: str
    level: float | None = None
    answer_style: str = "tag"
    split: str = "main"
    knobs: Mapping[str, Any] = field(default_factory=dict)
    rewards: tuple[Reward, ...] = ()
    render_mode: str | None = None
    keep: bool = False

    def start(self, seed: int, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """What a session is opened with; `options` may hold `level` and `knobs` for this episode alone."""
        if unknown := set(options or {}) - {"level", "knobs"}:
            raise Invalid(f"reset's options may hold 'level' and 'knobs', got {', '.join(sorted(map(repr, unknown)))}")
        level = options.get("level", self.level) if options else self.level
        own = (options or {}).get("knobs") or {}
        if not isinstance(own, dict):
            raise Invalid(f"options['knobs'] must be a dictionary, got {own!r}")
        start = {"name": self.name, "seed": seed, "level": level, "knobs": {**self.knobs, **own}}
        return start | {"split": self.split, "answer_style": self.answer_style} | ({"keep": True} if self.keep else {})


def as_rewards(rewards: Reward | Sequence[Reward] | None) -> tuple[Reward, ...]:
    """One shaping function, several or none, as a tuple."""
    return () if rewards is None else (rewards,) if callable(rewards) else tuple(rewards)


def checked_seed(seed: Any) -> int:
    """The seed as an int of Python's; Invalid where it is none, or negative."""
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise Invalid(f"seed must be an integer from 0, got seed={seed!r}")
    return int(seed)


class Player:
    """Programs for all that an Env does."""

    def __init__(self, wanted: Wanted, tries: Tries, recover: bool) -> None:
        self.wanted, self.episode = wanted, Episode(tries, recover)

    def reset(self, seed: int, options: Mapping[str, Any] | None) -> Program[tuple[str, Info]]:
        """The first observation and info of the task that a seed makes."""
        view = yield from self.episode.begin(self.wanted.start(seed, options))
        return view.observation, self.info({"seed": seed})

    def attach(self, session: str) -> Program[View]:
        """Sit down at a session that another client opened."""
        return (yield from self.episode.attach(session))

    def step(self, action: str) -> Program[Stepped]:
        """What comes of a response."""
        self.may_step(action)
        try:
            yield from self.episode.step(action)
        except EpisodeOver:
            raise NeedsReset("the episode is over, another client ended it: call reset() before the next step()") from None
        return self.stepped(action)

    def may_step(self, action: Any) -> None:
        """NeedsReset or Invalid where a step makes no sense, before anything is sent."""
        if self.episode.path is None:
            raise NeedsReset("call reset() before step()")
        if self.episode.path.view.done:
            raise NeedsReset("the episode is over: call reset() before the next step()")
        if not isinstance(action, str):
            raise Invalid(f"an action must be a string, the model's response; got {type(action).__name__}")

    def stepped(self, action: str) -> Stepped:
        """The step that brought the episode here, as gymnasium has it."""
        view = self.view
        reward = 0.0 if view.score is None else view.score.value
        if view.score is not None and not view.score.masked:
            reward += sum(shape(view.score, action) for shape in self.wanted.rewards)
        return view.observation, reward, view.done, False, self.info({})

    def info(self, extra: Info) -> Info:
        """What gymnasium's `info` holds now, as the local Env's does."""
        view = self.view
        info = {"task": self.task, "turn": view.turn, "feedback": view.feedback, **extra}
        if view.score is not None:
            info |= {"score": view.score, "masked": view.score.masked}
        if view.tools:
            info["tools"] = view.tools
        return info

    @property
    def view(self) -> View:
        """Where the episode stands."""
        return self.started().here().view

    @property
    def task(self) -> RemoteTask:
        """The task being played."""
        path = self.started().here()
        return RemoteTask(path.prompt, path.view.origin)

    def oracle(self) -> Program[str]:
        """What the oracle would answer now."""
        return self.started().field(calls.oracle, "response")

    def mistake(self, which: int | None) -> Program[str]:
        """What a tempted player would answer now."""
        return self.started().field(lambda session: calls.mistake(session, which), "response")

    def hint(self, tier: str) -> Program[str]:
        """A hint."""
        return self.started().field(lambda session: calls.hint(session, tier), "hint")

    def render(self) -> Program[str]:
        """The transcript as text; with render_mode "svg" a drawing of what the player sees."""
        mode, name = ("svg", "svg") if self.wanted.render_mode == "svg" else ("ansi", "text")
        return self.started().field(lambda session: calls.render(session, mode), name)

    def messages(self) -> Program[list[dict[str, str]]]:
        """The transcript in chat format."""
        return (yield from self.started().look())["messages"]  # type: ignore[no-any-return]

    def restore(self, snapshot: Any) -> Program[str]:
        """Go to a snapshot; its observation."""
        if not isinstance(snapshot, Snapshot):
            raise Invalid(f"restore takes what snapshot() gave, got {type(snapshot).__name__}")
        if (theirs := snapshot.path.start["name"]) != self.wanted.name:
            raise Invalid(f"this snapshot is of {theirs!r}, not of {self.wanted.name!r}")
        return (yield from self.episode.restore(snapshot)).observation

    def started(self) -> Episode:
        """The episode; NeedsReset where there is none."""
        if self.episode.path is None:
            raise NeedsReset("call reset() first")
        return self.episode
