"""What is chosen of the samples of a held-out task: by votes, by votes weighted by self-rewards, or by the score of a process model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlgym.train.rewards.group.answers import canonical_answer
from rlgym.train.rewards.group.context import GroupContext
from rlgym.train.rollout.engines.base import Continuation
from rlgym.train.rollout.engines.failures import SCORING, engine_failures

if TYPE_CHECKING:
    from rlgym.train.config.rewards import SelfRewardConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.worker import RolloutWorker


def self_rewards(worker: RolloutWorker, episodes: Sequence[Episode], options: SelfRewardConfig, reference_logprob: float) -> list[float]:
    """scale (log-probability of the token after each response - reference_logprob); 0 for a response without an end or without room."""
    scored = [not episode.truncated and len(episode.tokens) + 1 < worker.max_seq_len for episode in episodes]
    asked = [Continuation(tuple(episode.tokens), (options.token,)) for episode, use in zip(episodes, scored, strict=True) if use]
    with engine_failures(worker.engine, SCORING):
        found = iter(worker.engine.score(asked, worker.temperature or 1.0) if asked else [])
    return [options.scale * (next(found)[0] - reference_logprob) if use else 0.0 for use in scored]


def voted(answers: Sequence[str | None], weights: Sequence[float]) -> str | None:
    """The answer with the largest sum of weights, each kept between 0 and 1; the first of equal ones. None where no answer is readable."""
    totals: dict[str, float] = {}
    for answer, weight in zip(answers, weights, strict=True):
        if answer is not None:
            totals[answer] = totals.get(answer, 0.0) + min(1.0, max(0.0, weight))
    return max(totals, key=lambda answer: totals[answer]) if totals else None


def vote_accuracy(episodes: Sequence[Episode], weights: Sequence[float], context: GroupContext) -> float:
    """The share of the tasks whose voted answer is right."""
    groups: dict[int, list[tuple[Episode, float]]] = {}
    for episode, weight in zip(episodes, weights, strict=True):
        if episode.valid:
            groups.setdefault(episode.group, []).append((episode, weight))
    right = 0
    for members in groups.values():
        answers = [canonical_answer(episode, context) for episode, _ in members]
        winner = voted(answers, [weight for _, weight in members])
        right += any(
            episode.solved for (episode, _), answer in zip(members, answers, strict=True) if answer == winner and winner is not None
        )
    return right / max(1, len(groups))


def best_accuracy(episodes: Sequence[Episode], scores: Sequence[float]) -> float:
    """The share of the tasks whose response with the highest score is right; the first of equal ones."""
    best: dict[int, tuple[float, bool]] = {}
    for episode, score in zip(episodes, scores, strict=True):
        if episode.valid and (episode.group not in best or score > best[episode.group][0]):
            best[episode.group] = score, episode.solved
    return sum(solved for _, solved in best.values()) / max(1, len(best))
