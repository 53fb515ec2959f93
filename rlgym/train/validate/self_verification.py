"""Checks of self-verification."""

from __future__ import annotations

from rlgym.dataset.own_solutions import can_be_graded
from rlgym.train.config.combinations import NOT_WITH_OTHER_TASKS, refuse_together, set_fields
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError

FIELD = "algorithm.self_verification"


def check_self_verification(config: Config) -> None:
    """Raise TrainError for tasks whose solutions cannot be graded, and for what needs more of an episode than a grading has."""
    algorithm, rollout = config.algorithm, config.rollout
    if algorithm.self_verification is None:
        return
    if rollout.answer_style != "tag":
        raise TrainError(f"{FIELD} needs rollout.answer_style='tag', not {rollout.answer_style!r}")
    for name in sorted({name for part in config.tasks for name in part.environments()}):
        if not can_be_graded(name):
            raise TrainError(f"{FIELD}: {name} has no tasks {name}:grade_solution; leave {name} out of tasks")
    refuse_together(FIELD, set_fields(config, NOT_WITH_OTHER_TASKS))
