"""Refuses unknown algorithms and options, and algorithms that cannot be combined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

import rlgym
from rlgym.train.advantages.set_based import MvarOptions, PassAtKOptions
from rlgym.train.config.algorithm import CriticConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.tasks import AdaptiveLevels, TaskConfig
from rlgym.train.losses.mixed_policy import mixed_policy_options
from rlgym.train.losses.value import ValueOptions
from rlgym.train.registry import ADVANTAGES, CURRICULA, FILTERS, GROUP_REWARDS, LOSSES, REWARDS, OptionError, Registry
from rlgym.train.rewards.noise_correction import backward_correction
from rlgym.train.rewards.overlong import OverlongOptions
from rlgym.train.rewards.transforms import error_rates
from rlgym.train.rollout.stored import check_stored
from rlgym.train.validate.learned_rewards import check_learned_rewards
from rlgym.train.validate.reward_shaping import check_reward_shaping
from rlgym.train.validate.second_models import check_second_models
from rlgym.train.validate.token_rewards import check_token_rewards

VOTES = ("majority", "semantic_entropy")
"""Group rewards that compare the answers of a group."""

HINT_FIELDS = ("hint_start_step", "hint_group_size", "hint_join", "hint_prompt")
"""Fields that say how hinted rollouts are made and used."""

SCALE_PRESERVING = ("dr_grpo", "rloo", "ppo", "reinforce")
"""Advantages that do not divide by a standard deviation, so that rescaling one environment's rewards has an effect."""


def check_algorithms(config: Config) -> None:
    """Refuse unknown names and options, and combinations that would fail or have no effect."""
    _check_options(config)
    for check in (
        _check_filters,
        _check_reference,
        _check_critic,
        _check_off_policy,
        _check_replay,
        _check_rewards,
        _check_grouping,
        check_token_rewards,
        check_second_models,
        check_stored,
    ):
        check(config)


def _check_options(config: Config) -> None:
    """Refuse unknown names, and options that an algorithm does not have, with the names of all fields concerned."""
    algorithm = config.algorithm
    chosen: list[tuple[str, Registry[..., Any], str, Mapping[str, Any]]] = [
        ("task_sampling_options", CURRICULA, config.task_sampling, config.task_sampling_options),
        ("algorithm.advantage_options", ADVANTAGES, algorithm.advantage, algorithm.advantage_options),
        ("algorithm.loss_options", LOSSES, algorithm.loss, algorithm.loss_options),
    ]
    for field, registry in (("filters", FILTERS), ("reward_shaping", REWARDS), ("group_rewards", GROUP_REWARDS)):
        chosen += [(f"algorithm.{field}.{name}", registry, name, options) for name, options in getattr(algorithm, field).items()]
    problems = []
    for field, registry, name, options in chosen:
        known = registry[name].options
        try:
            known.from_dict(options)
        except OptionError as error:
            problems.append(f"{field} of {registry.kind.replace('_', ' ')} {name!r}: {error}")
    if problems:
        raise OptionError("; ".join(problems))


def _check_filters(config: Config) -> None:
    algorithm = config.algorithm
    if algorithm.drops_equal_rewards and config.rollout.group_size < 2 and not ADVANTAGES[algorithm.advantage].group_relative:
        raise TrainError(
            "the rewards of a group of one are always equal, so algorithm.filter_zero_std would drop every group: set it to false"
        )
    if algorithm.dynamic_sampling_rounds and not (algorithm.drops_equal_rewards or algorithm.filters):
        raise TrainError(
            "algorithm.dynamic_sampling_rounds replaces groups that are dropped: set filter_zero_std=true, or dynamic_sampling_rounds=0"
        )
    if config.update.old_logprobs == "rollout" and getattr(
        LOSSES[algorithm.loss].options.from_dict(algorithm.loss_options), "uses_tis", False
    ):
        raise TrainError(
            "algorithm.loss_options.tis_cap or tis_floor has no effect with update.old_logprobs='rollout', where the ratio of the loss already divides "
            "by the rollout engine's probabilities: leave them out, or set update.old_logprobs='trainer'"
        )


def _check_reference(config: Config) -> None:
    if config.algorithm.reference_reset_steps and not config.algorithm.uses_reference:
        raise TrainError(
            "algorithm.reference_reset_steps needs a reference policy: set algorithm.kl_coef above 0, or reference_reset_steps=0"
        )
    if not config.algorithm.reference_reset_patience:
        return
    if not config.algorithm.uses_reference or not config.evaluation.every_steps:
        raise TrainError(
            "algorithm.reference_reset_patience needs a reference policy and evaluations during the run: set algorithm.kl_coef and "
            "evaluation.every_steps above 0"
        )
    if config.algorithm.reference_reset_steps:
        raise TrainError("algorithm.reference_reset_steps and reference_reset_patience both decide on resets: set one of them to 0")


def _check_critic(config: Config) -> None:
    algorithm = config.algorithm
    ValueOptions.from_dict(algorithm.critic.loss_options)
    if not algorithm.uses_critic:
        if algorithm.critic != CriticConfig():
            raise TrainError(f"only the advantage 'ppo' uses algorithm.critic, not {algorithm.advantage!r}: leave it out")
        return
    if config.update.old_logprobs == "rollout":
        raise TrainError("the advantage 'ppo' needs values from the trainer's forward pass: set update.old_logprobs='trainer'")
    if algorithm.drops_equal_rewards:
        raise TrainError(
            "a value head that never sees groups with equal rewards learns a biased estimate: set filter_zero_std=false for 'ppo'"
        )


def _check_off_policy(config: Config) -> None:
    algorithm = config.algorithm
    fields = {"hint_tiers" if algorithm.hint_tiers else "hint_fraction": algorithm.uses_hints, "oracle_fraction": algorithm.oracle_fraction}
    used = [name for name, fraction in fields.items() if fraction]
    if algorithm.oracle_fraction:
        mixed_policy_options(config)
        if given := {"aggregation", "aggregation_constant"} & set(algorithm.oracle_loss_options):
            raise TrainError(f"algorithm.oracle_loss_options uses the aggregation of the loss: set {min(given)!r} in loss_options")
    elif algorithm.oracle_loss_options:
        raise TrainError("algorithm.oracle_loss_options has no effect while algorithm.oracle_fraction is 0: raise it, or leave them out")
    if algorithm.hint_stages > 1 and not algorithm.hint_fraction:
        raise TrainError("algorithm.hint_stages has no effect while algorithm.hint_fraction is 0: raise it, or leave hint_stages out")
    for part in config.tasks:
        if len(part.hint_fractions) > config.rollout.groups_per_step:
            raise TrainError(
                f"tasks.hint_fractions has {len(part.hint_fractions)} entries, more than rollout.groups_per_step={config.rollout.groups_per_step}, so that "
                "some never occur: raise it"
            )
        if part.hint_fractions and 0 not in part.hint_fractions and (follower := _follower_of_solve_rates(config, part)):
            raise TrainError(
                f"{follower} counts groups without hints alone, and tasks.hint_fractions={list(part.hint_fractions)} has none: add 0 to it"
            )
    if algorithm.hint_tiers and algorithm.hint_fraction:
        raise TrainError("algorithm.hint_fraction and hint_tiers both choose the hints: leave one of them out")
    given = {name for name in HINT_FIELDS if getattr(algorithm, name) != type(algorithm).model_fields[name].default}
    if given and not algorithm.uses_hints:
        raise TrainError(f"algorithm.{min(given)} has no effect without hints: set algorithm.hint_fraction or hint_tiers")
    if (algorithm.oracle_groups, algorithm.oracle_reward) != ("unsolved", "score") and not algorithm.oracle_fraction:
        raise TrainError("algorithm.oracle_groups and oracle_reward have no effect while algorithm.oracle_fraction is 0: raise it")
    if algorithm.oracle_prefix != "none":
        if not algorithm.oracle_fraction:
            raise TrainError("algorithm.oracle_prefix has no effect while algorithm.oracle_fraction is 0: raise it")
        if algorithm.token_rewards is None or algorithm.token_rewards.source != "steps":
            raise TrainError("algorithm.oracle_prefix='right_steps' reads the checked steps: set algorithm.token_rewards.source='steps'")
    if not used:
        return
    if config.update.old_logprobs == "rollout":
        raise TrainError(
            f"algorithm.{used[0]} needs the policy's log-probabilities of tokens it did not sample: set update.old_logprobs='trainer'"
        )
    if algorithm.uses_critic:
        raise TrainError(f"a value head cannot learn from rollouts of another policy: leave out algorithm.{used[0]}, or 'ppo'")
    if algorithm.shuffle_rewards:
        raise TrainError(f"algorithm.shuffle_rewards is a control without a learning signal: leave out algorithm.{used[0]}")


def _follower_of_solve_rates(config: Config, part: TaskConfig) -> str:
    """The setting that follows or records the solve rates of a part of the mixture; empty if there is none."""
    if isinstance(part.levels, AdaptiveLevels) and part.levels.rule != "step_up":
        return "tasks.levels"
    if config.task_sampling != "uniform":
        return f"task_sampling={config.task_sampling!r}"
    return "pass_rates.record" if config.pass_rates is not None and config.pass_rates.record else ""


def _check_replay(config: Config) -> None:
    """Replayed rollouts are of older weights, so something must correct for that; a value head would learn from older targets."""
    algorithm = config.algorithm
    if algorithm.replay is None:
        return
    options = LOSSES[algorithm.loss].options.from_dict(algorithm.loss_options)
    if config.update.old_logprobs != "rollout" and getattr(options, "tis_cap", None) is None:
        raise TrainError(
            "algorithm.replay learns from responses of older weights and nothing corrects for that: "
            "set algorithm.loss_options.tis_cap, such as 2.0, or update.old_logprobs='rollout'"
        )
    for field, used in (
        ("pair_tasks", algorithm.pair_tasks),
        ("shuffle_rewards", algorithm.shuffle_rewards),
        ("advantage=ppo", algorithm.uses_critic),
    ):
        if used:
            raise TrainError(f"algorithm.replay does not support algorithm.{field}: leave one of them out")
    if algorithm.replay.min_solve_rate > algorithm.replay.max_solve_rate:
        raise TrainError("algorithm.replay.min_solve_rate exceeds max_solve_rate, so no group would be stored: lower the first")


def _check_rewards(config: Config) -> None:
    algorithm = config.algorithm
    if algorithm.overlong_penalty is not None:
        OverlongOptions.from_dict(algorithm.overlong_penalty)
    _check_votes(config)
    _check_contrast(config)
    check_reward_shaping(config)
    check_learned_rewards(config)
    correction = algorithm.noise_correction
    if correction is None:
        return
    for name in sorted({name for part in config.tasks for name in part.environments()} | set(correction.per_environment)):
        backward_correction(torch.zeros(1), *error_rates(config, name))
    if correction.appeal_fraction and correction.kind != "forward":
        raise TrainError(
            "algorithm.noise_correction.appeal_fraction estimates the rate that the forward correction uses: set kind='forward'"
        )
    if correction.kind == "forward" and (algorithm.advantage != "reinforce" or algorithm.drops_equal_rewards):
        raise TrainError("the forward correction is itself an advantage: set advantage='reinforce' and filter_zero_std=false")
    if algorithm.advantage not in SCALE_PRESERVING:
        raise TrainError(
            f"the advantage {algorithm.advantage!r} undoes the correction of rewards: choose one of {', '.join(SCALE_PRESERVING)}"
        )
    if algorithm.uses_critic and algorithm.advantage_options.get("whiten", True):
        raise TrainError("whitening undoes the correction of rewards: set advantage_options={'whiten': false} for 'ppo'")


def _check_votes(config: Config) -> None:
    """Votes need one answer: refuse them for tasks of many turns."""
    voting = [name for name in config.algorithm.group_rewards if name in VOTES]
    for name in sorted({name for part in config.tasks for name in part.environments()} if voting else ()):
        if not isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(
                f"algorithm.group_rewards.{voting[0]} compares single answers, and {name} has many turns: leave one of them out"
            )


def _check_contrast(config: Config) -> None:
    """Rollouts with and without a behaviour are for the reward that compares them."""
    if config.algorithm.contrast is not None and "contrastive" not in config.algorithm.group_rewards:
        raise TrainError(
            "algorithm.contrast measures what the group reward 'contrastive' pays: add it to algorithm.group_rewards, or leave contrast out"
        )


def _check_grouping(config: Config) -> None:
    algorithm, groups, group_size = config.algorithm, config.rollout.groups_per_step, config.rollout.group_size
    options = ADVANTAGES[algorithm.advantage].options.from_dict(algorithm.advantage_options)
    if isinstance(options, PassAtKOptions) and options.k > group_size:
        raise TrainError(f"'pass_at_k' needs groups of at least k={options.k}, but rollout.group_size={group_size}: raise it, or lower k")
    if 0 < algorithm.max_group_size <= group_size:
        raise TrainError(
            f"algorithm.max_group_size={algorithm.max_group_size} does not exceed rollout.group_size={group_size}: raise it, or set it to 0"
        )
    if algorithm.pair_tasks and (groups < 2 or group_size < 2):
        raise TrainError("algorithm.pair_tasks needs two groups of two rollouts: raise rollout.groups_per_step and rollout.group_size")
    if algorithm.pair_tasks and config.update.num_minibatches > 1:
        raise TrainError("a pair of tasks must be in one minibatch: set update.num_minibatches=1 for algorithm.pair_tasks")
    if isinstance(options, MvarOptions):
        if options.bundle_size > groups:
            raise TrainError(
                f"rollout.groups_per_step={groups} cannot fill a bundle of {options.bundle_size} tasks: raise it, or lower bundle_size"
            )
        if algorithm.drops_equal_rewards:
            raise TrainError("'mvar' also sums rewards of groups with equal rewards: set filter_zero_std=false")
    elif algorithm.quantile_lr:
        raise TrainError(f"only the advantage 'mvar' uses algorithm.quantile_lr, not {algorithm.advantage!r}: leave it out")
