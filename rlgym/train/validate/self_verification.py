"""Checks of self-verification."""

from __future__ import annotations

from rlgym.dataset.own_solutions import can_be_graded
from rlgym.train.config.combinations import refuse_together
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
    others = {
        "rollout.segment_tokens": rollout.segment_tokens,
        "rollout.recorded": rollout.recorded,
        "algorithm.token_rewards": algorithm.token_rewards,
        "algorithm.likelihood_reward": algorithm.likelihood_reward,
        "algorithm.twin_reward": algorithm.twin_reward,
        "algorithm.dynamic_sampling_rounds": algorithm.dynamic_sampling_rounds,
        "algorithm.pair_tasks": algorithm.pair_tasks,
        "algorithm.replay": algorithm.replay,
        "algorithm.self_distillation": algorithm.self_distillation,
        "algorithm.thought_correction": algorithm.thought_correction,
        "algorithm.noise_correction": algorithm.noise_correction,
        # Gradings keep their true rewards, so that the control would learn.
        "algorithm.shuffle_rewards": algorithm.shuffle_rewards,
    }
    refuse_together(FIELD, others)
