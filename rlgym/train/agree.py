"""Refuses algorithms that do not exist, and those that cannot work together."""

from __future__ import annotations

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.config import Config, Critic, TrainError
from rlgym.train.extras.mixing import MixOptions
from rlgym.train.losses import LOSSES, LossOptions, ValueOptions


def check_algorithms(config: Config) -> None:
    """Refuse names and options that the registries do not know, and combinations that would fail or mean nothing."""
    wanted = config.algorithm
    ADVANTAGES[wanted.advantage].options.of(wanted.advantage_options)
    LOSSES[wanted.loss].options.of(wanted.loss_options)
    for check in (_check_refill, _check_reference, _check_critic, _check_help):
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
