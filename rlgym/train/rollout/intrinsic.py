"""Rewards from the policy's certainty in its own responses, by a forward pass of the trainer.

self_certainty  mean over the tokens of KL(uniform || pi) = -log V - mean over the vocabulary of log pi
entropy         minus the mean over the tokens of the entropy of pi
logprob         sum over the tokens of log pi(token): the trajectory's entropy, estimated by what was sampled
probability     product over the tokens of pi(token)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym.train.data.collate import collate
from rlgym.train.data.segment_sums import mean_N, sum_N
from rlgym.train.registry import OptionError

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.rewards import IntrinsicRewardConfig
    from rlgym.train.data.batch import Batch
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.run import Run
    from rlgym.train.update.policy import PolicyForward


def add_intrinsic_rewards(run: Run, episodes: Sequence[Episode], options: IntrinsicRewardConfig) -> list[Episode]:
    """The episodes with verifier_weight times their reward plus weight times the certainty; episodes without a score stay.

    From "Learning to Reason without External Rewards" (`self_certainty`) and "How Far Can Unsupervised RLVR Scale LLM Training?" (the others).
    """
    if not episodes:
        return []
    value_N = certainty_N(run.policy, collate(episodes, run.device), options.kind)
    out = []
    for episode, value in zip(episodes, value_N.tolist(), strict=True):
        if episode.valid and not math.isfinite(value):
            raise OptionError(
                f"algorithm.intrinsic_reward returned {value!r} for a response of {episode.task.label}: check the model's weights"
            )
        reward = options.verifier_weight * episode.reward + options.weight * value
        out.append(replace(episode, reward=reward) if episode.valid else episode)
    return out


def certainty_N(policy: PolicyForward, batch: Batch, kind: str) -> Tensor:
    """The certainty of each rollout of a batch, by the formulas above."""
    if kind == "self_certainty":
        return mean_N(policy.self_certainty(batch), batch)
    output = policy.forward(batch)
    if kind == "entropy":
        return -mean_N(output.entropy_T, batch)
    total_N = sum_N(output.logprob_T, batch)
    return total_N if kind == "logprob" else total_N.exp()
