"""Measures a model on held-out tasks of many families, and keeps each measurement in a file that is written once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from rlgym import Outcome
from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.model.backend import load_policy_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.setup import make_worker
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.study.folder import code_version, read_json, write_json
from rlgym.train.study.run import changed
from rlgym.train.tasks.spec import TaskSpec

Measurement = dict[str, Any]
"""Of one family: `right` (for each task, how many of its samples are right), `samples` per task, and over all responses the mean
number of `tokens`, the shares that are `readable` and `worked` (with text before the answer), and of these the share `worked_right`."""


def worker_of(model: Path, config: Config) -> RolloutWorker:
    """A rollout worker for the model in a folder, with the other settings of a configuration."""
    torch.set_num_threads(max(1, config.compute.cpu_threads))
    own = changed(config, {"model": {"path": str(model)}})
    return make_worker(own, load_policy_model(own.model), load_tokenizer(model), SINGLE_PROCESS, torch.device("cpu"))


def measured(
    file: Path, model: Path, config: Config, names: Sequence[str], level: float, tasks: int, samples: int
) -> dict[str, Measurement]:
    """The measurement that a file holds, made and written if it does not exist."""
    known = read_json(file)
    if known is None:
        worker = worker_of(model, config)
        try:
            families = measure(worker, names, level, tasks, samples, config.seed)
        finally:
            worker.pool.close()
        known = {"code": code_version(), "families": families}
        write_json(file, known)
    return dict(known["families"])


def measure(worker: RolloutWorker, names: Sequence[str], level: float, tasks: int, samples: int, seed: int) -> dict[str, Measurement]:
    """A measurement of each family, on the same tasks and with the same random numbers for every model of a seed."""
    specs = [TaskSpec(name, level, index, "test") for name in names for index in range(tasks)]
    episodes = worker.rollout(specs, samples, seed)
    by_name: dict[str, list[Episode]] = {name: [] for name in names}
    for episode in episodes:
        by_name[episode.task.name].append(episode)
    return {name: summarize_responses(name, by_name[name]) for name in names}


def summarize_responses(name: str, episodes: Sequence[Episode]) -> Measurement:
    """The measurement from the responses to the tasks of a family. RlgymError if none of them has a score."""
    valid = [episode for episode in episodes if episode.valid]
    if not valid:
        why = next((episode.score.reason for episode in episodes if episode.score is not None), "there is no response")
        raise RlgymError(f"the evaluation of {name} is empty: none of {len(episodes)} responses has a score ({why})")
    right: dict[int, list[bool]] = {}
    for episode in valid:
        right.setdefault(episode.group, []).append(episode.solved)
    worked = [episode for episode in valid if episode.messages[-1][1].partition("<answer>")[0].strip()]
    readable = [episode for episode in valid if episode.score is not None and episode.score.outcome != Outcome.UNREADABLE]
    return {
        "right": [sum(flags) for flags in right.values()],
        "samples": [len(flags) for flags in right.values()],
        "tokens": round(sum(episode.num_sampled for episode in valid) / len(valid), 3),
        "readable": len(readable) / len(valid),
        "worked": len(worked) / len(valid),
        "worked_right": sum(episode.solved for episode in worked) / len(worked) if worked else None,
    }


def accuracy(measurement: Measurement) -> float:
    """avg@k: the mean over tasks of the fraction of right samples."""
    rates = [right / samples for right, samples in zip(measurement["right"], measurement["samples"], strict=True)]
    return sum(rates) / len(rates)
