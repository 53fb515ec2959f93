"""Rows of a dataset, or a mix of environments, in Gymnasium's vector environments; one episode a row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

import rlgym
from rlgym.core.errors import check_render_mode
from rlgym.dataset import Session, to_task_json


class RowEnv(gymnasium.Env[str, str]):
    """Plays rows one after the other: `reset(seed=n)` starts the n-th, later resets go on from there by `stride`.

    The reward is the score's value at the end of an episode. Where the score says nothing about the model the reward is nan, and
    the episode is truncated instead of terminated. RowError, with the row's id, for a damaged row.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, rows: Sequence[Mapping[str, Any]], *, first: int = 0, stride: int = 1, render_mode: str | None = None) -> None:
        if not rows:
            raise rlgym.RlgymError("there are no rows to play")
        for row in rows:
            to_task_json(row)
        self.rows, self.stride = rows, stride
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        played = rlgym.Env(rows[0]["env"])
        self.observation_space, self.action_space = played.observation_space, played.action_space
        self._next = first
        self._session: Session | None = None
        self._turn = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the episode of the next row, or of row number `seed`."""
        super().reset(seed=seed)
        at = self._next if seed is None else seed
        self._next, self._turn = at + self.stride, 0
        self._session = Session(self.rows[at % len(self.rows)])
        return self._session.observation, self._info(self._session)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Give the model's response."""
        session = self._now()
        observation, self._turn = session.step(action), self._turn + 1
        score = session.score
        masked = score is not None and score.masked
        reward = 0.0 if score is None else math.nan if masked else score.value
        return observation, reward, session.done and not masked, masked, self._info(session)

    def render(self) -> str:
        """The transcript so far, as text."""
        return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in self._now().messages)

    def oracle(self) -> str:
        """What the oracle would say now."""
        return self._now().oracle()

    def _now(self) -> Session:
        if self._session is None:
            raise gymnasium.error.ResetNeeded("call reset() first")
        return self._session

    def _info(self, session: Session) -> dict[str, Any]:
        info: dict[str, Any] = {"id": session.row["id"], "env": session.row["env"], "turn": self._turn}
        if session.tools:
            info["tools"] = session.tools
        if session.score is not None:
            info |= {"score": session.score, "masked": session.score.masked}
        return info


def row_vector(
    rows: Sequence[Mapping[str, Any]],
    num_envs: int,
    vectorization_mode: Literal["sync", "async"] = "sync",
    *,
    autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    **vector_kwargs: Any,
) -> SyncVectorEnv | AsyncVectorEnv:
    """A vector environment that plays all of `rows`, dealt out in turn; `vector_kwargs` go to Gymnasium's own class.

    A game's observation may be longer than what shared memory holds (256 KiB); then give `shared_memory=False`.
    """
    if vectorization_mode not in ("sync", "async"):
        raise rlgym.RlgymError(f"vectorization_mode must be 'sync' or 'async', got {vectorization_mode!r}")
    for row in rows:
        to_task_json(row)  # here, and not in a worker, whose error would be harder to read
    kind = SyncVectorEnv if vectorization_mode == "sync" else AsyncVectorEnv
    makers = [lambda first=first: RowEnv(rows, first=first, stride=num_envs) for first in range(num_envs)]
    return kind(makers, autoreset_mode=autoreset_mode, **vector_kwargs)
