"""Twins: the same task in other words. Each side's responses are paid for the answer that most responses of the other side give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym.train.rewards.group.answers import canonical_answer
from rlgym.train.rewards.group.context import GroupContext

if TYPE_CHECKING:
    from rlgym.train.config.rewards import TwinRewardConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.tasks.spec import TaskSpec


def twin_tasks(episodes: Sequence[Episode]) -> dict[int, TaskSpec]:
    """The twin of the task of each group: the task of the same seed, with its prompt in other words."""
    return {
        episode.group: replace(episode.task, seed=episode.seed, paraphrase=True, split="", retry=0)
        for episode in reversed(episodes)
        if episode.valid
    }


def twin_group(group: int) -> int:
    """The number of the group of a twin: a negative one, since groups of a step are counted from 0."""
    return -1 - group


def add_twin_rewards(
    episodes: Sequence[Episode], options: TwinRewardConfig, context: GroupContext
) -> tuple[list[Episode], dict[str, float]]:
    """The episodes of tasks and twins with verifier_weight times their reward plus weight times [their answer is the other side's majority].

    From "Co-Reward: Self-supervised Reinforcement Learning for Large Language Model Reasoning via Contrastive Agreement". Of several most frequent
    answers each counts as the majority. Metrics are the solve rate of the twins and the share of responses that agree.
    """
    answers = [canonical_answer(episode, context) if episode.valid else None for episode in episodes]
    votes: dict[int, Counter[str]] = {}
    for episode, answer in zip(episodes, answers, strict=True):
        if answer is not None:
            votes.setdefault(episode.group, Counter())[answer] += 1
    majorities = {group: _most_frequent(counted) for group, counted in votes.items()}
    out, agreed = [], list[float]()
    for episode, answer in zip(episodes, answers, strict=True):
        if episode.valid:
            agreed.append(float(answer in majorities.get(twin_group(episode.group), ())))
            episode = replace(episode, reward=options.verifier_weight * episode.reward + options.weight * agreed[-1])
        out.append(episode)
    solved = [float(episode.solved) for episode in episodes if episode.valid and episode.group < 0]
    metrics = {"twin_solve_rate": sum(solved) / max(1, len(solved)), "twin_agreement": sum(agreed) / max(1, len(agreed))}
    return out, metrics


def _most_frequent(votes: Mapping[str, int]) -> set[str]:
    most = max(votes.values())
    return {answer for answer, count in votes.items() if count == most}
