"""Refuses algorithms that do not exist, and those that cannot work together."""

from __future__ import annotations

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.config import Config, Critic, TrainError
from rlgym.train.losses import LOSSES, ValueOptions


def check_algorithms(config: Config) -> None:
    """Refuse names and options that the registries do not know, and combinations that would fail or mean nothing."""
    wanted = config.algorithm
    ADVANTAGES[wanted.advantage].options.of(wanted.advantage_options)
    LOSSES[wanted.loss].options.of(wanted.loss_options)
    for check in (_check_refill, _check_reference, _check_critic):
        check(config)


def _check_refill(config: Config) -> None:
    if not config.algorithm.refill:
        return
    if not config.algorithm.skip_dead:
        raise TrainError("algorithm.refill draws tasks in place of groups that are left out: set skip_dead=true, or refill=0")
    if config.rollout.group < 2:
        raise TrainError("algorithm.refill waits for groups whose rewards differ, which a group of one never is: raise rollout.group")


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
