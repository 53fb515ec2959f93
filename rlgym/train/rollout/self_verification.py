"""Self-verification: own solutions of a step are graded by the policy in the same step, and both are learned in one update.

From "Trust, But Verify: A Self-Verification Approach to Reinforcement Learning with Verifiable Rewards" (RISE).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.dataset.own_solutions import grading_start
from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.scoring import start_of
from rlgym.train.rollout.twins import twin_group
from rlgym.train.rollout.worker import hash_seed

if TYPE_CHECKING:
    from rlgym.train.config.self_verification import SelfVerificationConfig
    from rlgym.train.rollout.worker import RolloutProgress, RolloutWorker


def verifications(
    worker: RolloutWorker,
    episodes: Sequence[Episode],
    options: SelfVerificationConfig,
    seed: int,
    on_progress: RolloutProgress | None = None,
) -> tuple[RolloutBatch, dict[str, float]]:
    """Gradings of own solutions among the episodes, as episodes with groups of their own; and metrics.

    The solutions are balanced: of each group, a right or a wrong one is chosen by what was chosen less so far. A grading earns `weight` if its verdict is the
    verifier's. Solutions whose gradings have no room in the context are left out. Metrics are `verification_accuracy`, `verified_right` (the share of right
    solutions among the graded ones) and `verifications`.
    """
    worker = replace(worker, settings=replace(worker.settings, reward_shaping=(), token_rewards=None), branching=None)
    started, right = list[Episode](), dict[int, bool]()
    scoring, start = worker.pool.seconds, time.perf_counter()
    for solution in choose_solutions(episodes, options.fraction, seed):
        right[twin_group(solution.group)] = solution.solved
        size = options.group_size or sum(episode.group == solution.group for episode in episodes)
        started += _gradings(worker, solution, size, len(started))
    worker.resume(started, hash_seed(f"{seed} verifications"), on_progress)
    for episode in started:
        episode.reward = options.weight * (episode.score.value if episode.score is not None else 0.0)
    valid = [episode for episode in started if episode.valid]
    metrics = {"verifications": float(len(started))}
    if valid:
        metrics["verification_accuracy"] = sum(episode.solved for episode in valid) / len(valid)
        metrics["verified_right"] = sum(right[episode.group] for episode in valid) / len(valid)
    return RolloutBatch([], started, time.perf_counter() - start, worker.pool.seconds - scoring), metrics


def choose_solutions(episodes: Sequence[Episode], fraction: float, seed: int) -> list[Episode]:
    """One solution of each of this fraction of the groups, at least of one, with right and wrong ones balanced as far as the groups allow."""
    groups: dict[int, list[Episode]] = {}
    for episode in episodes:
        if episode.valid and not (episode.hinted or episode.oracle or episode.group < 0):
            groups.setdefault(episode.group, []).append(episode)
    rng = Rng("verifications", seed)
    count = min(len(groups), max(1, math.ceil(fraction * len(groups)))) if groups else 0
    chosen, surplus = list[Episode](), 0
    # Groups with solutions of one kind come first, so that mixed ones can make up for them.
    order = sorted(rng.shuffled(list(groups))[:count], key=lambda group: len({episode.solved for episode in groups[group]}))
    for group in order:
        wanted = surplus < 0 or (surplus == 0 and rng.chance(0.5))
        fitting = [episode for episode in groups[group] if episode.solved == wanted]
        solution = rng.choice(fitting or groups[group])
        surplus += 1 if solution.solved else -1
        chosen.append(solution)
    return chosen


def _gradings(worker: RolloutWorker, solution: Episode, size: int, first_key: int) -> list[Episode]:
    """The gradings of a solution at their prompt; none where the prompt leaves no room for a response."""
    base = start_of(replace(solution.task, seed=solution.seed), worker.settings).task
    start = grading_start(base, solution.transcript)
    tokens = worker.chat.prompt_tokens(start.observation)
    if len(tokens) >= worker.max_seq_len:
        return []
    assert start.task.origin is not None
    task = replace(solution.task, name=start.task.origin.name, seed=solution.seed, split="", retry=0)
    out = []
    for key in range(first_key, first_key + size):
        episode = Episode(key, twin_group(solution.group), task, [], [], [], start, seed=solution.seed)
        episode.append_observation(tokens)
        episode.messages.append(("user", start.observation))
        out.append(episode)
    return out
