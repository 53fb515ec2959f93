"""The rollout batches of a step: sampled now by all ranks together, or in the background while the trainer learns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rlgym.train.rollout.async_rollout import AsyncRollout, RolloutBatch
from rlgym.train.rollout.engines.failures import engine_failures
from rlgym.train.rollout.partial import finished_groups, sample_segments
from rlgym.train.rollout.prover_roles import with_roles
from rlgym.train.rollout.stored import stored_round
from rlgym.train.rollout.worker import RolloutProgress
from rlgym.train.tasks.spec import TaskSpec

if TYPE_CHECKING:
    from rlgym.train.run import Run


def start_next_rollouts(run: Run) -> None:
    """With `rollout.async_steps: k`, start sampling the episodes of every step up to k steps ahead, with the current weights."""
    last = min(run.step + run.config.rollout.async_steps, run.config.steps - 1)
    for step in range(run.step + 1 + len(run.prefetched) + len(run.async_rollouts), last + 1):
        sample, load_weights = _round_of_step(run, step), _weight_update_for_rollout(run)
        run.async_rollouts.append(AsyncRollout(sample, load_weights, run.async_rollouts[-1] if run.async_rollouts else None))


def _weight_update_for_rollout(run: Run) -> Callable[[], None] | None:
    """Load the current weights into the engine now if it is idle; otherwise return a function that loads a copy of them later."""
    if run.engine_version == run.version:
        return None
    if not run.async_rollouts:
        run.sync_engine()
        return None
    weights, version = [(name, weight.detach().cpu().clone()) for name, weight in run.weights()], run.version
    run.engine_version = version

    def load() -> None:
        with engine_failures(run.worker.engine, "while it loaded weights"):
            run.worker.engine.update_weights(weights, version)

    return load


def wait_for_next_rollout(run: Run) -> None:
    """Wait for the next step's episodes if they are being sampled in the background."""
    if run.async_rollouts and not run.prefetched:
        _wait_for_oldest(run)


def claim_engine(run: Run) -> None:
    """Wait for all background rollouts and load the current weights into the engine, for sampling in the main thread."""
    while run.async_rollouts:
        _wait_for_oldest(run)
    if run.engine_version != run.version:
        run.sync_engine()


def _wait_for_oldest(run: Run) -> None:
    run.prefetched.append(_gather_ranks(run, run.async_rollouts[0].wait()))
    run.async_rollouts.popleft()


def first_round(run: Run, on_progress: RolloutProgress) -> RolloutBatch:
    """The first round of the current step: sampled ahead, or sampled now, possibly in segments."""
    if run.config.rollout.recorded:
        return stored_round(run)
    wait_for_next_rollout(run)
    if run.prefetched:
        return run.prefetched.popleft()
    if run.config.rollout.segment_tokens:
        return finished_groups(run, _gather_ranks(run, _segments_of_step(run, on_progress)))
    return _gather_ranks(run, _round_of_step(run, run.step)(on_progress))


def _round_of_step(run: Run, step: int) -> Callable[[RolloutProgress], RolloutBatch]:
    """A function that samples this rank's share of a step's first round; its tasks and seeds are fixed here."""
    chosen = run.curriculum.sample(step, run.config.rollout.groups_per_step)
    tasks = with_roles([task for _, task in chosen], run.config.algorithm.prover_roles, run.seed("roles", step))
    return _rank_share(run, [cell for cell, _ in chosen], tasks, run.seed("rollout", step))


def _segments_of_step(run: Run, on_progress: RolloutProgress) -> RolloutBatch:
    chosen = run.curriculum.sample(run.step, run.config.rollout.groups_per_step)
    indices = run.process_group.shard(range(len(chosen)))
    new = run.worker.start([chosen[index][1] for index in indices], run.config.rollout.group_size, indices)
    return sample_segments(run, [cell for cell, _ in chosen], new, on_progress)


def rollout_groups(
    run: Run, cells: Sequence[int], tasks: Sequence[TaskSpec], seed: int, on_progress: RolloutProgress, group_size: int | None = None
) -> RolloutBatch:
    """A group of episodes for each task, sampled now by all ranks together."""
    claim_engine(run)
    return _gather_ranks(run, _rank_share(run, list(cells), tasks, seed, group_size)(on_progress))


def _rank_share(
    run: Run, cells: list[int], tasks: Sequence[TaskSpec], seed: int, group_size: int | None = None
) -> Callable[[RolloutProgress], RolloutBatch]:
    worker, indices = run.worker, run.process_group.shard(range(len(tasks)))
    size = group_size or run.config.rollout.group_size

    def sample(on_progress: RolloutProgress) -> RolloutBatch:
        start, scoring_start = time.perf_counter(), worker.pool.seconds
        episodes = worker.rollout([tasks[index] for index in indices], size, seed, on_progress, indices) if indices else []
        return RolloutBatch(cells, episodes, time.perf_counter() - start, worker.pool.seconds - scoring_start)

    return sample


def _gather_ranks(run: Run, mine: RolloutBatch) -> RolloutBatch:
    """The episodes of all ranks, on every rank."""
    parts = run.process_group.all_gather(mine)
    episodes = sorted((episode for part in parts for episode in part.episodes), key=lambda episode: episode.key)
    seconds, scoring_seconds = max(part.seconds for part in parts), sum(part.scoring_seconds for part in parts)
    num_tokens = None if mine.num_tokens is None else sum(part.num_tokens or 0 for part in parts)
    return RolloutBatch(mine.cells, episodes, seconds, scoring_seconds, num_tokens)
