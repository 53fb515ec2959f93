"""Checks of tasks that the policy proposes to itself."""

from __future__ import annotations

from rlgym.dataset.proposed import proposals_of
from rlgym.train.config.combinations import NOT_WITH_OTHER_TASKS, refuse_together, set_fields
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.registry import ADVANTAGES

FIELD = "algorithm.proposer"


def check_proposer(config: Config) -> None:
    """Raise TrainError for tasks that a model cannot state, and for what needs more of an episode than a proposal has."""
    algorithm, rollout = config.algorithm, config.rollout
    chosen, field = algorithm.proposer, FIELD
    if chosen is None:
        if config.sft is None or not config.sft.proposals_fraction:
            return
        field = "sft.proposals_fraction"
    for name in sorted({name for part in config.tasks for name in part.environments()}):
        if proposals_of(name) is None:
            raise TrainError(f"{field}: {name} does not declare how its tasks are proposed; leave {name} out of tasks")
    if chosen is None:
        return
    if not 0 <= chosen.band[0] < chosen.band[1] <= 1:
        raise TrainError(f"{FIELD}.band must be two solve rates, 0 <= low < high <= 1, got {list(chosen.band)}")
    if chosen.prompts > rollout.groups_per_step:
        raise TrainError(
            f"{FIELD}.prompts={chosen.prompts} shows a task of the step each, and rollout.groups_per_step={rollout.groups_per_step}"
        )
    if chosen.group_size < 2 and ADVANTAGES[algorithm.advantage].group_relative:
        raise TrainError(f"{FIELD}.group_size={chosen.group_size} leaves {algorithm.advantage!r} nothing to compare: set it to 2 or more")
    others = "rollout.async_steps rollout.self_play algorithm.self_verification algorithm.thought_correction algorithm.noise_correction"
    refuse_together(FIELD, set_fields(config, [*NOT_WITH_OTHER_TASKS, *others.split()]))
