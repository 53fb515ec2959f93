"""Partial rollouts: an episode samples at most `rollout.segment_tokens` tokens in a step and continues in the next, with the new weights.

So one long response does not hold up a step. A group waits for its last episode; the update then learns from all of it. Every token keeps the
log-probability under the weights that sampled it: the loss forms its ratio with those (`update.old_logprobs: rollout`), or weights tokens by
them (`tis_cap`). The last step has no limit, so no rollout is lost.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.scoring import ScoringJob
from rlgym.train.rollout.worker import RolloutProgress, RolloutWorker

if TYPE_CHECKING:
    from rlgym.train.run import Run


@dataclass
class CarriedGroup:
    """A group with an unfinished episode, and its curriculum cell. The next step continues it."""

    cell: int
    episodes: list[Episode]

    def state_dict(self) -> dict[str, Any]:
        """The group as plain data and tensors, for a checkpoint."""
        return RolloutBatch([self.cell], self.episodes, 0.0, 0.0).state_dict()

    @classmethod
    def from_state_dict(cls, state: dict[str, Any]) -> CarriedGroup:
        """The group from its `state_dict`. Its environments are restored when it continues."""
        return cls(state["cells"][0], RolloutBatch.from_state_dict(state).episodes)


def sample_segments(run: Run, cells: list[int], new: list[Episode], on_progress: RolloutProgress) -> RolloutBatch:
    """This rank's part of a step: its new episodes, and its share of the carried groups, each sampled up to the limit of the step.

    Carried groups are numbered after the new ones.
    """
    start, worker, rollout = time.perf_counter(), run.worker, run.config.rollout
    scoring_start = worker.pool.seconds
    mine = run.process_group.shard(range(len(run.carried)))
    carried = [episode for place in mine for episode in renumbered(run.carried[place].episodes, len(cells) + place, rollout.group_size)]
    restore_environments(worker, carried)
    before = sum(episode.num_sampled for episode in carried)
    limit = 0 if run.step == run.config.steps - 1 else rollout.segment_tokens
    worker.resume(new + carried, run.seed("rollout", run.step), on_progress, limit)
    sampled = sum(episode.num_sampled for episode in new + carried) - before
    seconds, scoring_seconds = time.perf_counter() - start, worker.pool.seconds - scoring_start
    all_cells = cells + [group.cell for group in run.carried]
    return RolloutBatch(all_cells, new + carried, seconds, scoring_seconds, sampled)


def finished_groups(run: Run, batch: RolloutBatch) -> RolloutBatch:
    """The groups all of whose episodes have ended, numbered anew; the others wait in `run.carried` for the next step."""
    groups: dict[int, list[Episode]] = {}
    for episode in batch.episodes:
        groups.setdefault(episode.group, []).append(episode)
    size = run.config.rollout.group_size
    ended = {group: members for group, members in groups.items() if all(episode.score is not None for episode in members)}
    run.carried = [CarriedGroup(batch.cells[group], members) for group, members in groups.items() if group not in ended]
    episodes = [episode for number, members in enumerate(ended.values()) for episode in renumbered(members, number, size)]
    return replace(batch, cells=[batch.cells[group] for group in ended], episodes=episodes)


def partial_metrics(run: Run, episodes: Sequence[Episode]) -> dict[str, float]:
    """Metrics of a step with partial rollouts.

    carried_groups     groups that wait for the next step
    carried_tokens     tokens sampled for them so far
    segments           mean number of policies that wrote an episode of this step
    """
    written = [len(episode.segments) for episode in episodes if episode.segments]
    return {
        "carried_groups": float(len(run.carried)),
        "carried_tokens": float(sum(episode.num_sampled for group in run.carried for episode in group.episodes)),
        "segments": sum(written) / len(written) if written else 0.0,
    }


def renumbered(episodes: Sequence[Episode], group: int, group_size: int) -> list[Episode]:
    """The episodes of a group with another number."""
    return [replace(episode, group=group, key=group * group_size + member) for member, episode in enumerate(episodes)]


def restore_environments(worker: RolloutWorker, episodes: Sequence[Episode]) -> None:
    """Restore the environments of unfinished episodes from a checkpoint, by their tasks and the responses so far."""
    waiting = {episode.key: episode for episode in episodes if episode.score is None and episode.snapshot is None}
    turn = 0
    while waiting:
        jobs = []
        for key, episode in waiting.items():
            said = [text for role, text in episode.messages if role == "assistant"]
            jobs.append(ScoringJob(key, episode.task, worker.settings, episode.snapshot, said[turn - 1] if turn else ""))
        worker.pool.submit(jobs)
        while worker.pool.pending:
            for key, result in worker.pool.done(wait=True):
                waiting[key].snapshot = result.snapshot
                if result.score is not None:  # the scoring process failed: the episode carries no loss
                    waiting.pop(key).finish(result.score, 0.0)
        turn += 1
        waiting = {key: episode for key, episode in waiting.items() if sum(role == "assistant" for role, _ in episode.messages) >= turn}
