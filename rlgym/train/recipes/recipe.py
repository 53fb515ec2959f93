"""A published recipe: what the paper did, what is the same here, what differs, and the stages that run it.

A stage holds fields of an ordinary training configuration, on top of those that all stages of the recipe share. It starts from the model
of the stage before, unless `start_from` names an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rlgym.core.errors import UnknownName, suggestion
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.presets import merged

FOLDER = Path(__file__).parent
THEMES = (
    "Policy gradients over groups",
    "Without groups",
    "Filters and rejection sampling",
    "Curricula and mixtures",
    "Guidance for unsolved tasks",
    "Credit for steps and turns",
    "Length",
    "Rewards without labels, and calibration",
    "Several stages",
)
"""The themes of recipes, in the order in which they are listed."""
INITIAL, TEACHER = "model", "teacher"
"""What `start_from` calls the model that the recipe was started with, and another one whose responses a measuring stage keeps."""


class Stage(BaseModel):
    """One stage: a training run, a measurement of solve rates without updates, or a comparison of the models of other stages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern="^[a-z0-9-]+$", description="name of the stage, and of its folder")
    kind: Literal["train", "measure", "compare"] = Field(
        "train",
        description="measure: sample groups and record their solve rates; compare: measure the models of stages on the same held-out tasks; no update",
    )
    start_from: str = Field(
        "",
        description="stage whose model this one starts from; empty for the stage before, `model` for the initial one; a measurement may also "
        "start from `teacher`, the model of --teacher",
    )
    keep_responses: bool = Field(False, description="measure: keep the responses, which a later stage names as its sft.rollouts")
    models: list[str] = Field(
        [], description="compare: the stages whose models are compared with the first of them; `model` for the initial one"
    )
    groups: dict[str, list[int]] = Field(
        {}, description="compare: parts of the mixture, by position, over which accuracies are also averaged"
    )
    config: dict[str, Any] = Field({}, description="fields of a training configuration, without model and output_dir")


class ToyTasks(BaseModel):
    """The tasks of the toy size, where the default does not fit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("chain_sum", description="environment of all tasks")
    knobs: dict[str, int | float | str] = Field({}, description="knobs that make it easy for a small model")
    sft_steps: int = Field(500, ge=1, le=2000, description="steps of SFT of the small model before the recipe")
    max_seq_len: int = Field(256, ge=64, le=2048, description="token limit of an episode, and positions of the small model")
    max_new_tokens: int = Field(48, ge=8, le=256, description="token limit of the stage with the longest responses")


class Recipe(BaseModel):
    """A recipe, as its file declares it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="the name of the file")
    title: str = Field(min_length=1, description="how the recipe is known")
    paper: str = Field(min_length=1, description="title of the paper")
    theme: str = Field(description="one of THEMES")
    idea: str = Field(min_length=1, description="the idea in a sentence")
    same: list[str] = Field(min_length=1, description="what is as in the paper")
    differs: list[str] = Field(min_length=1, description="what had to differ")
    common: dict[str, Any] = Field({}, description="fields of the configuration that all stages share")
    stages: list[Stage] = Field(min_length=1, description="the stages, in order")
    toy: ToyTasks = Field(ToyTasks(), description="the tasks of the toy size")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.theme not in THEMES:
            raise ValueError(f"the theme {self.theme!r} is unknown.{suggestion(self.theme, THEMES)}")
        names: list[str] = []
        for stage in self.stages:
            if stage.name in names or stage.name == INITIAL:
                raise ValueError(f"the name {stage.name!r} of a stage is taken")
            self._check_kind(stage, fields := merged(self.common, stage.config), names)
            allowed = (INITIAL, *([TEACHER] if stage.kind == "measure" else []), *names)
            if stage.start_from and stage.start_from not in allowed:
                known = ", ".join(allowed)
                raise ValueError(f"stage {stage.name!r} starts from {stage.start_from!r}, which is no earlier stage: there are {known}")
            if "output_dir" in fields or "path" in (fields.get("model") or {}):
                raise ValueError(f"stage {stage.name!r} sets output_dir or model.path, which are chosen when it runs")
            names.append(stage.name)
        return self

    def _check_kind(self, stage: Stage, fields: dict[str, Any], names: list[str]) -> None:
        """Refuse what does not go with the kind of a stage; `names` are the earlier ones."""
        if stage.kind == "measure" and not fields.get("pass_rates"):
            raise ValueError(f"stage {stage.name!r} measures solve rates, and needs pass_rates.file to record them")
        if stage.keep_responses and stage.kind != "measure":
            raise ValueError(f"stage {stage.name!r} keeps responses, which only a stage of the kind 'measure' does")
        if (stage.models or stage.groups) and stage.kind != "compare":
            raise ValueError(f"stage {stage.name!r} names models or groups, which only a stage of the kind 'compare' has")
        if stage.kind == "compare":
            known = [INITIAL, *(earlier.name for earlier in self.stages if earlier.name in names and earlier.kind == "train")]
            if len(set(stage.models)) < 2 or len(set(stage.models)) < len(stage.models):
                raise ValueError(f"stage {stage.name!r} compares models, and needs at least two different ones, got {stage.models}")
            if unknown := [name for name in stage.models if name not in known]:
                raise ValueError(
                    f"stage {stage.name!r} compares {unknown[0]!r}, which is no earlier stage that trains: there are {', '.join(known)}"
                )
            parts = len(fields.get("tasks") or [])
            if wrong := [group for group, members in stage.groups.items() if not members or not all(0 <= part < parts for part in members)]:
                raise ValueError(f"the group {wrong[0]!r} of stage {stage.name!r} needs positions from 0 to {parts - 1} of its tasks")
        source = (fields.get("sft") or {}).get("rollouts")
        if source and source not in [earlier.name for earlier in self.stages if earlier.name in names and earlier.keep_responses]:
            raise ValueError(f"stage {stage.name!r} imitates sft.rollouts={source!r}, which is no earlier stage with keep_responses")

    @property
    def needs_teacher(self) -> bool:
        """True if a stage starts from the teacher."""
        return any(stage.start_from == TEACHER for stage in self.stages)

    def stage(self, name: str) -> Stage:
        """The stage called `name`; UnknownName, with the nearest, where there is none."""
        names = [stage.name for stage in self.stages]
        if name not in names:
            raise UnknownName(f"the recipe {self.name!r} has no stage {name!r}.{suggestion(name, names)} There are {', '.join(names)}")
        return self.stages[names.index(name)]

    def previous(self, stage: Stage) -> str:
        """The stage whose model this one starts from, `INITIAL` or `TEACHER`. A measurement or comparison has no model of its own."""
        if stage.start_from:
            return stage.start_from
        before = [earlier.name for earlier in self.stages[: self.stages.index(stage)] if earlier.kind == "train"]
        return before[-1] if before else INITIAL

    def stage_config(self, stage: Stage, model: str | Path, output_dir: str | Path, seed: int = 0) -> Config:
        """The training configuration of a stage. Raises TrainError for a field that does not exist or is out of range."""
        fields = merged(self.common, stage.config)
        section = {**fields.pop("model", {}), "path": str(model)}
        return Config.from_dict({"seed": seed, **fields, "model": section, "output_dir": str(output_dir)})


def recipe_names() -> list[str]:
    """The names of all recipes, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def recipe(name: str) -> Recipe:
    """The recipe called `name`; UnknownName, with the nearest, where there is none."""
    names = recipe_names()
    if name not in names:
        raise UnknownName(f"no recipe is called {name!r}.{suggestion(name, names)} `rlgym train recipe list` shows all {len(names)}")
    return read_recipe(FOLDER / f"{name}.yaml")


def recipes() -> Iterator[Recipe]:
    """All recipes, by theme and name."""
    yield from sorted(map(recipe, recipe_names()), key=lambda found: (THEMES.index(found.theme), found.name))


@cache
def read_recipe(file: Path) -> Recipe:
    """The recipe in a file. Raises TrainError with the first problem."""
    import yaml

    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise TrainError(f"cannot read the recipe {str(file)!r}: {str(error).splitlines()[0]}") from None
    if not isinstance(values, dict):
        raise TrainError(f"the recipe {str(file)!r} must hold a mapping, got {type(values).__name__}")
    try:
        return Recipe.model_validate({"name": file.stem, **values})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, problem["loc"]))
        message = problem["msg"].removeprefix("Value error, ")
        raise TrainError(f"the recipe {str(file)!r}: {f'{place}: ' if place else ''}{message}") from None
