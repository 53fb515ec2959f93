"""The state of a training run that a checkpoint holds beside the weights: written to a checkpoint, and restored from one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.distributed.sharding import full_optimizer_state, load_optimizer_state
from rlgym.train.evaluate import Accuracy
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.model import checkpoint
from rlgym.train.model.state import load_reference_state, reference_state
from rlgym.train.rewards.group.length import LengthMonitor
from rlgym.train.rewards.group.objectives import ObjectiveMonitor
from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.partial import CarriedGroup
from rlgym.train.rollout.proposals import ProposalStore
from rlgym.train.tasks.spread import SpreadTracker
from rlgym.train.update.hidden_states import RankTracker

if TYPE_CHECKING:
    from rlgym.train.run import Run


def training_state(run: Run) -> checkpoint.TrainingState:
    """Everything that is neither in the configuration nor in the weights."""
    tensors: dict[str, Any] = {"optimizer": full_optimizer_state(run.optimizer), "random": torch.get_rng_state()}
    if run.reference is not None and run.reference_reset:
        tensors["reference"] = reference_state(run.reference.model)
    if run.process_model is not None:
        tensors["process_model"] = run.process_model.state_dict()
    if run.distillation is not None:
        tensors["distillation"] = run.distillation.state_dict()
    if run.judge_training is not None:
        tensors["judge_training"] = run.judge_training.state_dict()
    if run.outcome_head is not None:
        tensors["outcome_head"] = run.outcome_head.state_dict()
    if run.flow is not None:
        tensors["flow"] = run.flow.state_dict()
    for name, waiting in (("prefetched", run.prefetched), ("carried", run.carried)):
        if waiting:
            tensors[name] = [part.state_dict() for part in waiting]
    if run.replay_buffer.groups:
        tensors["replay"] = run.replay_buffer.state_dict()
    facts = {
        "version": run.version,
        "curriculum": run.curriculum.state_dict(),
        "files": run.logger.file_sizes(),
        "quantiles": run.quantile_tracker.values,
        "spread": run.spread_tracker.state_dict(),
        "lengths": run.length_monitor.state_dict(),
        "objectives": run.objective_monitor.state_dict(),
        "self_reward_offset": run.self_reward_offset,
        "ranks": run.rank_tracker.state_dict(),
        "roles": run.role_baselines.values,
        "reward_weights": run.reward_weights,
        "proposals": run.proposals.state_dict(),
    }
    return checkpoint.TrainingState(run.phase, run.step, tensors, facts)


def load_training_state(run: Run, state: checkpoint.TrainingState) -> None:
    """Restore the state of a checkpoint in a run whose weights are loaded already."""
    run.phase, run.step, run.version = state.phase, state.step, state.facts["version"]
    load_optimizer_state(run.optimizer, state.tensors["optimizer"])
    torch.set_rng_state(state.tensors["random"])
    if "reference" in state.tensors:
        assert run.reference is not None
        load_reference_state(run.reference.model, state.tensors["reference"])
        run.reference_reset = True
    run.curriculum.load_state_dict(state.facts["curriculum"])
    if quantiles := state.facts.get("quantiles"):
        run.quantile_tracker.values = (quantiles[0], quantiles[1])
    run.rank_tracker = RankTracker.from_state_dict(state.facts.get("ranks"))
    run.reward_weights = dict(state.facts.get("reward_weights") or {})
    run.proposals = ProposalStore.from_state_dict(state.facts.get("proposals"))
    run.role_baselines.values = dict(state.facts.get("roles") or {})
    if lengths := state.facts.get("lengths"):
        run.length_monitor = LengthMonitor.from_state_dict(lengths)
    if measured := state.facts.get("objectives"):
        run.objective_monitor = ObjectiveMonitor.from_state_dict(measured)
    if spread := state.facts.get("spread"):
        run.spread_tracker = SpreadTracker.from_state_dict(spread)
    run.self_reward_offset = state.facts.get("self_reward_offset")
    if run.process_model is not None:
        run.process_model.load_state_dict(state.tensors["process_model"])
    if run.distillation is not None:
        run.distillation.load_state_dict(state.tensors["distillation"])
    if run.judge_training is not None:
        run.judge_training.load_state_dict(state.tensors["judge_training"])
    if run.outcome_head is not None:
        run.outcome_head.load_state_dict(state.tensors["outcome_head"])
    if run.flow is not None:
        run.flow.load_state_dict(state.tensors["flow"])
    run.prefetched.extend(RolloutBatch.from_state_dict(batch) for batch in state.tensors.get("prefetched", []))
    run.replay_buffer.load_state_dict(state.tensors.get("replay", []))
    run.carried = [CarriedGroup.from_state_dict(group) for group in state.tensors.get("carried", [])]
    for line in read_lines(run.folder / "evaluations.jsonl"):
        run.evaluations[line["label"]] = {cell: Accuracy.from_dict(values) for cell, values in line["accuracy"].items()}
