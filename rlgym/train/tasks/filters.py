"""Filters: which episodes of a step an update learns from. Every filter sees whole groups and keeps or drops episodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from rlgym.train.data.segment_sums import MIN_STD
from rlgym.train.registry import Options, filter
from rlgym.train.tasks.grouping import rewards_are_equal, success_rates

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode


class ZeroStdOptions(Options):
    """Options of `zero_std`."""

    min_std: float = Field(MIN_STD, ge=0, le=100, description="rewards with at most this standard deviation count as equal")


class TruncatedOptions(Options):
    """No options."""


class SolveRateOptions(Options):
    """Options of `solve_rate`."""

    min_solve_rate: float = Field(0.2, ge=0, le=1, description="lowest solve rate of a group that is kept")
    max_solve_rate: float = Field(0.8, ge=0, le=1, description="highest solve rate of a group that is kept")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.min_solve_rate > self.max_solve_rate:
            raise ValueError(
                f"min_solve_rate must not exceed max_solve_rate, got min_solve_rate={self.min_solve_rate} and "
                f"max_solve_rate={self.max_solve_rate}"
            )
        return self


class ProcessConsistencyOptions(Options):
    """Options of `process_consistency`."""

    keep_fraction: float = Field(0.5, gt=0, le=1, description="fraction of a group that is kept at most, half of it right and half wrong")


@filter("zero_std", paper="DAPO: An Open-Source LLM Reinforcement Learning System at Scale")
def zero_std(episodes: Sequence[Episode], options: ZeroStdOptions) -> list[Episode]:
    """Drops the groups whose rewards are all equal."""
    rewards: dict[int, list[float]] = {}
    for episode in episodes:
        if episode.valid:
            rewards.setdefault(episode.group, []).append(episode.reward)
    equal = {group for group, values in rewards.items() if rewards_are_equal(values, options.min_std)}
    return [episode for episode in episodes if episode.group not in equal]


@filter("truncated", paper="DAPO: An Open-Source LLM Reinforcement Learning System at Scale")
def truncated(episodes: Sequence[Episode], options: TruncatedOptions) -> list[Episode]:
    """Drops the rollouts that reached a token limit, because their true reward is unknown."""
    return [episode for episode in episodes if not episode.truncated]


@filter("solve_rate", paper="Online Difficulty Filtering for Reasoning Oriented Reinforcement Learning")
def solve_rate(episodes: Sequence[Episode], options: SolveRateOptions) -> list[Episode]:
    """Keeps the groups whose solve rate lies between two bounds."""
    rates = success_rates(episodes)
    kept = {group for group, rate in rates.items() if options.min_solve_rate <= rate <= options.max_solve_rate}
    return [episode for episode in episodes if episode.group in kept]


@filter("process_consistency", paper="Beyond Correctness: Harmonizing Process and Outcome Rewards through RL Training", token_rewards=True)
def process_consistency(episodes: Sequence[Episode], options: ProcessConsistencyOptions) -> list[Episode]:
    """Keeps the right rollouts with the highest mean step reward and as many wrong ones with the lowest (the PROF filter).

    Rollouts without steps come last among the right and the wrong ones. Groups that are all right or all wrong are dropped.
    """
    groups: dict[int, tuple[list[Episode], list[Episode]]] = {}
    for episode in episodes:
        groups.setdefault(episode.group, ([], []))[0 if episode.solved else 1].append(episode)
    kept: set[int] = set()
    for right, wrong in groups.values():
        most = max(1, int(options.keep_fraction * (len(right) + len(wrong)) / 2))
        count = min(most, len(right), len(wrong))
        # Sorting is stable, so that ties keep the order of the rollouts.
        best = sorted(right, key=lambda episode: -_mean_span_reward(episode, float("-inf")))
        worst = sorted(wrong, key=lambda episode: _mean_span_reward(episode, float("inf")))
        kept |= {id(episode) for episode in [*best[:count], *worst[:count]]}
    return [episode for episode in episodes if id(episode) in kept]


def _mean_span_reward(episode: Episode, without: float) -> float:
    """The mean reward of an episode's spans; `without` where it has none."""
    spans = episode.spans or ()
    return sum(span.reward for span in spans) / len(spans) if spans else without
