"""Checks of provers with roles."""

from __future__ import annotations

import rlgym
from rlgym.train.config.combinations import refuse_together
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError

FIELD = "algorithm.prover_roles"


def check_prover_roles(config: Config) -> None:
    """Raise TrainError without a judge that says what convinces, and for what takes the solve rate of a step for that of its tasks."""
    algorithm, rollout = config.algorithm, config.rollout
    if algorithm.prover_roles is None:
        return
    judged = algorithm.judge_reward
    if judged is None or judged.kind != "verdict" or judged.verifier_weight:
        raise TrainError(f"{FIELD} pays what convinces the judge: set algorithm.judge_reward with kind 'verdict' and verifier_weight=0")
    if rollout.groups_per_step < 2:
        raise TrainError(
            f"{FIELD} gives each role a group of the step: set rollout.groups_per_step to 2 or more, not {rollout.groups_per_step}"
        )
    if rollout.answer_style != "tag":
        raise TrainError(f"{FIELD} needs rollout.answer_style='tag', not {rollout.answer_style!r}")
    for name in sorted({name for part in config.tasks for name in part.environments()}):
        if not isinstance(rlgym.environment(name), rlgym.Environment):
            raise TrainError(f"{FIELD} asks for single responses, and {name} has many turns: leave it out of tasks")
    others = {
        "sft.agents": config.sft and config.sft.agents,
        "sft.traces": config.sft and config.sft.traces,
        "sft.rollouts": config.sft and config.sft.rollouts,
        "sft.proposals_fraction": config.sft and config.sft.proposals_fraction,
        "pass_rates.record": config.pass_rates is not None and config.pass_rates.record,
        "rollout.segment_tokens": rollout.segment_tokens,
        "rollout.recorded": rollout.recorded,
        "algorithm.reward_shaping": algorithm.reward_shaping,
        "algorithm.dynamic_sampling_rounds": algorithm.dynamic_sampling_rounds,
        "algorithm.max_group_size": algorithm.max_group_size,
        "algorithm.oracle_fraction": algorithm.oracle_fraction,
        "algorithm.hint_fraction": algorithm.hint_fraction,
        "algorithm.hint_tiers": algorithm.hint_tiers,
        "algorithm.twin_reward": algorithm.twin_reward,
        "algorithm.contrast": algorithm.contrast,
        "algorithm.proposer": algorithm.proposer,
        "algorithm.self_verification": algorithm.self_verification,
        "algorithm.replay": algorithm.replay,
        "algorithm.group_rewards": algorithm.group_rewards,
    }
    refuse_together(FIELD, others)
