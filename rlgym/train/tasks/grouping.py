"""Groups of rollouts, the rollouts of one task: success rates, unsolved groups, and groups without a learning signal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rlgym.train.data.segment_sums import MIN_STD
from rlgym.train.registry import FILTERS, OptionError

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.tasks.spec import TaskSpec
    from rlgym.train.tasks.spread import SpreadTracker


def group_ids(episodes: Sequence[Episode]) -> list[int]:
    """The groups of these episodes, in order of appearance."""
    return list(dict.fromkeys(episode.group for episode in episodes))


def success_rates(episodes: Sequence[Episode]) -> dict[int, float]:
    """The fraction of solved episodes of each group with a valid score."""
    solved: dict[int, list[bool]] = {}
    for episode in episodes:
        if episode.valid:
            solved.setdefault(episode.group, []).append(episode.solved)
    return {group: sum(flags) / len(flags) for group, flags in solved.items()}


def group_sizes(episodes: Sequence[Episode]) -> dict[int, int]:
    """The number of episodes with a valid score in each group."""
    return dict(Counter(episode.group for episode in episodes if episode.valid))


def rewards_are_equal(rewards: Sequence[float], min_std: float = MIN_STD) -> bool:
    """Whether the rewards of a group have no spread beyond rounding: their standard deviation is at most `min_std`."""
    # The least is subtracted first: rounding the mean of equal large values would leave a spurious spread.
    least = min(rewards)
    above = [reward - least for reward in rewards]
    mean = sum(above) / len(above)
    return (sum((reward - mean) ** 2 for reward in above) / len(above)) ** 0.5 <= min_std


def unsolved_groups(episodes: Sequence[Episode]) -> dict[int, TaskSpec]:
    """The groups with a valid score and no solved episode, each with its task."""
    tasks = {episode.group: episode.task for episode in episodes}
    return {group: tasks[group] for group, rate in success_rates(episodes).items() if rate == 0}


def filter_episodes(episodes: Sequence[Episode], config: Config, spread: SpreadTracker | None = None) -> list[Episode]:
    """The episodes that an update learns from: those with a valid score that pass all filters.

    `spread` has the threshold of the filter `spread_ema` in a run.
    """
    kept = [episode for episode in episodes if episode.valid]
    for name, options in config.algorithm.all_filters().items():
        chosen = FILTERS[name].options.from_dict(options)
        passed = FILTERS[name](kept, spread.with_threshold(chosen) if spread else chosen)
        _check_filtered(name, kept, passed)
        kept = passed
    return kept


def _check_filtered(name: str, offered: Sequence[Episode], kept: Any) -> None:
    """Raise OptionError unless a filter returned some of the episodes that it got, each once."""
    if not isinstance(kept, list):
        found = type(kept).__name__
    else:
        known, seen = {id(episode) for episode in offered}, {id(episode) for episode in kept}
        if len(seen) == len(kept) and seen <= known:
            return
        found = "an episode twice" if seen <= known else "something that is none of the episodes it got"
    raise OptionError(
        f"algorithm.filters.{name} returned {found}: it must return a list of the episodes that an update learns from, each once"
    )
