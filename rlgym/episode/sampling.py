"""Samples tasks from seeds, and loads saved tasks."""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from rlgym.core.config import Config, Value
from rlgym.core.declare import Declaration, Environment, Match
from rlgym.core.errors import KnobError, RowError, UnknownName
from rlgym.core.names import without_language
from rlgym.core.rng import Rng
from rlgym.core.task import Origin, Task
from rlgym.registry import environment, split_name


def configure(declared: Declaration, level: float | None, knobs: Mapping[str, Any]) -> Config:
    """The knobs at a level, or their defaults; knobs passed by name override both."""
    config: Config = declared.config.from_knobs(knobs) if level is None else declared.config.at(level, **knobs)
    return config


def sample_task(name: str, declared: Declaration, seed: int, config: Config, level: float | None = None) -> Task[Any]:
    """The task of a seed. For a game or match: its first observation and first state."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise KnobError(f"seed must be an integer from 0, got seed={seed!r}")
    origin = Origin(name, declared.version, seed, dict(config.__dict__), level)
    # Programs and positions that are looked into are many small objects, most of them free of cycles: collecting in the middle of
    # a task takes up to half of its time and frees nearly nothing.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _sample(declared, Rng(without_language(name), declared.version, seed), config, origin)
    finally:
        if collects:
            gc.enable()


def _sample(declared: Declaration, rng: Rng, config: Config, origin: Origin) -> Task[Any]:
    if isinstance(declared, Environment):
        generated = declared.generate(rng, config)
        return Task(generated.prompt, generated.data, origin)
    state = declared.start(rng, config)
    if isinstance(declared, Match):
        from rlgym.episode.play import play_opponents

        state, _ = play_opponents(declared, state, origin)
        return Task(declared.show(state, declared.seat(state)), state, origin)
    return Task(declared.show(state), state, origin)


def task(name: str, seed: int, *, level: float | None = None, split: str = "main", **knobs: Value) -> Task[Any]:
    """The task of (name, seed, level, knobs). The same arguments give the same task on every machine.

    Knobs passed by name override the level; without a level the others keep their defaults. `split="shift"` samples from the
    environment's structurally different family, as the name NAME:shift does.
    """
    name = split_name(name, split)
    declared = environment(name)
    return sample_task(name, declared, seed, configure(declared, level, knobs), level)


class _Origin(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str
    version: int
    seed: int
    knobs: dict[str, int | float | str]
    level: float | None = None


class _Saved(BaseModel):
    model_config = ConfigDict(extra="forbid")
    prompt: str
    data: dict[str, Any]
    origin: _Origin


def load_task(saved: str | Mapping[str, Any]) -> Task[Any]:
    """A task from `task.to_dict()` or its JSON. RowError for a damaged task or one of another version."""
    try:
        read = _Saved.model_validate(json.loads(saved) if isinstance(saved, str) else saved)
    except (ValidationError, ValueError) as error:
        raise RowError(f"this is not a saved task: {first_error_message(error)}") from None
    origin_fields = read.origin
    origin = Origin(origin_fields.name, origin_fields.version, origin_fields.seed, origin_fields.knobs, origin_fields.level)
    return Task(read.prompt, read_data(origin_fields.name, origin_fields.version, json.dumps(read.data)), origin)


def read_data(name: str, version: int, data: str) -> Any:
    """The data (or first state) of a task of this environment and version, from JSON."""
    try:
        declared = environment(name)
    except UnknownName as error:
        raise RowError(f"a saved task names an environment that is not installed: {error}") from None
    if version != declared.version:
        raise RowError(f"this task was made by {name} version {version!r}, but version {declared.version} is installed; make it again")
    try:
        return declared.data.model_validate_json(data)
    except ValidationError as error:
        raise RowError(f"the data of this {name} task is damaged: {first_error_message(error)}") from None


def first_error_message(error: Exception) -> str:
    """The first problem of a validation error, in one line."""
    if isinstance(error, ValidationError):
        problem = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, problem['loc'])) or 'it'}: {problem['msg']}"
    return str(error)
