"""How far a small change of the rewards moves the optimal policy.

"The Policy Cliff: A Theoretical Analysis of Reward-Policy Maps in Large Language Models": where several responses are equally good, the greedy policy
jumps between them at the smallest change of a reward. A bonus for entropy smooths the jump.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rlgym import RlgymError, Rng


@dataclass(frozen=True)
class PolicyChange:
    """The total variation between the optimal policies before and after a change of the rewards of at most `epsilon`.

    entropy  the weight of the entropy; 0 for the greedy policy, which shares ties evenly
    largest  over the random changes that were tried
    mean     likewise
    """

    epsilon: float
    entropy: float
    largest: float
    mean: float


def optimal_policy(rewards: Sequence[float], entropy: float = 0.0) -> list[float]:
    """The policy that maximises the expected reward plus `entropy` times its entropy; RlgymError without responses, or for a negative weight."""
    if not rewards or entropy < 0:
        raise RlgymError(f"an optimal policy needs rewards and an entropy weight from 0, got {len(rewards)} rewards and {entropy!r}")
    best = max(rewards)
    weights = [float(reward == best) if entropy == 0 else math.exp((reward - best) / entropy) for reward in rewards]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def policy_cliff(
    rewards: Sequence[float],
    epsilons: Sequence[float] = (1e-6, 1e-3, 1e-2, 1e-1),
    entropies: Sequence[float] = (0.0, 0.01, 0.1, 1.0),
    *,
    draws: int = 200,
    seed: int = 0,
) -> list[PolicyChange]:
    """A sweep over sizes of the change and weights of the entropy, with `draws` changes of uniform noise each."""
    found = []
    for epsilon in epsilons:
        rng = Rng("policy cliff", seed, f"{epsilon:g}")
        changes = [[rng.real(-epsilon, epsilon) for _ in rewards] for _ in range(draws)]
        for entropy in entropies:
            before = optimal_policy(rewards, entropy)
            moved = [
                _total_variation(before, optimal_policy([reward + each for reward, each in zip(rewards, change, strict=True)], entropy))
                for change in changes
            ]
            found.append(PolicyChange(epsilon, entropy, max(moved), math.fsum(moved) / len(moved)))
    return found


def _total_variation(first: Sequence[float], second: Sequence[float]) -> float:
    return math.fsum(abs(one - other) for one, other in zip(first, second, strict=True)) / 2
