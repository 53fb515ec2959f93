"""Generates the tasks that requests ask for. All of this may be slow: call it in threads."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym.serve.protocol.encoding import JsonText, encode, encode_field, merge_objects
from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.protocol.requests import SampleRequest, TaskRequest

if TYPE_CHECKING:
    from rlgym import Env
    from rlgym.dataset.recipe import Slot

MAX_ATTEMPTS = 200

ToolsOf = Callable[[str], JsonText]
"""The encoded tool schemas of an environment, by its name."""


def start_env(request: TaskRequest) -> tuple[Env, str]:
    """An Env at the start of the task, and its first observation."""
    declared = rlgym.environment(request.name)
    declared.config.from_knobs(request.knobs)  # rejects unknown names, which `make` could take for one of its own arguments
    knobs: dict[str, Any] = dict(request.knobs)
    env = rlgym.make(request.name, level=request.level, answer_style=request.answer_style, split=request.split, **knobs)
    observation, _ = env.reset(seed=secrets.randbelow(2**31) if request.seed is None else request.seed)
    return env, observation


def origin_fields(env: Env, name: str, split: str) -> dict[str, Any]:
    """The origin of an Env's task, with the name and split that the client used."""
    origin = env.task.origin
    assert origin is not None
    fields = {"name": name, "version": origin.version, "seed": origin.seed, "level": origin.level}
    return {**fields, "knobs": dict(origin.knobs), "split": split}


def encode_task(request: TaskRequest, tools_of: ToolsOf) -> JsonText:
    """Generate a task, and encode it as a player sees it."""
    return _encode_task(request, *start_env(request), tools_of)


def _encode_task(request: TaskRequest, env: Env, observation: str, tools_of: ToolsOf) -> JsonText:
    svg = None
    if env.declared.picture is not None:
        env.render_mode = "svg"
        svg = env.render()
    origin = origin_fields(env, request.name, request.split)
    fields = encode({"task": origin, "prompt": env.task.prompt, "observation": observation, "svg": svg})
    return merge_objects(fields, encode_field("tools", tools_of(env.name)))


def plan_sample(request: SampleRequest) -> list[Slot]:
    """Plan the environment and level of each sampled task. This may import every environment, which alone takes seconds."""
    from rlgym.dataset.recipe import Recipe, plan

    names = [request.names] if isinstance(request.names, str) else request.names
    if request.split != "main":
        names = [f"{name}:{request.split}" for name in names]
    try:
        recipe = Recipe(names=names, count=request.count, levels=request.levels, seed=request.seed, answer_style=request.answer_style)
        return plan(recipe)
    except rlgym.RlgymError as error:  # only the names can still be wrong: the request model validated the rest
        raise ServiceError("not_found", str(error)) from None


def sample_tasks(request: SampleRequest, slots: list[Slot], tools_of: ToolsOf) -> Iterator[JsonText]:
    """Generate the encoded tasks of a sample: those of `rlgym.dataset.sample` with the same names, count, levels and seed."""
    seen: set[tuple[str, str]] = set()
    for slot in slots:
        name = slot.name if request.split == "main" else slot.name.rpartition(":")[0]
        for attempt in range(MAX_ATTEMPTS):
            seed = slot.seed(request.seed, attempt)
            task = TaskRequest(name=name, seed=seed, level=slot.level, split=request.split, answer_style=request.answer_style)
            env, observation = start_env(task)
            if (name, env.task.prompt) not in seen:
                break
        else:
            message = f"{slot.name} at level {slot.level:g} has too few distinct tasks for this count; ask for fewer"
            raise ServiceError("invalid_request", message)
        seen.add((name, env.task.prompt))
        yield _encode_task(task, env, observation, tools_of)


def take_batch(tasks: Iterator[JsonText], max_count: int, seconds: float) -> list[JsonText]:
    """The next tasks: up to `max_count`, as many as are generated in that time. An empty list means that none is left."""
    deadline, batch = time.monotonic() + seconds, list[JsonText]()
    for task in tasks:
        batch.append(task)
        if len(batch) == max_count or time.monotonic() > deadline:
            break
    return batch
