"""What Env and AsyncEnv share: an episode with Gymnasium's interface, without I/O."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlgym import NeedsReset, Score
from rlgym.serve.client import calls
from rlgym.serve.client.episode import Episode, Snapshot
from rlgym.serve.client.errors import EpisodeOver, InvalidRequest
from rlgym.serve.client.models import RemoteTask, SessionView
from rlgym.serve.client.sans_io import RetryPolicy, SansIO

Reward = Callable[[Score, str], float]
Info = dict[str, Any]
StepResult = tuple[str, float, bool, bool, Info]
"""Gymnasium's (observation, reward, terminated, truncated, info)."""


@dataclass(frozen=True, slots=True)
class EnvSpec:
    """What an Env plays, and how."""

    name: str
    level: float | None = None
    answer_style: str = "tag"
    split: str = "main"
    knobs: Mapping[str, Any] = field(default_factory=dict)
    rewards: tuple[Reward, ...] = ()
    render_mode: str | None = None
    persistent: bool = False

    def __post_init__(self) -> None:
        if self.render_mode not in (None, "ansi", "svg"):
            raise InvalidRequest(f"render_mode must be None or one of 'ansi', 'svg', got {self.render_mode!r}")

    def open_fields(self, seed: int, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """The fields that open a session; `options` may override `level` and `knobs` for this episode."""
        if unknown := set(options or {}) - {"level", "knobs"}:
            raise InvalidRequest(f"the options of reset may be 'level' and 'knobs', got {', '.join(sorted(map(repr, unknown)))}")
        level = options.get("level", self.level) if options else self.level
        episode_knobs = (options or {}).get("knobs") or {}
        if not isinstance(episode_knobs, dict):
            raise InvalidRequest(f"options['knobs'] must be a dictionary, got {episode_knobs!r}")
        task = {"name": self.name, "seed": seed, "level": level, "knobs": {**self.knobs, **episode_knobs}}
        return task | {"split": self.split, "answer_style": self.answer_style} | ({"persistent": True} if self.persistent else {})


def as_rewards(rewards: Reward | Sequence[Reward] | None) -> tuple[Reward, ...]:
    """One shaping function, several or none, as a tuple."""
    return () if rewards is None else (rewards,) if callable(rewards) else tuple(rewards)


def check_seed(seed: Any) -> int:
    """The seed as an int; InvalidRequest if it is not a non-negative integer."""
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise InvalidRequest(f"seed must be a non-negative integer, got seed={seed!r}")
    return int(seed)


class EnvCore:
    """The methods of an Env as procedures without I/O."""

    def __init__(self, spec: EnvSpec, policy: RetryPolicy, recover: bool) -> None:
        self.spec, self.episode = spec, Episode(policy, recover)

    def reset(self, seed: int, options: Mapping[str, Any] | None) -> SansIO[tuple[str, Info]]:
        """The first observation and info of the task with this seed."""
        view = yield from self.episode.begin(self.spec.open_fields(seed, options))
        return view.observation, self.make_info({"seed": seed})

    def attach(self, session_id: str) -> SansIO[SessionView]:
        """Continue a session that another client opened."""
        return (yield from self.episode.attach(session_id))

    def step(self, action: str) -> SansIO[StepResult]:
        """Step with a model response."""
        self.check_action(action)
        try:
            yield from self.episode.step(action)
        except EpisodeOver:
            raise NeedsReset("another client ended the episode: call reset() before the next step()") from None
        return self.step_result(action)

    def check_action(self, action: Any) -> None:
        """NeedsReset or InvalidRequest if a step is not possible, before anything is sent."""
        if self.episode.history is None:
            raise NeedsReset("call reset() before step()")
        if self.episode.history.view.done:
            raise NeedsReset("the episode is over: call reset() before the next step()")
        if not isinstance(action, str):
            raise InvalidRequest(f"an action must be a string, the model's response; got {type(action).__name__}")

    def step_result(self, action: str) -> StepResult:
        """Gymnasium's result of the last step."""
        view = self.view
        reward = 0.0 if view.score is None else view.score.value
        if view.score is not None and not view.score.masked:
            reward += sum(shape(view.score, action) for shape in self.spec.rewards)
        return view.observation, reward, view.done, False, self.make_info({})

    def make_info(self, extra: Info) -> Info:
        """Gymnasium's `info`, with the fields of the local Env's."""
        view = self.view
        info = {"task": self.task, "turn": view.turn, "feedback": view.feedback, **extra}
        if view.score is not None:
            info |= {"score": view.score, "masked": view.score.masked}
        if view.tools:
            info["tools"] = view.tools
        return info

    @property
    def view(self) -> SessionView:
        """The state of the episode."""
        return self.require_episode().require_history().view

    @property
    def task(self) -> RemoteTask:
        """The current task."""
        history = self.require_episode().require_history()
        return RemoteTask(history.prompt, history.view.origin)

    def oracle(self) -> SansIO[str]:
        """The oracle's response at this turn."""
        return self.require_episode().text_field(calls.oracle, "response")

    def mistake(self, index: int | None) -> SansIO[str]:
        """A plausible wrong response at this turn."""
        return self.require_episode().text_field(lambda session_id: calls.mistake(session_id, index), "response")

    def hint(self, tier: str) -> SansIO[str]:
        """A hint."""
        return self.require_episode().text_field(lambda session_id: calls.hint(session_id, tier), "hint")

    def render(self) -> SansIO[str]:
        """The transcript as text; with render_mode "svg" a drawing of what the player sees."""
        mode, name = ("svg", "svg") if self.spec.render_mode == "svg" else ("ansi", "text")
        return self.require_episode().text_field(lambda session_id: calls.render(session_id, mode), name)

    def messages(self) -> SansIO[list[dict[str, str]]]:
        """The transcript in chat format."""
        return (yield from self.require_episode().read())["messages"]  # type: ignore[no-any-return]

    def restore(self, snapshot: Any) -> SansIO[str]:
        """Restore a snapshot; returns its observation."""
        if not isinstance(snapshot, Snapshot):
            raise InvalidRequest(f"restore takes a Snapshot from snapshot(), got {type(snapshot).__name__}")
        if (name := snapshot.history.start["name"]) != self.spec.name:
            raise InvalidRequest(f"this snapshot belongs to {name!r}, not to {self.spec.name!r}")
        return (yield from self.episode.restore(snapshot)).observation

    def require_episode(self) -> Episode:
        """The episode; NeedsReset if there is none."""
        if self.episode.history is None:
            raise NeedsReset("call reset() first")
        return self.episode
