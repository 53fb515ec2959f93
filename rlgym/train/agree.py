"""Refuses algorithms that do not exist, and those that cannot work together."""

from __future__ import annotations

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.config import Config, TrainError
from rlgym.train.losses import LOSSES


def check_algorithms(config: Config) -> None:
    """Refuse names and options that the registries do not know, and combinations that would fail or mean nothing."""
    wanted = config.algorithm
    ADVANTAGES[wanted.advantage].options.of(wanted.advantage_options)
    LOSSES[wanted.loss].options.of(wanted.loss_options)
    for check in (_check_refill, _check_reference):
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
