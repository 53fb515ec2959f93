"""A run and its pass-rate store: the groups that it records, the solve rates and the tasks that it reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym import environment
from rlgym.core.errors import KnobError, suggestion
from rlgym.dataset.pass_rates.selection import prompt_of_entry
from rlgym.dataset.pass_rates.store import Entry, PassRates, TaskKey
from rlgym.dataset.rows import content_hash, knobs_at, split_of
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.tasks import RecordedTasksConfig, TaskConfig
from rlgym.train.tasks.cells import CurriculumCell, recorded_task
from rlgym.train.tasks.spec import TaskSpec

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode


def recorded_name(config: Config) -> str:
    """The name under which a run is recorded."""
    assert config.pass_rates is not None
    return config.pass_rates.model or Path(config.output_dir).resolve().name


def source_prefix(config: Config) -> str:
    """How the sources of a run begin: each of its steps is one."""
    return f"{Path(config.output_dir).resolve()} step "


def record_step(config: Config, step: int, episodes: Iterable[Episode]) -> int:
    """Record the groups of a step, replacing what the step recorded before, so that a resumed run counts nothing twice; returns the number of tasks.

    Episodes without a valid score do not count, nor do those with a hint in their prompt.
    """
    if config.pass_rates is None or not config.pass_rates.record:
        return 0
    entries: dict[TaskKey, Entry] = {}
    for episode in episodes:
        if not episode.valid or episode.seed is None or episode.task.hint_fraction:
            continue
        task, version = episode.task, environment(episode.task.name).version
        knobs = json.dumps(knobs_at(task.name, task.level, json.dumps(dict(task.knobs))), sort_keys=True)
        key = TaskKey(recorded_name(config), task.name, version, task.level, knobs, episode.seed)
        entry = entries.get(key, Entry(key, 0, 0, 0))
        entries[key] = Entry(key, entry.samples + 1, entry.right + episode.solved, (entry.tokens or 0) + episode.num_sampled)
    with PassRates(config.pass_rates.file) as store:
        return store.record(f"{source_prefix(config)}{step}", entries.values(), replace=True)


def read_store(config: Config, cells: Sequence[CurriculumCell]) -> None:
    """Give the cells of a new run their recorded tasks, and the solve rates to start from. What the run itself recorded is not read.

    Raises TrainError where a part with `recorded` has no task, or the store lacks the model.
    """
    if config.pass_rates is None:
        return
    with PassRates(config.pass_rates.file) as store:
        for cell in cells:
            chosen = config.tasks[cell.part].recorded
            if chosen is not None:
                cell.recorded = _recorded_tasks(config, store, cell, chosen)
            if config.pass_rates.prior:
                cell.solve_rate = _prior_rate(config, store, cell)


def _recorded_tasks(config: Config, store: PassRates, cell: CurriculumCell, chosen: RecordedTasksConfig) -> tuple[TaskSpec, ...]:
    _require_model(store, chosen.model)
    own = source_prefix(config)
    found = list(
        store.entries(chosen.model, cell.name, low=chosen.low, high=chosen.high, min_samples=chosen.min_samples, current=True, without=own)
    )
    if chosen.rank == "variance":
        variance = store.variances(chosen.model, cell.name, without=own)
        found.sort(key=lambda entry: -variance[entry.key])
    tasks: list[TaskSpec] = []
    rates: list[float] = []
    for entry in found:
        if chosen.count and len(tasks) == chosen.count:
            break
        if chosen.with_knobs.items() <= json.loads(entry.key.knobs).items() and _is_for_training(entry, config.held_out_fraction):
            played = _with_knobs(entry, chosen.play_with)
            # The world of a held-out task stays unseen, however it is played.
            if played is entry or _is_for_training(played, config.held_out_fraction):
                tasks.append(_task_of(played))
                rates.append(entry.rate)
    if not tasks:
        raise TrainError(
            f"the store {config.pass_rates.file if config.pass_rates else ''!r} has no training task of {cell.name} that {chosen.model!r} "
            f"solves at a rate from {chosen.low:g} to {chosen.high:g} in {chosen.min_samples} samples or more"
            f"{f' with the knobs {chosen.with_knobs}' if chosen.with_knobs else ''}: widen the band or record more"
        )
    return repeated(tasks, rates, chosen.repeats)


def repeated(tasks: Sequence[TaskSpec], rates: Sequence[float], repeats: Sequence[tuple[float, int]]) -> tuple[TaskSpec, ...]:
    """The tasks in rounds, each as often as its solve rate says: the first pair with a higher rate gives the number, without one it is 1.

    From "Exploring the Limit of Outcome Reward for Learning Mathematical Reasoning".
    """
    counts = [next((count for below, count in repeats if rate < below), 1) for rate in rates]
    return tuple(task for number in range(max(counts, default=0)) for task, count in zip(tasks, counts, strict=True) if number < count)


def _with_knobs(entry: Entry, knobs: Mapping[str, int | float | str]) -> Entry:
    """The same seed with other knobs; the entry itself where it has them already."""
    of_entry: dict[str, Any] = json.loads(entry.key.knobs)
    if knobs.items() <= of_entry.items():
        return entry
    return replace(entry, key=replace(entry.key, knobs=json.dumps(of_entry | dict(knobs), sort_keys=True)))


def _is_for_training(entry: Entry, held_out_fraction: float) -> bool:
    """Whether the task lies in the split of training; a held-out one is never trained on, whoever recorded it."""
    splits = {"train": 1 - held_out_fraction, "test": held_out_fraction}
    return split_of(content_hash(prompt_of_entry(entry)), splits) == "train"


def _task_of(entry: Entry) -> TaskSpec:
    level, knobs = max(0.0, entry.key.level), json.loads(entry.key.knobs)
    of_level: dict[str, Any] = knobs_at(entry.key.env, level)
    return recorded_task(entry.key.env, level, {} if knobs == of_level else knobs, entry.key.seed)


def _prior_rate(config: Config, store: PassRates, cell: CurriculumCell) -> float | None:
    """The mean recorded solve rate of a cell's tasks at its levels; None where there are none."""
    assert config.pass_rates is not None
    _require_model(store, config.pass_rates.prior)
    levels = {cell.level} if not isinstance(cell.levels, tuple) else set(cell.levels)
    found = store.entries(config.pass_rates.prior, cell.name, current=True, without=source_prefix(config))
    rates = [entry.rate for entry in found if entry.key.level in levels]
    return sum(rates) / len(rates) if rates else None


def _require_model(store: PassRates, model: str) -> None:
    if model not in (known := store.models()):
        raise TrainError(f"the pass-rate store {str(store.file)!r} has no model {model!r}.{suggestion(model, known)}")


def check_recorded(config: Config) -> None:
    """Refuse recorded tasks without a store, with adaptive levels, or with an empty band."""
    for part in config.tasks:
        if part.recorded is None:
            continue
        if config.pass_rates is None:
            raise TrainError("tasks.recorded reads a pass-rate store: set pass_rates.file")
        if part.recorded.low > part.recorded.high:
            raise TrainError(f"tasks.recorded needs low <= high, got {part.recorded.low:g} and {part.recorded.high:g}")
        for name in part.environments():
            for knobs in (part.recorded.with_knobs, part.recorded.play_with):
                try:
                    environment(name).config.from_knobs(knobs)
                except KnobError as error:
                    raise TrainError(f"tasks.recorded.with_knobs and play_with name knobs of {name}: {error}") from None
        bounds = [below for below, _ in part.recorded.repeats]
        if bounds != sorted(set(bounds)) or any(count < 1 for _, count in part.recorded.repeats):
            raise TrainError(
                f"tasks.recorded.repeats needs rising solve rates with numbers of at least 1, got {[list(pair) for pair in part.recorded.repeats]}"
            )
        if _is_adaptive(part) or part.num_tasks or part.knobs:
            raise TrainError("tasks.recorded already chooses the tasks: leave out num_tasks and knobs, and give levels as a list")


def _is_adaptive(part: TaskConfig) -> bool:
    return not isinstance(part.levels, list)
