"""Which episodes of a step go together: more of them for hard tasks, pairs of a hard and an easy task, bundles of tasks.

Axes: N rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.train.advantages.sets import RiskOptions, bundle_scores, move_quantiles
from rlgym.train.config import Config
from rlgym.train.episodes import Episode
from rlgym.train.flight import Played, Tick, play
from rlgym.train.samplers import bundles, pairs, rollouts_wanted

if TYPE_CHECKING:
    from rlgym.train.batch import Batch
    from rlgym.train.run import Run


def success(episodes: Sequence[Episode]) -> dict[int, float]:
    """The share of right episodes of each group that has a score."""
    rights: dict[int, list[bool]] = {}
    for episode in episodes:
        if episode.valid and episode.score:
            rights.setdefault(episode.group, []).append(episode.score.value == 1)
    return {group: sum(right) / len(right) for group, right in rights.items()}


def more_for_the_hard(run: Run, episodes: Sequence[Episode], again: str, tick: Tick) -> Played:
    """Further episodes of tasks that were seldom solved, up to `algorithm.most_rollouts` in all.

    From "Depth-Breadth Synergy in RLVR: Unlocking LLM Reasoning Gains with Adaptive Exploration".
    """
    config, out = run.config, Played([], [], 0.0, 0.0)
    picks = {episode.group: episode.pick for episode in episodes}
    wanted: dict[int, list[int]] = {}
    for group, rate in success(episodes).items():
        more = rollouts_wanted(rate, config.rollout.group, config.algorithm.most_rollouts) - config.rollout.group
        wanted.setdefault(more, []).append(group)
    for more, groups in sorted(wanted.items()):
        if more:
            played = play(run, [], [picks[group] for group in groups], run.seed(f"more {more}{again}"), tick, more)
            further = [replace(episode, group=groups[episode.group]) for episode in played.episodes]
            out = Played([], out.episodes + further, out.seconds + played.seconds, out.judged + played.judged)
    return out


def paired(episodes: Sequence[Episode], seed: int) -> tuple[list[Episode], int]:
    """The episodes of groups that make a pair of a hard and an easy task, and how many pairs there are."""
    chosen = pairs(success(episodes), Rng("pairs", seed))
    groups = {group for pair in chosen for group in pair}
    return [episode for episode in episodes if episode.group in groups], len(chosen)


def in_bundles(batch: Batch, size: int, seed: int) -> Batch:
    """The batch with its tasks dealt into bundles; what is left over, and bundles that lack a rollout, carry no loss."""
    whole, _ = bundles(batch.group_N.unique().tolist(), size, Rng("bundles", seed))
    bundle_of = {group: number for number, members in enumerate(whole) for group in members}
    turns: dict[int, int] = {}
    members: dict[tuple[int, int], list[int]] = {}
    for place, group in enumerate(batch.group_N.tolist()):
        turns[group] = turns.get(group, -1) + 1
        if group in bundle_of:
            members.setdefault((bundle_of[group], turns[group]), []).append(place)
    full = [places for places in members.values() if len(places) == size]
    # Whoever is in no bundle has a number of their own.
    bundle_N = batch.group_N.new_tensor(range(len(full), len(full) + len(batch.group_N)))
    in_one_N = batch.valid_N.new_zeros(len(batch.valid_N))
    for number, places in enumerate(full):
        bundle_N[places], in_one_N[places] = number, True
    return replace(batch, bundle_N=bundle_N, valid_N=batch.valid_N & in_one_N)


def bundled(batch: Batch, config: Config, seed: int) -> Batch:
    """The batch with its tasks in bundles, where the advantage judges those; otherwise as it is."""
    wanted = config.algorithm
    if wanted.advantage != "mvar":
        return batch
    return in_bundles(batch, RiskOptions.of(wanted.advantage_options).bundle, seed)


@dataclass
class Quantiles:
    """The quantiles of bundle scores that `mvar` follows from step to step; None before the first."""

    at: tuple[float, float] | None = None

    def follow(self, batch: Batch, options: RiskOptions, rate: float) -> RiskOptions:
        """The options for this batch. The quantiles of the first batch are the start, unless given; then they move."""
        scores = bundle_scores(batch, options)
        if self.at is None and options.quantiles is None and not len(scores):
            return options
        if self.at is None:
            self.at = options.quantiles or (float(scores.quantile(options.low)), float(scores.quantile(options.high)))
        options = options.model_copy(update={"quantiles": self.at})
        self.at = move_quantiles(self.at, scores, options, rate)
        return options
