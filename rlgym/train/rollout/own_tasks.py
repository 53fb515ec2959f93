"""Tasks that the policy makes of a step: its own solutions to be graded, and its own proposals to be solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.proposals import propose
from rlgym.train.rollout.rounds import claim_engine
from rlgym.train.rollout.self_verification import verifications
from rlgym.train.rollout.worker import RolloutProgress

if TYPE_CHECKING:
    from rlgym.train.run import Run


def own_tasks(run: Run, episodes: list[Episode], suffix: str, on_progress: RolloutProgress) -> tuple[list[RolloutBatch], dict[str, float]]:
    """The rollouts of `algorithm.self_verification` and `algorithm.proposer` for a round, and their metrics. Proposals are written to proposals.jsonl."""
    algorithm, batches, metrics = run.config.algorithm, list[RolloutBatch](), dict[str, float]()
    if algorithm.self_verification is not None:
        claim_engine(run)
        batch, found = verifications(run.worker, episodes, algorithm.self_verification, run.seed(f"verifications{suffix}"), on_progress)
        batches.append(batch)
        metrics |= found
    if algorithm.proposer is not None:
        claim_engine(run)
        size, seed = run.config.rollout.group_size, run.seed(f"proposals{suffix}")
        batch, found, records = propose(run.worker, episodes, algorithm.proposer, run.proposals, size, seed, on_progress)
        for record in records:
            run.logger.write_line("proposals.jsonl", {"step": run.step + 1} | record)
        batches.append(batch)
        metrics |= found
    return batches, metrics
