"""A recipe as text, its budget, and its stages as configuration files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rlgym.train.config.schema import Config
from rlgym.train.model import checkpoint
from rlgym.train.presets import merged
from rlgym.train.recipes.recipe import INITIAL, TEACHER, Recipe, Stage
from rlgym.train.tasks.curriculum import eval_tasks


def text(recipe: Recipe) -> str:
    """The recipe for a terminal: what it is, what differs from the paper, and its stages as YAML."""
    lines = [f"{recipe.title}: {recipe.paper}", recipe.idea, "", "as in the paper"]
    lines += [f"  - {line}" for line in recipe.same]
    lines += ["different", *(f"  - {line}" for line in recipe.differs)]
    for stage in recipe.stages:
        lines += ["", f"stage {stage.name} ({budget(recipe, stage)}), from {start_of(recipe, stage)}"]
        lines += [f"  {line}" for line in yaml.safe_dump(fields(recipe, stage), sort_keys=False, width=120).splitlines()]
    return "\n".join(lines)


def fields(recipe: Recipe, stage: Stage) -> dict[str, Any]:
    """The fields that a stage sets, those that all stages share included."""
    return merged(recipe.common, stage.config)


def start_of(recipe: Recipe, stage: Stage) -> str:
    """The model that a stage starts from, in words."""
    previous = recipe.previous(stage)
    if stage.kind == "compare":
        return ", ".join("the initial model" if name == INITIAL else f"the model of {name}" for name in stage.models)
    return {INITIAL: "the initial model", TEACHER: "the teacher"}.get(previous, f"the model of {previous}")


def budget(recipe: Recipe, stage: Stage) -> str:
    """How much a stage trains: examples of SFT, and rollouts of how many tokens."""
    config = recipe.stage_config(stage, "MODEL", "run")
    if stage.kind == "compare":
        tasks = len(eval_tasks(config.tasks, config.evaluation.tasks_per_level, config.evaluation.levels))
        samples = config.evaluation.samples_per_task
        return f"{tasks:,} held-out tasks, {samples} sample{'s' if samples > 1 else ''} of each, for {len(stage.models)} models"
    parts = []
    if config.sft:
        parts.append(f"{config.sft.steps * config.sft.batch_size:,} examples of SFT")
    if config.steps:
        rollouts = config.steps * config.rollout.groups_per_step * config.rollout.group_size
        verb = "measured " if stage.kind == "measure" else ""
        parts.append(f"{config.steps} steps, {rollouts:,} {verb}rollouts of at most {config.rollout.max_new_tokens:,} tokens")
    return "; ".join(parts)


def stage_yaml(recipe: Recipe, stage: Stage, model: Path, folder: Path) -> str:
    """A stage as a configuration file of its own. Its model is the initial one, or the last checkpoint of the stage that it starts from."""
    config = recipe.stage_config(stage, _model_of(recipe, stage, model, folder), folder / stage.name)
    values = {"model": config.model.model_dump(mode="json", exclude_defaults=True), "output_dir": config.output_dir}
    given = {name: value for name, value in fields(recipe, stage).items() if name != "model"}
    if store := given.get("pass_rates"):
        given["pass_rates"] = store | {"file": str(folder / store["file"])}
    if (given.get("sft") or {}).get("rollouts"):
        given["sft"] = given["sft"] | {"rollouts": str(folder / given["sft"]["rollouts"])}
    Config.from_dict(values | given)
    head = f"# Stage {stage.name} of the recipe {recipe.name}: {recipe.paper}\n\n"
    return head + yaml.safe_dump(values | given, sort_keys=False, width=120)


def _model_of(recipe: Recipe, stage: Stage, model: Path, folder: Path) -> Path:
    previous = recipe.previous(stage)
    if previous == INITIAL:
        return model
    steps = recipe.stage_config(recipe.stage(previous), model, folder).steps
    return folder / previous / "checkpoints" / checkpoint.folder_name("rl", steps) / "model"
