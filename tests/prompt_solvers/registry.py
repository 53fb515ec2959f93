"""Where a second solver is declared, and how all of them are found."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

import prompt_solvers

Solve = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PromptSolver:
    """A function from the text of a prompt to the text of an answer, and the highest level that it solves in a few seconds."""

    name: str
    solve: Solve
    highest_level: float


SOLVERS: dict[str, PromptSolver] = {}


def prompt_solver(name: str, *, highest_level: float = 1.0) -> Callable[[Solve], Solve]:
    """Declares the solver of an environment; `highest_level` is below 1 where an exhaustive search is too slow above it."""

    def declare(solve: Solve) -> Solve:
        if name in SOLVERS:
            raise ValueError(f"{name} has two prompt solvers")
        SOLVERS[name] = PromptSolver(name, solve, highest_level)
        return solve

    return declare


def all_prompt_solvers() -> dict[str, PromptSolver]:
    """The solvers of all modules of this room, by the name of their environment."""
    for module in pkgutil.iter_modules(prompt_solvers.__path__):
        importlib.import_module(f"prompt_solvers.{module.name}")
    return dict(sorted(SOLVERS.items()))
