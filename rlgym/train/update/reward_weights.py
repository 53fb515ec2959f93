"""Changes of rewards that learn along with the policy: weights of auxiliary rewards in an outer loop, and baselines by role.

From "Behavior Alignment via Reward Function Optimization": auxiliary rewards are designed to help, may mislead, and get the weights with which learning
from them raises the primary reward.

    r = r_primary + sum_i w_i r_i,    w_i <- clip(w_i + lr cos(g, g_i), -max_weight, max_weight),    w_i = 0 at first

g is the policy gradient of the primary reward on held-out groups, and g_i that of the auxiliary reward i on the groups that are learned from. For a
small step of the policy the derivative of the primary return with respect to w_i is the inner product of the two; the cosine has no scale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.rewards.combined import Group, combined_reward
from rlgym.train.data.collate import collate
from rlgym.train.data.segment_sums import broadcast_to_tokens, centred, rewards_N
from rlgym.train.rewards.group.combined import response_of

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.reward_weights import AuxiliaryRewardsConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.run import Run


def change_rewards(run: Run, episodes: list[Episode]) -> tuple[list[Episode], dict[str, float]]:
    """The episodes to learn from with `algorithm.auxiliary_rewards` and less `algorithm.role_baseline`, and metrics."""
    algorithm, metrics = run.config.algorithm, dict[str, float]()
    if algorithm.auxiliary_rewards is not None:
        episodes, metrics = learn_weights(run, episodes, algorithm.auxiliary_rewards)
    if algorithm.role_baseline is not None:
        episodes = run.role_baselines.subtract(episodes, algorithm.role_baseline)
        metrics |= run.role_baselines.metrics()
    return episodes, metrics


def learn_weights(run: Run, episodes: Sequence[Episode], options: AuxiliaryRewardsConfig) -> tuple[list[Episode], dict[str, float]]:
    """One step of the outer loop; the episodes that are learned from, with their weighted auxiliary rewards. Held-out groups are left out."""
    held = held_out_groups([episode.group for episode in episodes], options.held_out_groups, run.seed("reward weights"))
    judging = [episode for episode in episodes if episode.group in held]
    learning = [episode for episode in episodes if episode.group not in held]
    values = {name: term_values(learning, description, run.step) for name, description in options.terms.items()}
    primary = policy_gradient(run, judging, [episode.reward for episode in judging])
    for name, found in values.items():
        agreement = cosine(primary, policy_gradient(run, learning, found))
        weight = run.reward_weights.get(name, 0.0) + options.lr * agreement
        run.reward_weights[name] = min(options.max_weight, max(-options.max_weight, weight))
    weighted = [
        replace(episode, reward=episode.reward + sum(run.reward_weights[name] * found[place] for name, found in values.items()))
        for place, episode in enumerate(learning)
    ]
    return weighted, {f"reward_weight/{name}": run.reward_weights[name] for name in options.terms}


def held_out_groups(groups: Sequence[int], fraction: float, seed: int) -> set[int]:
    """A fraction of the groups, drawn by the seed: one at least, and not all; none where there is one group alone."""
    different = sorted(set(groups))
    if len(different) < 2:
        return set()
    count = min(len(different) - 1, max(1, round(fraction * len(different))))
    return set(Rng("held-out groups", seed).shuffled(different)[:count])


def term_values(episodes: Sequence[Episode], description: str | dict[str, object], step: int) -> list[float]:
    """The value of a combined reward for each episode in its group; 0 without a valid score."""
    reward, out = combined_reward(description, wrong_may_outrank=True), [0.0] * len(episodes)
    for group in sorted({episode.group for episode in episodes}):
        places = [place for place, episode in enumerate(episodes) if episode.group == group and episode.valid]
        responses = Group(tuple(response_of(episodes[place]) for place in places), step)
        for number, place in enumerate(places):
            out[place] = reward(responses, number)
    return out


def policy_gradient(run: Run, episodes: Sequence[Episode], rewards: Sequence[float]) -> dict[str, Tensor]:
    """The policy gradient of some rewards, less the mean of their group, by the name of the weights; empty where it is 0."""
    if not episodes:
        return {}
    batch = collate([replace(episode, reward=reward) for episode, reward in zip(episodes, rewards, strict=True)], run.device)
    advantage_T = broadcast_to_tokens(centred(rewards_N(batch), batch), batch)
    run.optimizer.zero_grad(set_to_none=True)
    run.policy.backward(batch, advantage_T / len(batch.reward_N))
    found = {name: weight.grad.detach().clone() for name, weight in run.model.named_parameters() if weight.grad is not None}
    run.optimizer.zero_grad(set_to_none=True)
    return found


def cosine(one: dict[str, Tensor], other: dict[str, Tensor]) -> float:
    """The cosine of the angle between two gradients; 0 where one of them is 0."""
    product = sum(float((one[name] * other[name]).sum()) for name in one.keys() & other.keys())
    norms = [math.sqrt(sum(float(part.square().sum()) for part in gradient.values())) for gradient in (one, other)]
    return product / (norms[0] * norms[1]) if all(norms) else 0.0
