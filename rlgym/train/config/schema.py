"""The configuration of a training run: one file that is validated before anything starts.

Every field has a default except `model`, `output_dir` and `tasks`. An unknown field, a value out of range, or an impossible
combination raises a TrainError before the first file is written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, field_validator

from rlgym.core.errors import suggestion
from rlgym.train.config.algorithm import AlgorithmConfig
from rlgym.train.config.renamed import new_field
from rlgym.train.config.second_models import SecondModelConfig
from rlgym.train.config.section import Section
from rlgym.train.config.sections import (
    CheckpointConfig,
    ComputeConfig,
    EvaluationConfig,
    LogConfig,
    ModelConfig,
    RolloutConfig,
    ScoringConfig,
    SftConfig,
    TrainError,
    UpdateConfig,
)
from rlgym.train.config.tasks import PassRatesConfig, TaskConfig


class Config(Section):
    """A whole training run."""

    model: ModelConfig = Field(description="the initial model: its folder, or a section with `path` and how it is trained")
    output_dir: str = Field(description="folder of the run")
    tasks: list[TaskConfig] = Field(min_length=1, description="the task mixture")
    seed: int = Field(0, ge=0, description="seed of everything random")
    steps: int = Field(100, ge=0, description="steps of reinforcement learning")
    held_out_fraction: float = Field(0.1, gt=0, lt=1, description="fraction of all tasks, by content hash, that training never sees")
    task_sampling: str = Field("uniform", description="curriculum: how often each environment of the mixture is sampled")
    task_sampling_options: dict[str, Any] = Field({}, description="options of the curriculum")
    pass_rates: PassRatesConfig | None = Field(None, description="a pass-rate store to record groups in and read solve rates from")
    plugins: list[str] = Field([], description="modules or Python files that register algorithms of your own")
    second_models: dict[str, SecondModelConfig] = Field(
        {}, description="frozen models in addition to the policy, by names of your choice, such as judge"
    )
    sft: SftConfig | None = Field(None, description="supervised fine-tuning before reinforcement learning")
    rollout: RolloutConfig = Field(RolloutConfig(), description="how responses are sampled")
    algorithm: AlgorithmConfig = Field(AlgorithmConfig(), description="advantage, loss, regularizers and filters")
    update: UpdateConfig = Field(UpdateConfig(), description="how the weights are updated")
    scoring: ScoringConfig = Field(ScoringConfig(), description="the scoring processes")
    evaluation: EvaluationConfig = Field(EvaluationConfig(), description="held-out evaluation")
    checkpoints: CheckpointConfig = Field(CheckpointConfig(), description="when checkpoints are written")
    log: LogConfig = Field(LogConfig(), description="what is logged")
    compute: ComputeConfig = Field(ComputeConfig(), description="device, precision and memory")

    @field_validator("model", mode="before")
    @classmethod
    def _model_from_path(cls, value: Any) -> Any:
        """A path alone stands for a model section with that path."""
        return {"path": value} if isinstance(value, str) else value

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Config:
        """A configuration from plain data. Raises TrainError with three problems: those of fields that it has, then missing fields."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            problems = sorted(error.errors(include_url=False), key=lambda problem: problem["type"] == "missing")
            raise TrainError("; ".join(_describe_problem(cls, problem) for problem in problems[:3])) from None

    @classmethod
    def read(cls, file: str | Path) -> Config:
        """The configuration in a YAML or JSON file."""
        import yaml

        try:
            values = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise TrainError(f"cannot read the configuration {str(file)!r}: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise TrainError(f"the configuration {str(file)!r} is not YAML: {str(error).splitlines()[0]}") from None
        if not isinstance(values, dict):
            raise TrainError(f"the configuration {str(file)!r} must hold a mapping, got {type(values).__name__}")
        return cls.from_dict(values)

    def differences(self, other: Config) -> list[str]:
        """The dotted names of the fields in which another configuration differs."""
        mine, theirs = _flatten(self.model_dump(mode="json")), _flatten(other.model_dump(mode="json"))
        return sorted(field for field in mine | theirs if mine.get(field) != theirs.get(field))


def field_names(section: type[Section] = Config, prefix: str = "") -> list[str]:
    """The dotted names of all fields, sections included: `rollout`, `rollout.group_size`, `tasks.levels.window` ..."""
    names: list[str] = []
    for name, field in section.model_fields.items():
        names.append(prefix + name)
        nested = section_of(field.annotation)
        if nested is not None:
            names += field_names(nested, f"{prefix}{name}.")
    return names


def section_of(annotation: Any) -> type[Section] | None:
    """The section that a field holds, alone, in a list or as one of several types."""
    text = str(annotation)
    return next(
        (section for section in Section.__subclasses__() if f".{section.__name__}" in text or f"'{section.__name__}'" in text), None
    )


def _flatten(data: dict[str, Any], prefix: str = "") -> dict[str, str]:
    out: dict[str, str] = {}
    for field, value in data.items():
        nested = isinstance(value, dict) and prefix == ""
        out |= _flatten(value, f"{field}.") if nested else {prefix + field: json.dumps(value, sort_keys=True)}
    return out


def _describe_problem(model: type[BaseModel], problem: Any) -> str:
    names = [str(part) for part in problem["loc"] if not str(part).startswith(("list[", "AdaptiveLevels"))]
    path = ".".join(names)
    if problem["type"] == "extra_forbidden":
        dotted = ".".join(name for name in names if not name.isdigit())
        if renamed := new_field(dotted):
            return f"{dotted} is now {renamed}"
        known = _fields_at(model, problem["loc"][:-1])
        return f"unknown field {path!r} in the configuration.{suggestion(names[-1], known)} Known fields: {', '.join(known)}"
    if problem["type"] == "missing":
        return f"the configuration needs {path!r}"
    return f"{path}: {problem['msg']}, got {problem['input']!r:.60}"


def _fields_at(model: type[BaseModel], location: tuple[Any, ...]) -> list[str]:
    """The field names of the section at a location in the configuration."""
    by_name = {section.__name__: section for section in Section.__subclasses__()}
    for part in location:
        if part in model.model_fields:
            model = section_of(model.model_fields[part].annotation) or model
        elif part in by_name:
            model = by_name[part]
    return list(model.model_fields)
