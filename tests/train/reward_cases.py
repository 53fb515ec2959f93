"""Episodes with token rewards for tests."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")
pytest.importorskip("transformers")
import rlgym
from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

BRACKETS = "dyck_completion"


def settings(**given):
    return TaskSettings(seed=0, held_out_fraction=0.1, token_rewards=TokenRewardConfig(**given))


def start_episode(name, chosen, index=4):
    return run_job(ScoringJob(0, TaskSpec(name, 0.0, index, "train"), chosen))[1]


def respond_once(name, chosen, result, response):
    return run_job(ScoringJob(0, TaskSpec(name, 0.0, 4, "train"), chosen, result.snapshot, response))[1]


def oracle_working(result, slip=False):
    """The oracle's working and answer, the first step with another number if it is to be wrong."""
    env = rlgym.make(BRACKETS)
    env.restore(result.snapshot)
    steps = env.declared.explain(env.task)
    if slip:
        steps[0] = steps[0].replace("Character 1", "Character 2")
    return "\n".join([*steps, env.oracle()])
