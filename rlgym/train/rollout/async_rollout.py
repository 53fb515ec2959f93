"""Batches of rollouts, and rollouts in background threads.

With `rollout.async_steps: k` the engine samples the episodes of the next k steps during the updates, one step after the other, with
its own copy of the weights. The episodes of step s are of the weights before the update of step s - k, so every step from the k-th on
learns from weights that are k updates old, however fast either side is: what is sampled depends on the configuration and the seed
alone. A checkpoint waits for the episodes that are being sampled and contains them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from rlgym import Outcome, Score
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.worker import RolloutProgress
from rlgym.train.tasks.spec import TaskSpec


@dataclass(frozen=True)
class RolloutBatch:
    """The episodes of one sampling round, in the order of their keys.

    cells            the curriculum cell of each group
    seconds          duration of the sampling, on the slowest rank
    scoring_seconds  time spent on scoring, summed over all scoring processes
    num_tokens       number of tokens sampled in this round, if it is not that of the episodes' sampled tokens
    """

    cells: list[int]
    episodes: list[Episode]
    seconds: float
    scoring_seconds: float
    num_tokens: int | None = None

    def state_dict(self) -> dict[str, Any]:
        """The batch as plain data and tensors, for a checkpoint."""
        episodes = self.episodes
        return {
            "cells": self.cells,
            "seconds": self.seconds,
            "scoring_seconds": self.scoring_seconds,
            "lengths": [len(episode.tokens) for episode in episodes],
            "tokens": torch.tensor([token for episode in episodes for token in episode.tokens]),
            "loss_mask": torch.tensor([sampled for episode in episodes for sampled in episode.loss_mask]),
            "logprobs": torch.tensor([logprob for episode in episodes for logprob in episode.logprobs], dtype=torch.float64),
            "episodes": [_episode_state(episode) for episode in episodes],
        }

    @classmethod
    def from_state_dict(cls, state: dict[str, Any]) -> RolloutBatch:
        """The batch from its `state_dict`."""
        parts = [state[name].split(state["lengths"]) for name in ("tokens", "loss_mask", "logprobs")]
        episodes = [_episode_from_state(*entry) for entry in zip(state["episodes"], *parts)]
        return cls(state["cells"], episodes, state["seconds"], state["scoring_seconds"])


def _episode_state(episode: Episode) -> dict[str, Any]:
    task = episode.task
    return {
        "key": episode.key,
        "group": episode.group,
        "task": [
            task.name,
            task.level,
            task.index,
            task.split,
            dict(task.knobs),
            task.hint_fraction,
            task.retry,
            task.seed,
            task.paraphrase,
            task.hint_tier,
            task.instruction,
            task.feedback,
        ],
        "truncated": episode.truncated,
        "score": episode.score.to_dict() if episode.score else None,
        "reward": episode.reward,
        "version": episode.version,
        "seed": episode.seed,
        "shared_tokens": episode.shared_tokens,
        "feedback": episode.feedback,
        "invalid_turns": episode.invalid_turns,
        "hinted": episode.hinted,
        "oracle": episode.oracle,
        "prompt_without_hint": episode.prompt_without_hint,
        "behaviour_gain": episode.behaviour_gain,
        "seat": episode.seat,
        "content": episode.content,
        "messages": [list(message) for message in episode.messages],
        "segments": [list(segment) for segment in episode.segments],
        "spans": None if episode.spans is None else [[span.start, span.end, span.reward, span.kind] for span in episode.spans],
    }


def _episode_from_state(state: dict[str, Any], tokens_T: torch.Tensor, loss_mask_T: torch.Tensor, logprobs_T: torch.Tensor) -> Episode:
    score = state["score"] and Score(**state["score"] | {"outcome": Outcome(state["score"]["outcome"])})
    messages = [(role, text) for role, text in state["messages"]]
    lists = (tokens_T.tolist(), loss_mask_T.tolist(), logprobs_T.tolist())
    same = {name: state[name] for name in ("truncated", "reward", "version", "content")} | {"seed": state.get("seed")}
    spans = None if state["spans"] is None else [RewardSpan(*span) for span in state["spans"]]
    episode = Episode(
        state["key"], state["group"], TaskSpec(*state["task"]), *lists, None, score=score, messages=messages, spans=spans, **same
    )
    episode.shared_tokens = state.get("shared_tokens", 0)
    episode.feedback = state.get("feedback", "")
    episode.invalid_turns = state.get("invalid_turns", 0)
    episode.hinted, episode.oracle = state.get("hinted", False), state.get("oracle", False)
    episode.prompt_without_hint = state.get("prompt_without_hint", [])
    episode.behaviour_gain, episode.seat = state.get("behaviour_gain"), state.get("seat")
    episode.segments = [(version, tokens) for version, tokens in state.get("segments", [])]
    return episode


class AsyncRollout:
    """A rollout that runs in a background thread, after the one before it. `sample` receives a progress callback, through which it is cancelled.

    `load_weights` is called first, in the same thread: it gives the engine the weights of the time at which the rollout was ordered.
    """

    def __init__(
        self,
        sample: Callable[[RolloutProgress], RolloutBatch],
        load_weights: Callable[[], None] | None = None,
        after: AsyncRollout | None = None,
    ) -> None:
        self._sample = sample
        self._load_weights = load_weights
        self._after = after
        self._stop = threading.Event()
        self._result: RolloutBatch | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            if self._after is not None:
                self._after._thread.join()
                if self._after._error is not None:
                    raise InterruptedError("the rollout before this one failed")
                self._after = None
            self._on_progress(0, 1)
            if self._load_weights is not None:
                self._load_weights()
            self._result = self._sample(self._on_progress)
        except BaseException as error:
            self._error = error

    def _on_progress(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise InterruptedError("the run was stopped")

    def wait(self) -> RolloutBatch:
        """The result, once the thread has finished. Raises what the thread raised."""
        self._thread.join()
        if self._error:
            raise self._error
        assert self._result is not None
        return self._result

    def stop(self) -> None:
        """Ask the thread to stop at the next progress callback."""
        self._stop.set()

    def cancel(self) -> None:
        """Stop the thread, and wait up to a minute for it."""
        self.stop()
        self._thread.join(timeout=60)
