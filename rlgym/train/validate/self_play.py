"""Checks of self-play, and of the baseline by role."""

from __future__ import annotations

from rlgym.train.config.combinations import refuse_together
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.tasks import AdaptiveLevels
from rlgym.train.registry import ADVANTAGES
from rlgym.train.rollout.self_play import check_matches


def check_self_play(config: Config) -> None:
    """Raise TrainError for what samples or pays rollouts in another way, and for a second baseline."""
    algorithm, rollout = config.algorithm, config.rollout
    if algorithm.role_baseline is not None and ADVANTAGES[algorithm.advantage].group_relative:
        raise TrainError(
            f"algorithm.role_baseline is a baseline, and algorithm.advantage={algorithm.advantage!r} subtracts that of the group as well: "
            "set algorithm.advantage='reinforce'"
        )
    if algorithm.role_baseline is not None and algorithm.replay is not None:
        raise TrainError(
            "algorithm.role_baseline does not support algorithm.replay, whose rewards would move the baselines again: leave one of them out"
        )
    if not rollout.self_play:
        return
    check_matches(sorted({name for part in config.tasks for name in part.environments()}))
    if rollout.group_size % 2:
        raise TrainError(
            f"rollout.self_play plays two rollouts of a group against each other: rollout.group_size={rollout.group_size} must be even"
        )
    others = {
        "rollout.async_steps": rollout.async_steps,
        "rollout.segment_tokens": rollout.segment_tokens,
        "rollout.branching": rollout.branching,
        "rollout.recorded": rollout.recorded,
        "algorithm.reward_shaping": algorithm.reward_shaping,
        "algorithm.token_rewards": algorithm.token_rewards,
        "algorithm.max_group_size": algorithm.max_group_size,
        "algorithm.hint_fraction": algorithm.hint_fraction,
        "algorithm.hint_tiers": algorithm.hint_tiers,
        "algorithm.oracle_fraction": algorithm.oracle_fraction,
        "algorithm.twin_reward": algorithm.twin_reward,
        "algorithm.contrast": algorithm.contrast,
        "algorithm.thought_correction": algorithm.thought_correction,
        "algorithm.replay": algorithm.replay,
    }
    refuse_together("rollout.self_play", others)
    _check_solve_rates(config)


def _check_solve_rates(config: Config) -> None:
    """Wins against oneself are no solve rate of the task, whose player is the built-in one."""
    if config.pass_rates is not None and config.pass_rates.record:
        raise TrainError("rollout.self_play has no solve rates to record, only wins against oneself: set pass_rates.record=false")
    if any(isinstance(part.levels, AdaptiveLevels) and part.levels.rule != "step_up" for part in config.tasks):
        raise TrainError(
            "rollout.self_play wins about half of its matches at every level, so that no level would follow the policy: set tasks.levels to a list, or "
            "to the rule 'step_up', which follows evaluations"
        )
    if config.task_sampling != "uniform":
        raise TrainError(
            f"rollout.self_play has no solve rates for task_sampling={config.task_sampling!r} to follow, only wins against oneself: set it to 'uniform'"
        )
