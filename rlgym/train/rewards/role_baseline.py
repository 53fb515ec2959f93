"""Baselines by environment and role, for rewards of games against oneself and of several modes of one task.

A role is the seat of a match in self-play; other episodes have the one role of their environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

from rlgym.train.config.self_play import RoleBaselineConfig

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode

MIN_STD = 1e-6


@dataclass
class RoleBaselines:
    """The moving averages of a run, by the name of an environment and role; 0 for one that has not been seen."""

    values: dict[str, float] = field(default_factory=dict)

    def subtract(self, episodes: Sequence[Episode], options: RoleBaselineConfig) -> list[Episode]:
        """The episodes with their rewards less the baselines of their roles. Episodes without a valid score neither count nor change.

        moving  every reward is compared with the average before it, in the order of the episodes, and then moves it: b <- decay b + (1 - decay) r.
                From "SPIRAL: Self-Play on Zero-Sum Games Incentivizes Reasoning via Multi-Agent Multi-Turn Reinforcement Learning"
        batch   (r - mean) / std over the step's episodes of the role; 0 where all are equal. From "Absolute Zero: Reinforced Self-play
                Reasoning with Zero Data" (TRR++)
        """
        if options.kind == "batch":
            return _standardised(episodes)
        out = []
        for episode in episodes:
            if episode.valid:
                role, reward = role_of(episode), episode.reward
                before = self.values.get(role, 0.0)
                self.values[role] = options.decay * before + (1 - options.decay) * reward
                episode = replace(episode, reward=reward - before)
            out.append(episode)
        return out

    def metrics(self) -> dict[str, float]:
        """The present averages, as metrics of a step."""
        return {f"role_baseline/{role}": value for role, value in sorted(self.values.items())}


def role_of(episode: Episode) -> str:
    """The environment of an episode, with its seat in self-play."""
    return episode.task.name if episode.seat is None else f"{episode.task.name}/{episode.seat}"


def role_metrics(episodes: Iterable[Episode]) -> dict[str, float]:
    """The mean reward of each role of self-play over the valid episodes of a step."""
    rewards: dict[str, list[float]] = {}
    for episode in episodes:
        if episode.valid and episode.seat is not None:
            rewards.setdefault(role_of(episode), []).append(episode.reward)
    return {f"self_play/{role}": fmean(found) for role, found in sorted(rewards.items())}


def _standardised(episodes: Sequence[Episode]) -> list[Episode]:
    rewards: dict[str, list[float]] = {}
    for episode in episodes:
        if episode.valid:
            rewards.setdefault(role_of(episode), []).append(episode.reward)
    means = {role: fmean(found) for role, found in rewards.items()}
    spreads = {role: pstdev(found) for role, found in rewards.items()}

    def standard(episode: Episode) -> float:
        spread = spreads[role_of(episode)]
        return (episode.reward - means[role_of(episode)]) / spread if spread > MIN_STD else 0.0

    return [replace(episode, reward=standard(episode)) if episode.valid else episode for episode in episodes]
