"""Proposals: how a model states a new task of an environment, and how the statement is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rlgym.core.answer import Answer
from rlgym.core.limits import Limits
from rlgym.core.task import Task


class Refused(Exception):
    """A proposal that states no task of the environment. The message says why."""


@dataclass(frozen=True)
class Proposals:
    """How tasks of an environment are proposed.

    answer  how a proposal is written
    rules   what a proposal must be, as sentences of the prompt that asks for one
    of      (task) -> the proposal that states a generated task
    state   (task, proposal) -> the Task that a proposal states, after the example of `task`; with `sandbox` it gets a Runner as third argument. It
            raises Refused for what is no task, or is none that can be solved where that can be decided
    sandbox the limits of programs that `state` runs; None where it runs none
    """

    answer: Answer[Any]
    rules: str
    of: Callable[[Task[Any]], Any]
    state: Callable[..., Task[Any]]
    sandbox: Limits | None = None
