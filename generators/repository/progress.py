"""How far the work on a repository is: the milestones of its worlds, and the parts of their scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlgym.core.score import Score
from rlgym.generators.repository import world
from rlgym.generators.repository.world import Judge, Repository
from rlgym.sandbox.interface import Runner


def is_changed(state: Repository, path: str) -> bool:
    """Whether a file has another text than at the start, or is new."""
    return path in state.replaced and state.replaced[path] != state.files.get(path)


def files_changed(state: Repository) -> float:
    """The share of the files to change that were changed, less where others were changed too; tests and documents count in no way."""
    code = [path for path in state.files if path.endswith(".py") and not path.startswith("tests/")]
    changed = {path for path in code if is_changed(state, path)}
    wanted = {path for path in state.solution if path.endswith(".py") and not path.startswith("tests/")}
    return len(changed & wanted) / len(changed | wanted) if wanted else 0.0


def tests_pass(state: Repository) -> float:
    """The share of the repository's tests that passed in the last run, where the code was changed and the tests are what they were."""
    code = any(is_changed(state, path) for path in state.files if not path.startswith("tests/"))
    return state.passing if code and not any(is_changed(state, path) for path in state.replaced if path.startswith("tests/")) else 0.0


def of_repair(state: Repository) -> dict[str, float]:
    """The milestones of a change: the input of the issue was run, where there is one; the right files were changed; the tests pass."""
    reproduced = {"reproduced": float(state.reproduced)} if state.reported else {}
    return {**reproduced, "files_changed": files_changed(state), "tests_pass": tests_pass(state)}


def with_parts(judge: Judge, milestones: Callable[[Any], dict[str, float]]) -> Judge:
    """A judge whose scores have the milestones as parts, next to their own."""

    def judged(state: Repository, runner: Runner) -> Score:
        score = judge(state, runner)
        return Score(score.value, score.outcome, score.reason, {**milestones(state), **score.parts})

    return judged


def make_act(judge: Judge) -> Callable[..., Any]:
    """`act` of a change that is judged at the end."""
    return world.make_act(with_parts(judge, of_repair))
