"""Draws the tasks that requests ask for. All of it may take long: call it in threads."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym.serve.errors import ServiceError
from rlgym.serve.reply import encode
from rlgym.serve.shapes import AskSample, AskTask

if TYPE_CHECKING:
    from rlgym import Env
    from rlgym.dataset.recipe import Slot

ATTEMPTS = 200


def opened(ask: AskTask) -> tuple[Env, str]:
    """An Env that stands at the beginning of the task, and its observation."""
    declared = rlgym.environment(ask.name)
    declared.config.of(ask.knobs)  # names nothing but knobs, so that none can pass for another argument of make
    knobs: dict[str, Any] = dict(ask.knobs)
    env = rlgym.make(ask.name, level=ask.level, answer_style=ask.answer_style, split=ask.split, **knobs)
    observation, _ = env.reset(seed=secrets.randbelow(2**31) if ask.seed is None else ask.seed)
    return env, observation


def origin(env: Env, name: str, split: str) -> dict[str, Any]:
    """Where the task of an Env comes from, in the words in which it was asked for."""
    found = env.task.origin
    assert found is not None
    facts = {"name": name, "version": found.version, "seed": found.seed, "level": found.level}
    return {**facts, "knobs": dict(found.knobs), "split": split}


def described(ask: AskTask, tools: Callable[[str], str]) -> str:
    """A task as a player sees it, as JSON; `tools` gives those of an environment, as JSON already."""
    return _described(ask, *opened(ask), tools)


def _described(ask: AskTask, env: Env, observation: str, tools: Callable[[str], str]) -> str:
    svg = None
    if env.declared.picture is not None:
        env.render_mode = "svg"
        svg = env.render()
    told = encode({"task": origin(env, ask.name, ask.split), "prompt": env.task.prompt, "observation": observation, "svg": svg})
    return f'{told[:-1]},"tools":{tools(env.name)}}}'


def planned(ask: AskSample) -> list[Slot]:
    """Where the tasks of a sample are to come from. It may import every environment: that alone takes seconds."""
    from rlgym.dataset.recipe import Recipe, plan

    names = [ask.names] if isinstance(ask.names, str) else ask.names
    if ask.split != "main":
        names = [f"{name}:{ask.split}" for name in names]
    try:
        recipe = Recipe(names=names, count=ask.count, levels=ask.levels, seed=ask.seed, answer_style=ask.answer_style)
        return plan(recipe)
    except rlgym.RlgymError as error:  # all but the names has been looked at before
        raise ServiceError("unknown", str(error)) from None


def sampled(ask: AskSample, slots: list[Slot], tools: Callable[[str], str]) -> Iterator[str]:
    """The tasks of a sample, described: those of `rlgym.dataset.sample` with these names, count, levels and seed."""
    seen: set[tuple[str, str]] = set()
    for slot in slots:
        name = slot.name if ask.split == "main" else slot.name.rpartition(":")[0]
        for attempt in range(ATTEMPTS):
            seed = slot.seed(ask.seed, attempt)
            one = AskTask(name=name, seed=seed, level=slot.level, split=ask.split, answer_style=ask.answer_style)
            env, observation = opened(one)
            if (name, env.task.prompt) not in seen:
                break
        else:
            raise ServiceError("invalid", f"{slot.name} at level {slot.level:g} has too few different tasks for this many: ask for fewer")
        seen.add((name, env.task.prompt))
        yield _described(one, env, observation, tools)


def some(tasks: Iterator[str], most: int, seconds: float) -> list[str]:
    """The next tasks: as many as are made in that time, up to `most`. None when there are no more."""
    until, made = time.monotonic() + seconds, []
    for text in tasks:
        made.append(text)
        if len(made) == most or time.monotonic() > until:
            break
    return made
