"""Auxiliary rollouts of an update: what a loss scores beyond the sampled tokens. They stand after the responses, and no reward sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym.train.config.schema import Config
from rlgym.train.data.collate import collate
from rlgym.train.rollout.episodes import Episode

if TYPE_CHECKING:
    import torch

    from rlgym.train.update.policy import PolicyForward


def with_auxiliary(episodes: Sequence[Episode], config: Config, step: int) -> list[Episode]:
    """The episodes of an update as its loss needs them, and auxiliary ones after them.

    With `likelihood_reward.own_answer_loss: false` no token of a response's own answer carries loss, and with `answer_gradient` each response is
    followed by the reference answer after its reasoning. From "Reinforcing General Reasoning without Verifiers". With `self_reward`, each response that
    ended by itself is followed by the token of self-rewards. From "LaSeR: Reinforcement Learning with Last-Token Self-Rewarding".
    """
    likelihood, self_reward = config.algorithm.likelihood_reward, config.algorithm.self_reward
    out = [_reasoning_alone(episode) for episode in episodes] if likelihood and not likelihood.own_answer_loss else list(episodes)
    if likelihood and likelihood.answer_gradient:
        out += [_reference_rollout(episode) for episode in episodes if episode.reference is not None]
    if self_reward and step >= self_reward.warmup_steps:
        out += [_self_reward_rollout(episode, self_reward.token) for episode in episodes if has_self_reward(episode, config)]
    return out


def has_self_reward(episode: Episode, config: Config) -> bool:
    """Whether a response has a verdict, ended by itself, and leaves room for one more token."""
    return episode.valid and not episode.truncated and len(episode.tokens) < config.rollout.max_seq_len


def _self_reward_rollout(episode: Episode, token: int) -> Episode:
    """The whole response and the token whose log-probability after it is the self-reward."""
    before = len(episode.tokens)
    return replace(
        episode,
        tokens=[*episode.tokens, token],
        loss_mask=[False] * before + [True],
        logprobs=[0.0] * (before + 1),
        verdict=float(episode.solved),
        score=None,
        spans=None if episode.spans is None else [],
    )


def _reasoning_alone(episode: Episode) -> Episode:
    if episode.reference is None:
        return episode
    end = episode.reference.reasoning
    return replace(episode, loss_mask=[*episode.loss_mask[:end], *[False] * (len(episode.tokens) - end)])


def _reference_rollout(episode: Episode) -> Episode:
    """The reference answer after the reasoning, as a rollout without a score."""
    reference = episode.reference
    assert reference is not None
    before = len(reference.context)
    return replace(
        episode,
        tokens=[*reference.context, *reference.tokens],
        loss_mask=[False] * before + [True] * len(reference.tokens),
        logprobs=[0.0] * before + list(reference.logprobs),
        answer_weights=[0.0] * before + list(reference.weights),
        score=None,
        spans=None if episode.spans is None else [],
        reference=None,
    )


def add_answer_ranks(policy: PolicyForward, episodes: Sequence[Episode], device: torch.device, worst_fraction: float) -> list[Episode]:
    """The episodes with the rank of the reference answer in their group: the least over its responses of the mean rank of its least likely tokens.

    `worst_fraction` of the answer's tokens count, at least one. From "Direct Reasoning Optimization: LLMs Can Reward And Refine Their Own Reasoning for
    Open-Ended Tasks": no reasoning of the group makes the answer likely where this rank is high.
    """
    answers = [_reference_rollout(episode) for episode in episodes if episode.valid and episode.reference is not None]
    if not answers:
        return list(episodes)
    batch = collate(answers, device)
    rank_T = policy.token_ranks(batch)
    found: dict[int, float] = {}
    for place, answer in enumerate(answers):
        ranks = sorted(rank_T[(batch.rollout_T == place) & batch.loss_mask_T].tolist(), reverse=True)
        worst = ranks[: max(1, round(worst_fraction * len(ranks)))]
        found[answer.group] = min(found.get(answer.group, math.inf), sum(worst) / len(worst))
    return [replace(episode, answer_rank=found.get(episode.group, 0.0)) for episode in episodes]
