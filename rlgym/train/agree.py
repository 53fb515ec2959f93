"""Refuses algorithms that do not exist, and those that cannot work together."""

from __future__ import annotations

import torch

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.advantages.sets import PassOptions, RiskOptions
from rlgym.train.config import ALONE, Config, Critic, TrainError
from rlgym.train.extras.corrections import backward
from rlgym.train.extras.filters import OverlongOptions
from rlgym.train.extras.mixing import MixOptions
from rlgym.train.losses import LOSSES, LossOptions, ValueOptions
from rlgym.train.rewarding import rates_of


def check_algorithms(config: Config) -> None:
    """Refuse names and options that the registries do not know, and combinations that would fail or mean nothing."""
    wanted = config.algorithm
    ADVANTAGES[wanted.advantage].options.of(wanted.advantage_options)
    LOSSES[wanted.loss].options.of(wanted.loss_options)
    for check in (_check_refill, _check_reference, _check_critic, _check_help, _check_rewards, _check_sets):
        check(config)


def _check_refill(config: Config) -> None:
    if config.algorithm.skip_dead and config.rollout.group < 2 and config.algorithm.advantage not in ALONE:
        raise TrainError("the rewards of a group of one are all alike, so that skip_dead leaves out every group: set skip_dead=false")
    if not config.algorithm.refill:
        return
    if not config.algorithm.skip_dead:
        raise TrainError("algorithm.refill draws tasks in place of groups that are left out: set skip_dead=true, or refill=0")


def needs_reference(config: Config) -> bool:
    """Whether anything compares the policy with a reference."""
    return bool(config.algorithm.kl or config.algorithm.advantage_options.get("kl"))


def _check_reference(config: Config) -> None:
    if config.algorithm.reference_reset and not needs_reference(config):
        raise TrainError("algorithm.reference_reset needs a reference: set algorithm.kl above 0, or reference_reset=0")


def has_critic(config: Config) -> bool:
    """Whether a value head is trained."""
    return config.algorithm.advantage == "ppo"


def _check_critic(config: Config) -> None:
    wanted = config.algorithm
    ValueOptions.of(wanted.critic.options)
    if not has_critic(config):
        if wanted.critic != Critic():
            raise TrainError(f"algorithm.critic is read by the advantage 'ppo' alone, not by {wanted.advantage!r}: leave it out")
        return
    if config.update.old == "sampler":
        raise TrainError("the advantage 'ppo' needs the trainer's own forward pass for its values: set update.old='trainer'")
    if wanted.skip_dead:
        raise TrainError(
            "a value head that never sees groups whose rewards are alike expects the wrong thing: set skip_dead=false for 'ppo'"
        )


def mix_options(config: Config) -> MixOptions:
    """How rollouts of the oracle are weighed; averaged as the loss is."""
    loss = LOSSES[config.algorithm.loss].options.of(config.algorithm.loss_options)
    if not isinstance(loss, LossOptions):
        raise TrainError(f"the loss {config.algorithm.loss!r} cannot be mixed with the oracle's rollouts: choose 'pg_clip', or oracle=0")
    return MixOptions.of({**config.algorithm.oracle_options, "average": loss.average, "constant": loss.constant})


def _check_help(config: Config) -> None:
    wanted = config.algorithm
    helps = [name for name, share in (("hints", wanted.hints), ("oracle", wanted.oracle)) if share]
    if wanted.oracle:
        mix_options(config)
        if given := {"average", "constant"} & set(wanted.oracle_options):
            raise TrainError(f"algorithm.oracle_options are averaged as the loss is: set {min(given)!r} in loss_options")
    elif wanted.oracle_options:
        raise TrainError("algorithm.oracle_options are read where algorithm.oracle is above 0: set it, or leave them out")
    if not helps:
        return
    if config.update.old == "sampler":
        raise TrainError(f"algorithm.{helps[0]} needs the policy's own log-probabilities of what it did not say: set update.old='trainer'")
    if has_critic(config):
        raise TrainError(f"a value head cannot learn from rollouts of another policy: leave out algorithm.{helps[0]}, or 'ppo'")
    if wanted.shuffled:
        raise TrainError(f"algorithm.shuffled is the control without anything to learn from: leave out algorithm.{helps[0]}")


KEEPS_SCALE = ("dr_grpo", "rloo", "ppo", "reinforce")
"""Advantages that a stretch of one environment's rewards reaches: they divide by no standard deviation."""


def _check_rewards(config: Config) -> None:
    wanted = config.algorithm
    if wanted.overlong is not None:
        OverlongOptions.of(wanted.overlong)
    if wanted.correction is None:
        return
    for name in sorted({name for part in config.tasks for name in part.environments()} | set(wanted.correction.rates)):
        backward(torch.zeros(1), *rates_of(config, name))
    if wanted.correction.kind == "forward" and (wanted.advantage != "reinforce" or wanted.skip_dead):
        raise TrainError("the forward correction is an advantage itself: set advantage='reinforce' and skip_dead=false for it")
    if wanted.advantage not in KEEPS_SCALE:
        raise TrainError(f"the advantage {wanted.advantage!r} undoes corrections of rewards: choose one of {', '.join(KEEPS_SCALE)}")
    if wanted.advantage == "ppo" and wanted.advantage_options.get("whiten", True):
        raise TrainError("'ppo' undoes corrections of rewards where it whitens: set advantage_options={'whiten': false}")


def _check_sets(config: Config) -> None:
    wanted, groups, group = config.algorithm, config.rollout.groups, config.rollout.group
    options = ADVANTAGES[wanted.advantage].options.of(wanted.advantage_options)
    if isinstance(options, PassOptions) and options.k > group:
        raise TrainError(f"'pass_at_k' needs sets of k={options.k} and rollout.group={group} has none: raise the one, or lower the other")
    if 0 < wanted.most_rollouts <= group:
        raise TrainError(f"algorithm.most_rollouts={wanted.most_rollouts} is no more than rollout.group={group}: raise it, or set it to 0")
    if wanted.pairs and (groups < 2 or group < 2):
        raise TrainError("algorithm.pairs needs two groups of two rollouts or more: raise rollout.groups and rollout.group")
    if wanted.pairs and config.update.minibatches > 1:
        raise TrainError("a pair of tasks is learned from in one update: set update.minibatches=1 for algorithm.pairs")
    if isinstance(options, RiskOptions):
        if options.bundle > groups:
            raise TrainError(f"rollout.groups={groups} makes no bundle of {options.bundle} tasks: raise it, or lower the option bundle")
        if wanted.skip_dead:
            raise TrainError("'mvar' adds up rewards of tasks whose rollouts are all alike, too: set skip_dead=false")
    elif wanted.track:
        raise TrainError(f"algorithm.track is read by the advantage 'mvar' alone, not by {wanted.advantage!r}: leave it out")
