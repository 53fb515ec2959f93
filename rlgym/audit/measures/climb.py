"""A policy that climbs the scorer's reward: natural policy gradient on a tabular softmax policy over the pool of each answer type.

Every step adds the learning rate times the paid reward to the logit of each response, so that the policy stays in closed form and nothing is
sampled. Beside the best of n, it shows how far a policy moves (its KL divergence from the first one) before paid and true reward part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rlgym.audit.measures.best_of_n import Entry
from rlgym.audit.report import ClimbPoint

STEPS = (0, 1, 2, 4, 8, 16, 32, 64, 128)
LEARNING_RATE = 0.25


def climb(pools: Sequence[Sequence[Entry]]) -> list[ClimbPoint]:
    """Paid and true reward and the divergence after each number of steps, averaged over the pools; none without a pool."""
    if not pools:
        return []
    found = []
    for steps in STEPS:
        reached = [after(pool, steps) for pool in pools]
        kl, paid, true = (math.fsum(values) / len(reached) for values in zip(*reached, strict=True))
        found.append(ClimbPoint(step=steps, kl=round(kl, 6), paid=paid, true=true))
    return found


def after(pool: Sequence[Entry], steps: int) -> tuple[float, float, float]:
    """KL divergence in nats, paid and true reward of the policy after some steps; the weights of the pool are the first policy."""
    tilted = [weight * math.exp(LEARNING_RATE * steps * (paid - 1)) for paid, _, weight in pool]
    total = math.fsum(tilted)
    chances = [value / total for value in tilted]
    kl = math.fsum(chance * math.log(chance / entry[2]) for chance, entry in zip(chances, pool, strict=True) if chance > 0)
    paid = math.fsum(chance * entry[0] for chance, entry in zip(chances, pool, strict=True))
    true = math.fsum(chance * entry[1] for chance, entry in zip(chances, pool, strict=True))
    return max(0.0, kl), paid, true
