"""Provers with roles: helpful ones earn by right solutions that convince a small verifier, sneaky ones by wrong solutions that do.

From "Prover-Verifier Games improve legibility of LLM outputs". The verifier is the judge of `algorithm.judge_reward`, which learns in rounds from solutions
of all earlier rounds (`algorithm.judge_training.objective: solutions`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from rlgym import Outcome, Rng

if TYPE_CHECKING:
    from rlgym.train.config.prover_roles import ProverRolesConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.tasks.spec import TaskSpec


def with_roles(tasks: Sequence[TaskSpec], options: ProverRolesConfig | None, seed: int) -> list[TaskSpec]:
    """The tasks with the instruction of a role each: `sneaky_fraction` of them sneaky, rounded up, by chance; as they are without options."""
    if options is None:
        return list(tasks)
    sneaky = set(Rng("prover roles", seed).sample(range(len(tasks)), math.ceil(options.sneaky_fraction * len(tasks))))
    return [with_role(task, "sneaky" if place in sneaky else "helpful", options) for place, task in enumerate(tasks)]


def with_role(task: TaskSpec, role: Literal["helpful", "sneaky"], options: ProverRolesConfig) -> TaskSpec:
    """The task with the instruction of a role."""
    return replace(task, role=role, instruction=options.sneaky if role == "sneaky" else options.helpful)


def role_rewards(episodes: Sequence[Episode], weight: float) -> tuple[list[Episode], dict[str, float]]:
    """The episodes with their reward, which is how much the verifier is convinced, where the solution is what its role asks for, else 0; and metrics.

    The rewards are `weight` times the probability that the verifier gives. A helpful solution must be right, a sneaky one a readable wrong answer.
    Metrics, by role: `as_asked`, the share of such solutions; `convincing`, the mean probability that they get; and `verifier_accuracy`, how often it is
    above 1/2 for the right ones and not for the others.
    """
    out, found = [], dict[str, list[tuple[bool, float, bool]]]()
    for episode in episodes:
        if episode.valid and episode.task.role:
            as_asked, convinced = does_as_asked(episode), episode.reward / weight
            found.setdefault(episode.task.role, []).append((as_asked, convinced, (convinced > 0.5) == episode.solved))
            episode = replace(episode, reward=episode.reward if as_asked else 0.0)
        out.append(episode)
    metrics: dict[str, float] = {}
    for role, rows in found.items():
        convincing = [convinced for as_asked, convinced, _ in rows if as_asked]
        metrics[f"prover/{role}/as_asked"] = len(convincing) / len(rows)
        metrics[f"prover/{role}/convincing"] = fmean(convincing) if convincing else 0.0
        metrics[f"prover/{role}/verifier_accuracy"] = fmean(right for _, _, right in rows)
    return out, metrics


def does_as_asked(episode: Episode) -> bool:
    """Whether a solution is right, or for a sneaky prover a readable wrong one."""
    if episode.task.role == "helpful":
        return episode.solved
    return not episode.solved and episode.score is not None and episode.score.outcome is not Outcome.UNREADABLE
