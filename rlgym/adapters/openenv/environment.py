"""The environment that an OpenEnv server runs: one session's episode, and the tasks that it offers."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping
from typing import Any

from rlgym.core.packages import extra
from rlgym.dataset import Recipe, Session, from_task_json, sample

with extra("openenv"):
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
    from pydantic import Field


class RlgymAction(Action):
    """The model's response. `request_id` makes a repeated step safe, and `timeout_s` bounds it; see `RlgymEnvironment.step`."""

    message: str
    request_id: str | None = Field(default=None, max_length=255)
    timeout_s: float | None = Field(default=None, gt=0)


class RlgymObservation(Observation):
    """What the model reads now. `outcome` and `reason` are empty until there is a score; `turn_reward` is the progress of the last turn."""

    text: str
    id: str
    env: str
    turns_left: int
    tools: list[dict[str, Any]] = []
    outcome: str = ""
    reason: str = ""
    turn_reward: float | None = None
    request_id: str | None = None


class RlgymEnvironment(Environment[RlgymAction, RlgymObservation, State]):
    """One session's episode. `seeds` is shared by all sessions of a server, so that no two of them play the same task unasked.

    The methods `list_splits`, `num_tasks`, `list_tasks`, `get_task` and `get_task_range` are OpenEnv's Task API: what `reset` can
    be asked for. They make no task.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, recipe: Recipe, split: str | None, seeds: Any) -> None:
        super().__init__()
        self._recipe, self._split, self._seeds = recipe, split, seeds
        self._session: Session | None = None
        self._state = State()
        self._last: RlgymObservation | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task_json: str | None = None,
        split: str | None = None,
        index: int | None = None,
        **_: Any,
    ) -> RlgymObservation:
        """Start a task: of a row's task JSON, of an index in a split, of a seed, or, without any, the next of the server's own."""
        if task_json is not None:
            row: Mapping[str, Any] = from_task_json(task_json)
        elif index is not None:
            row = self._row(self._check_index(split or self.list_splits()[0], index), split or self._split)
        else:
            row = self._row(next(self._seeds) if seed is None else seed, split or self._split)
        self._session, self._last = Session(row), None
        self._state = State(episode_id=episode_id or row["id"], step_count=0, env=row["env"])
        return self._observation(None)

    def step(self, action: RlgymAction, timeout_s: float | None = None, request_id: str | None = None, **_: Any) -> RlgymObservation:
        """Take the model's response. A failure that is not the model's fault raises: the client gets an error, never a reward.

        timeout_s   seconds for this step; TimeoutError after them, and the episode stays where it was, so the step can be repeated
        request_id  a step with the request_id of the step before it is that step sent again: it returns the same observation
        """
        if self._session is None:
            raise RuntimeError("call reset before step")
        request_id, timeout_s = request_id or action.request_id, timeout_s or action.timeout_s
        if request_id is not None and self._last is not None and self._last.request_id == request_id:
            return self._last
        session = copy.copy(self._session)
        _within(timeout_s, session, action.message)
        self._session = session
        self._state.step_count += 1
        score = session.score
        if score is not None and score.masked:
            raise RuntimeError(f"the row {session.row['id']!r} cannot be scored: {score.reason}")
        self._last = self._observation(request_id)
        return self._last

    @property
    def state(self) -> State:
        """The progress of the episode; nothing of the answer."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server offers."""
        return EnvironmentMetadata(name="rlgym", description="Verifiable tasks: " + ", ".join(self._recipe.environments()), version="1")

    def list_splits(self) -> list[str]:
        """The splits that have tasks here; only its own on a server of one split."""
        return [self._split] if self._split else [split for split, share in self._recipe.splits.items() if share > 0]

    def num_tasks(self, split: str) -> int:
        """How many tasks a split offers by index: the recipe's `count`. Seeds reach any number of further tasks."""
        self._check_split(split)
        return self._recipe.count

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """All tasks of a split: identity, index, environment and level of each."""
        return self.get_task_range(split)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """One task of a split; IndexError beyond its end."""
        name, level = self._choice(self._check_index(split, index))
        return {"id": f"{split}-{index}", "index": index, "split": split, "env": name, "level": level}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """The tasks from `start` up to but without `stop`."""
        return [self.get_task(split, index) for index in range(self.num_tasks(split))[start:stop]]

    def _check_split(self, split: str) -> None:
        if split not in self.list_splits():
            raise ValueError(f"there is no split {split!r}; the splits are {', '.join(self.list_splits())}")

    def _check_index(self, split: str, index: int) -> int:
        if not 0 <= index < self.num_tasks(split):
            raise IndexError(f"the split {split!r} has {self.num_tasks(split)} tasks, counted from 0, and no task {index}")
        return index

    def _choice(self, seed: int) -> tuple[str, float]:
        """A sample of one task always takes the same environment; so the seed chooses it, and its level."""
        known, levels = self._recipe.environments(), self._recipe.levels
        return known[seed % len(known)], levels[seed // len(known) % len(levels)]

    def _row(self, seed: int, split: str | None) -> Mapping[str, Any]:
        name, level = self._choice(seed)
        knobs = {name: self._recipe.knobs[name]} if name in self._recipe.knobs else {}
        more: dict[str, Any] = {"knobs": knobs, "answer_style": self._recipe.answer_style, "splits": self._recipe.splits}
        return next(iter(sample(name, 1, levels=[level], seed=seed, split=split, **more)))

    def _observation(self, request_id: str | None) -> RlgymObservation:
        assert self._session is not None
        session, score = self._session, self._session.score
        return RlgymObservation(
            text=session.observation,
            id=session.row["id"],
            env=session.row["env"],
            turns_left=session.max_turns - self._state.step_count,
            tools=session.tools,
            done=session.done,
            reward=None if score is None else score.value,
            outcome="" if score is None else score.outcome.value,
            reason="" if score is None else score.reason,
            turn_reward=session.turn_rewards[-1] if session.turn_rewards else None,
            request_id=request_id,
        )


def _within(seconds: float | None, session: Session, response: str) -> None:
    """Step a session; TimeoutError if that takes longer. The step then ends in the background, and nobody reads its result."""
    if seconds is None:
        session.step(response)
        return
    raised: list[BaseException] = []

    def step() -> None:
        try:
            session.step(response)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=step, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError(f"the step took longer than timeout_s={seconds:g}: the episode stays where it was, send the step again")
    if raised:
        raise raised[0]
