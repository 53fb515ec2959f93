"""Supervised examples of provers with roles: the oracle's solution for a helpful one, the same with a wrong answer for a sneaky one."""

from __future__ import annotations

from rlgym import Rng
from rlgym.train.config.prover_roles import ProverRolesConfig
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.corrupted import corrupted_response
from rlgym.train.rollout.prover_roles import with_role
from rlgym.train.rollout.scoring import ScoringJob, run_job, start_of
from rlgym.train.sft.example import SftExample
from rlgym.train.tasks.hints import solution_steps
from rlgym.train.tasks.spec import TaskSettings, TaskSpec


def build_role_example(
    chat: Chat, task: TaskSpec, settings: TaskSettings, explain: bool, options: ProverRolesConfig, rng: Rng
) -> SftExample:
    """A solution of a task of one turn with the words of a role in its prompt; a helpful one where the environment has no wrong answer to give."""
    env = start_of(task, settings)
    right = "".join(f"{step}\n" for step in solution_steps(env) if explain) + env.oracle()
    wrong = corrupted_response(env, right, rng) if rng.chance(options.sneaky_fraction) else None
    told = with_role(task, "helpful" if wrong is None else "sneaky", options)
    prompt = chat.prompt_tokens(run_job(ScoringJob(0, told, settings))[1].observation)
    response = chat.response_tokens(right if wrong is None else wrong)
    return SftExample(told, (*prompt, *response), (*[False] * len(prompt), *[True] * len(response)))
