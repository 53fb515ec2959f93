"""The rollouts of a step: sampled before it is learned from, or (with `rollout.ahead`) while the step before is learned from.

Ahead, the engine has weights of its own, those from before the update that goes on beside it. So each step but the first learns
from episodes of weights one update old, however fast either side is: what is sampled depends on the configuration and the seed
alone. Between two steps nothing is under way, and a checkpoint holds the episodes that wait to be learned from.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from rlgym import Outcome, Score
from rlgym.train.episodes import Episode
from rlgym.train.scoring import Pick

if TYPE_CHECKING:
    from rlgym.train.run import Run

Tick = Callable[[int, int], None]


@dataclass(frozen=True)
class Played:
    """The episodes of one step, in the order of their keys.

    arms     the arm of the curriculum that each group belongs to
    seconds  how long playing took, of several ranks the slowest
    judged   seconds that judging took, all scoring processes together
    """

    arms: list[int]
    episodes: list[Episode]
    seconds: float
    judged: float

    def saved(self) -> dict[str, Any]:
        """All of it as plain data and tensors, for a checkpoint."""
        episodes = self.episodes
        return {
            "arms": self.arms,
            "seconds": self.seconds,
            "judged": self.judged,
            "lengths": [len(episode.tokens) for episode in episodes],
            "tokens": torch.tensor([token for episode in episodes for token in episode.tokens]),
            "mask": torch.tensor([sampled for episode in episodes for sampled in episode.mask]),
            "logprobs": torch.tensor([logprob for episode in episodes for logprob in episode.logprobs], dtype=torch.float64),
            "episodes": [_facts(episode) for episode in episodes],
        }

    @classmethod
    def of(cls, saved: dict[str, Any]) -> Played:
        """The opposite of `saved`."""
        parts = [saved[name].split(saved["lengths"]) for name in ("tokens", "mask", "logprobs")]
        episodes = [_episode(*entry) for entry in zip(saved["episodes"], *parts)]
        return cls(saved["arms"], episodes, saved["seconds"], saved["judged"])


def _facts(episode: Episode) -> dict[str, Any]:
    pick = episode.pick
    return {
        "key": episode.key,
        "group": episode.group,
        "pick": [pick.name, pick.level, pick.index, pick.split, dict(pick.knobs)],
        "cut": episode.cut,
        "score": episode.score.to_dict() if episode.score else None,
        "reward": episode.reward,
        "version": episode.version,
        "content": episode.content,
        "said": [list(line) for line in episode.said],
    }


def _episode(facts: dict[str, Any], tokens_T: torch.Tensor, mask_T: torch.Tensor, logprobs_T: torch.Tensor) -> Episode:
    score = facts["score"] and Score(**facts["score"] | {"outcome": Outcome(facts["score"]["outcome"])})
    said = [(who, text) for who, text in facts["said"]]
    lists = (tokens_T.tolist(), mask_T.tolist(), logprobs_T.tolist())
    same = {name: facts[name] for name in ("cut", "reward", "version", "content")}
    return Episode(facts["key"], facts["group"], Pick(*facts["pick"]), *lists, None, score=score, said=said, **same)


class Flight:
    """Playing that goes on in a thread of its own; `play` is handed a tick, and is ended through it."""

    def __init__(self, play: Callable[[Tick], Played]) -> None:
        self._play = play
        self._stop = threading.Event()
        self._played: Played | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._fly, daemon=True)
        self._thread.start()

    def _fly(self) -> None:
        try:
            self._played = self._play(self._tick)
        except BaseException as error:
            self._error = error

    def _tick(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise InterruptedError("the run was ended")

    def landed(self) -> Played:
        """Wait for its end; what went wrong in the thread is raised here."""
        self._thread.join()
        if self._error:
            raise self._error
        assert self._played is not None
        return self._played

    def cancel(self) -> None:
        """End it as soon as it can be."""
        self._stop.set()
        self._thread.join(timeout=60)


def fetch(run: Run, tick: Tick) -> Played:
    """The rollouts of the present step: those that were sampled ahead, or else sampled now."""
    played = run.ready or together(run, departure(run, run.step)(tick))
    run.ready = None
    return played


def set_out(run: Run) -> None:
    """Begin with the rollouts of the next step, where there is one and they are to be sampled ahead."""
    if run.config.rollout.ahead and run.step + 1 < run.config.steps:
        run.flight = Flight(departure(run, run.step + 1))


def land(run: Run) -> None:
    """Wait for the rollouts that were begun with."""
    if run.flight is not None:
        run.ready = together(run, run.flight.landed())
        run.flight = None


def departure(run: Run, step: int) -> Callable[[Tick], Played]:
    """All that is to be decided about a step's rollouts; what comes back plays this rank's part of them."""
    chosen = run.curriculum.choose(step, run.config.rollout.groups)
    return _part(run, [arm for arm, _ in chosen], [pick for _, pick in chosen], run.seed("rollout", step))


def play(run: Run, arms: Sequence[int], picks: Sequence[Pick], seed: int, tick: Tick, group: int | None = None) -> Played:
    """A group of episodes for each pick, now, played by all ranks together; of another size than usual, if given."""
    return together(run, _part(run, list(arms), picks, seed, group)(tick))


def _part(run: Run, arms: list[int], picks: Sequence[Pick], seed: int, group: int | None = None) -> Callable[[Tick], Played]:
    player, numbers = run.player, run.team.share(range(len(picks)))
    size = group or run.config.rollout.group

    def go(tick: Tick) -> Played:
        begun, judged = time.perf_counter(), player.pool.seconds
        episodes = player.play([picks[number] for number in numbers], size, seed, tick, numbers) if numbers else []
        return Played(arms, episodes, time.perf_counter() - begun, player.pool.seconds - judged)

    return go


def together(run: Run, mine: Played) -> Played:
    """The episodes of all ranks, on every rank."""
    parts = run.team.gathered(mine)
    episodes = sorted((episode for part in parts for episode in part.episodes), key=lambda episode: episode.key)
    return Played(mine.arms, episodes, max(part.seconds for part in parts), sum(part.judged for part in parts))
