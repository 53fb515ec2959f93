"""Evaluation with as many samples as are worth it: at times the outcome head predicts what comes of each, and only the best set goes on.

From "Zero-Overhead Introspection for Adaptive Test-Time Compute" (ZIP-RC).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from rlgym.train.data.collate import collate
from rlgym.train.update.hidden_states import hidden_states
from rlgym.train.update.outcome_head import Outlook, best_subset

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.worker import RolloutWorker
    from rlgym.train.run import Run
    from rlgym.train.tasks.spec import TaskSpec


def adaptive_accuracy(run: Run, worker: RolloutWorker, tasks: Sequence[TaskSpec], episodes: Sequence[Episode]) -> dict[str, float]:
    """Accuracy and sampled tokens of the controller, and, as `accuracy_all` and `tokens_all`, of choosing among all samples by the same prediction.

    episodes  the samples of the ordinary evaluation
    """
    options = run.config.evaluation.adaptive
    assert options is not None
    samples = worker.start(tasks, run.config.evaluation.samples_per_task)
    alive = {episode.key for episode in samples}
    while running := [episode for episode in samples if episode.key in alive and episode.score is None]:
        worker.resume(running, run.config.seed, segment_tokens=options.segment_tokens)
        known = dict(zip((episode.key for episode in samples), outlooks(run, samples), strict=True))
        for group in dict.fromkeys(episode.group for episode in running):
            members = [episode for episode in samples if episode.group == group and episode.key in alive]
            unfinished = [episode for episode in members if episode.score is None]
            ended = [known[episode.key].right for episode in members if episode.valid]
            kept = best_subset([known[episode.key] for episode in unfinished], ended, options.compute_weight, options.latency_weight)
            alive -= {episode.key for place, episode in enumerate(unfinished) if place not in kept}
    finished = [episode for episode in samples if episode.key in alive]
    return {
        "accuracy": _chosen_accuracy(run, finished),
        "tokens": float(sum(episode.num_sampled for episode in samples)),
        "accuracy_all": _chosen_accuracy(run, episodes),
        "tokens_all": float(sum(episode.num_sampled for episode in episodes)),
    }


def outlooks(run: Run, episodes: Sequence[Episode]) -> list[Outlook]:
    """What the head expects of each response as far as it is written; nothing of one without a token.

    A response that goes on is judged by the state from which its next token is drawn, which has seen all of it; a finished one by that of its last token.
    """
    assert run.outcome_head is not None
    batch = collate([_with_next(episode) if episode.score is None and episode.num_sampled else episode for episode in episodes], run.device)
    states = hidden_states(run.policy, replace(batch, valid_N=torch.ones_like(batch.valid_N)))
    return [run.outcome_head.outlook(hidden_SE) if len(hidden_SE) else Outlook(0.0, 0.0) for hidden_SE in states]


def _with_next(episode: Episode) -> Episode:
    """The episode with a next token, of which only the state before it is used."""
    return replace(
        episode, tokens=[*episode.tokens, episode.tokens[-1]], loss_mask=[*episode.loss_mask, True], logprobs=[*episode.logprobs, 0.0]
    )


def _chosen_accuracy(run: Run, episodes: Sequence[Episode]) -> float:
    """The share of the tasks whose response with the highest predicted probability is right."""
    best: dict[int, tuple[float, bool]] = {}
    for episode, outlook in zip(episodes, outlooks(run, episodes), strict=True):
        if episode.valid and (episode.group not in best or outlook.right > best[episode.group][0]):
            best[episode.group] = outlook.right, episode.solved
    return sum(solved for _, solved in best.values()) / max(1, len(best))
