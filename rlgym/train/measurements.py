"""What a run measures of its own rollouts, for filters and group rewards whose thresholds, targets and weights follow it."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.train.rewards.group.length import LengthTargetOptions
from rlgym.train.rewards.group.objectives import ObjectiveOptions
from rlgym.train.rollout.episodes import Episode
from rlgym.train.run import Run
from rlgym.train.tasks.spread import SpreadEmaOptions


def track_spread(run: Run, spreads: Sequence[float]) -> dict[str, float]:
    """Count the spreads of a step for the filter `spread_ema`; the threshold that this step had, as a metric."""
    given = run.config.algorithm.filters.get("spread_ema")
    if given is None:
        return {}
    options = SpreadEmaOptions.from_dict(given)
    threshold = options.beta * (run.spread_tracker.average or 0.0)
    run.spread_tracker.update(spreads, run.step, options)
    return {"spread_threshold": threshold}


def track_lengths(run: Run, episodes: Sequence[Episode]) -> dict[str, float]:
    """Count the lengths of a step for the group reward `length_target`; the targets that this step had, as metrics."""
    given = run.config.algorithm.group_rewards.get("length_target")
    if given is None:
        return {}
    options = LengthTargetOptions.from_dict(given)
    targets = run.length_monitor.targets or (options.easy_tokens, options.medium_tokens, options.hard_tokens)
    groups: dict[int, list[Episode]] = {}
    for episode in episodes:
        if episode.valid:
            groups.setdefault(episode.group, []).append(episode)
    run.length_monitor.update(groups.values(), run.step, run.config.rollout.group_size, options)
    return {"length_target_easy": float(targets[0]), "length_target_medium": float(targets[1]), "length_target_hard": float(targets[2])}


def track_objectives(run: Run, episodes: Sequence[Episode]) -> dict[str, float]:
    """Count the responses of a step for the group reward `objectives`; the weights that this step had, as metrics."""
    given, measured = run.config.algorithm.group_rewards.get("objectives"), run.objective_monitor.measured
    if given is None:
        return {}
    options = ObjectiveOptions.from_dict(given)
    run.objective_monitor.update(episodes, run.step, options)
    if measured is None:
        return {}
    return {f"objective_weight/{name}": weight for name, weight in zip(options.names(), measured.weights, strict=True)}
