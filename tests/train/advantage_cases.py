"""Computes advantages by name."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import sqrt

import pytest

from rlgym.train.advantages import ADVANTAGES

torch = pytest.importorskip("torch", reason="the trainer needs torch")

SHARED = (
    "grpo",
    "dr_grpo",
    "rloo",
    "reinforce_pp",
    "pass_at_k",
    "weighted_grpo",
    "tempo",
    "rank_penalty",
    "mvar",
    "gpg",
    "opo",
    "lite_ppo",
    "pairwise",
    "brpo",
)
"""Those that compare rollouts with each other."""

HARD = [1.0, 0.0, 0.0, 0.0]
"""A quarter right: mean 1/4, standard deviation sqrt(1/4 * 3/4) = sqrt(3) / 4."""


def advantage(name, batch, **given):
    chosen = ADVANTAGES[name]
    return chosen(with_process_rewards(name, batch), chosen.options.from_dict(given))


def with_process_rewards(name, batch, slope=0.0):
    """The batch with rewards of a process model that rise by `slope` from token to token, where the advantage needs them."""
    if name == "oreal" and batch.process_reward_T is None:
        # Scores that tell the outcome.
        return replace(batch, process_reward_T=(2.0 * (batch.reward_N >= 0.5) - 1)[batch.rollout_T])
    needed = name == "prime" and batch.process_reward_T is None
    return replace(batch, process_reward_T=slope * torch.arange(len(batch.rollout_T))) if needed else batch


def flatten(rows):
    return [x for row in rows for x in row]


def over_all_sets(right, k):
    """For each rollout the mean, over the sets of k that hold it, of (set is right - mean) / standard deviation over all sets."""
    k = min(k, len(right))
    sets = list(combinations(range(len(right)), k))
    paid = [float(any(right[i] for i in members)) for members in sets]
    mean = sum(paid) / len(paid)
    std = sqrt(sum((x - mean) ** 2 for x in paid) / len(paid))
    if std == 0:
        return [0.0] * len(right), 0.0
    judged = []
    for i in range(len(right)):
        mine = [(x - mean) / std for x, members in zip(paid, sets, strict=True) if i in members]
        judged.append(sum(mine) / len(mine))
    return judged, std


def policy_gradient_loss(name, **given):
    """The policy gradient's loss: -A log(new), averaged over rollouts."""

    def loss(new_logprobs_T, batch):
        if name == "ppo":
            batch = replace(batch, value_T=torch.full_like(batch.old_logprobs_T, 0.3))
        return -(advantage(name, batch, **given) * new_logprobs_T).sum() / len(batch.reward_N)

    return loss
