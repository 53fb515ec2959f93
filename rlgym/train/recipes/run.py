"""Runs a recipe stage by stage, each from the model of an earlier one. Repeat the call to resume an interrupted recipe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.dataset.files import UNFINISHED, write_atomically
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.distributed.process_group import ProcessGroup
from rlgym.train.logging.metrics import episode_metrics
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.logging.report import write_report
from rlgym.train.loop import train
from rlgym.train.model import checkpoint
from rlgym.train.recipes.comparison import COMPARISON, TABLE, compare_models
from rlgym.train.recipes.recipe import INITIAL, TEACHER, Recipe, Stage
from rlgym.train.recipes.responses import finish_responses, keep_responses, model_name
from rlgym.train.recipes.toy import COMPARED_SAMPLES, MEASURE_STEPS, make_toy_model, toy_config
from rlgym.train.rollout.collect import collect_rollouts
from rlgym.train.run import Run
from rlgym.train.study.folder import read_json
from rlgym.train.tasks.recorded import record_step

FINISHED, MEASURED = "finished", "measured.json"


@dataclass(frozen=True)
class StageResult:
    """A finished stage: its folder, the model that the next stage starts from, and held-out accuracies (mean over the tasks).

    accuracy  by label, such as `start` and `end`; of a comparison by model
    table     of a comparison its tables as Markdown, otherwise empty
    """

    stage: str
    folder: Path
    model: Path
    accuracy: dict[str, float]
    table: str = ""


def run_recipe(
    recipe: Recipe,
    out: str | Path,
    model: str | Path | None = None,
    *,
    teacher: str | Path | None = None,
    toy: bool = False,
    seed: int = 0,
    until: str | None = None,
    callback: ProgressCallback | None = None,
) -> list[StageResult]:
    """Run what is missing of a recipe in the folder `out`; the finished stages in order.

    model   Hugging Face folder of the initial model; without one the toy size trains its own
    teacher  Hugging Face folder of the model whose responses are imitated, where a stage starts from `teacher`; the toy size takes the initial model
    toy     shrink every stage to the toy size
    until   name of the last stage to run

    UnknownName for a stage that does not exist; RlgymError where the folder holds another recipe, model, size or seed.
    """
    folder, callback = Path(out), callback or ProgressCallback()
    last = recipe.stages.index(recipe.stage(until)) if until is not None else len(recipe.stages) - 1
    if model is None and not toy:
        raise RlgymError(f"the recipe {recipe.name!r} needs a model: pass its Hugging Face folder with --model, or try --toy")
    if recipe.needs_teacher and teacher is None and not toy:
        raise RlgymError(f"the recipe {recipe.name!r} imitates another model: pass its Hugging Face folder with --teacher")
    if teacher is not None and not recipe.needs_teacher:
        raise RlgymError(f"no stage of the recipe {recipe.name!r} starts from a teacher: leave out --teacher")
    if ProcessGroup.from_environment().size > 1:
        raise RlgymError(
            "a recipe runs in one process: for several, `rlgym train recipe show NAME --out DIR` writes a configuration file for each stage"
        )
    _keep_settings(folder, recipe, model, teacher, toy, seed)
    models = {INITIAL: Path(model) if model is not None else make_toy_model(recipe, folder / "toy-model", seed, callback)}
    models[TEACHER] = models[INITIAL] if teacher is None else Path(teacher)
    results = []
    for stage in recipe.stages[: last + 1]:
        start = models[recipe.previous(stage)]
        place = stage_folder(recipe, stage, folder)
        config = stage_config(recipe, stage, start, place, seed, toy)
        run_stage(config, stage, {name: models[name] for name in stage.models}, callback)
        if stage.kind == "train":
            models[stage.name] = checkpoint.last_model(place)
        results.append(_result(stage, place, models.get(stage.name, start)))
    return results


def stage_config(recipe: Recipe, stage: Stage, model: Path, place: Path, seed: int, toy: bool) -> Config:
    """The configuration of a stage in its folder; a pass-rate store with a relative path lies beside the stages."""
    config = recipe.stage_config(stage, model, place, seed)
    if toy:
        config = toy_config(recipe, config)
        if stage.kind == "measure":
            config = config.model_copy(update={"steps": MEASURE_STEPS})
        if stage.kind == "compare":
            samples = min(COMPARED_SAMPLES, recipe.stage_config(stage, model, place).evaluation.samples_per_task)
            config = config.model_copy(update={"evaluation": config.evaluation.model_copy(update={"samples_per_task": samples})})
    if config.sft is not None and config.sft.rollouts:
        source = stage_folder(recipe, recipe.stage(config.sft.rollouts), place.parent)
        config = config.model_copy(update={"sft": config.sft.model_copy(update={"rollouts": str(source)})})
    if config.pass_rates is None:
        return config
    file = str(place.parent / config.pass_rates.file)
    return config.model_copy(update={"pass_rates": config.pass_rates.model_copy(update={"file": file})})


def stage_folder(recipe: Recipe, stage: Stage, folder: Path) -> Path:
    """The folder of a stage in that of the recipe."""
    return folder / f"{recipe.stages.index(stage) + 1}-{stage.name}"


def run_stage(config: Config, stage: Stage, models: Mapping[str, Path], callback: ProgressCallback) -> None:
    """Run, or resume, one stage; a finished one is not touched. `models` are those that a comparison compares."""
    folder = Path(config.output_dir)
    if (folder / FINISHED).exists():
        return
    if stage.kind == "measure":
        measure(config, callback, stage.keep_responses)
    elif stage.kind == "compare":
        compare_models(config, models, stage.groups, callback)
    else:
        train(config, callback)
        write_report(folder, f"Stage {stage.name}")
    (folder / FINISHED).touch()


def measure(config: Config, callback: ProgressCallback, keep: bool = False) -> None:
    """Sample the groups of every step and record their solve rates in the pass-rate store; the model stays as it is.

    With `keep` the responses are kept as an evaluation, which `sft.rollouts` can name.

    A measurement that was interrupted goes on after its last recorded step. Where rollouts wait from step to step (`rollout.async_steps`,
    `rollout.segment_tokens`) it starts again; what it recorded is replaced, not counted twice.
    """
    if config.pass_rates is None or not config.pass_rates.record:
        raise TrainError("a measurement records solve rates: set pass_rates.file, and leave pass_rates.record as it is")
    run = Run.open(config)
    steps = _restore_measurement(run)
    callback.on_phase_start("measure", config.steps, len(steps))
    try:
        for step in range(len(steps), config.steps):
            run.step = step
            sampled = collect_rollouts(run, callback.on_rollout_progress).sampled
            record_step(config, step, sampled)
            if keep:
                keep_responses(run.folder, step, sampled, config.rollout.answer_style)
            steps.append(episode_metrics(sampled, run.version))
            run.logger.log_step(step + 1, steps[-1], {})
            if not (run.prefetched or run.async_rollouts or run.carried):
                state = {"steps": steps, "curriculum": run.curriculum.state_dict()}
                write_atomically(run.folder / MEASURED, (json.dumps(state) + "\n").encode())
            callback.on_step_end("measure", step + 1, steps[-1])
        if keep:
            finish_responses(run.folder, model_name(config.model.path))
    finally:
        run.close()


def _restore_measurement(run: Run) -> list[dict[str, Any]]:
    """The metrics of the recorded steps of an interrupted measurement, logged again; the curriculum is as it was after them."""
    file = run.folder / MEASURED
    if not file.exists():
        return []
    state = json.loads(file.read_text(encoding="utf-8"))
    run.curriculum.load_state_dict(state["curriculum"])
    for number, metrics in enumerate(state["steps"], 1):
        run.logger.log_step(number, metrics, {})
    return list(state["steps"])


def _result(stage: Stage, folder: Path, model: Path) -> StageResult:
    if stage.kind != "compare":
        return StageResult(stage.name, folder, model, _accuracy(folder))
    found = read_json(folder / COMPARISON)
    accuracy = {name: row["accuracy"] for name, row in found["models"].items()}
    return StageResult(stage.name, folder, model, accuracy, (folder / TABLE).read_text(encoding="utf-8"))


def _accuracy(folder: Path) -> dict[str, float]:
    return {line["label"]: line["accuracy"]["mean"]["avg"] for line in read_lines(folder / "evaluations.jsonl")}


def _keep_settings(folder: Path, recipe: Recipe, model: str | Path | None, teacher: str | Path | None, toy: bool, seed: int) -> None:
    """Write recipe.json, or refuse a folder in which another recipe, or this one with other settings, runs."""
    file = folder / "recipe.json"
    chosen = {
        "recipe": recipe.name,
        "stages": [stage.model_dump(mode="json") for stage in recipe.stages],
        "common": recipe.common,
        "model": str(Path(model).resolve()) if model is not None else None,
        "teacher": str(Path(teacher).resolve()) if teacher is not None else None,
        "toy": toy,
        "seed": seed,
    }
    if file.exists():
        known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        different = [name for name, value in json.loads(json.dumps(chosen)).items() if known.get(name) != value]
        if different:
            raise RlgymError(f"{str(folder)!r} holds a recipe with another {' and '.join(different)}: choose another folder with --out")
        return
    if folder.exists() and any(not file.name.endswith(UNFINISHED) for file in folder.iterdir()):
        raise RlgymError(f"{str(folder)!r} is not empty and holds no recipe: choose another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    versions = {"rlgym": rlgym.__version__, "torch": torch.__version__}
    write_atomically(file, (json.dumps(chosen | {"versions": versions}, indent=1) + "\n").encode())
