"""The steps of a recorded response, and the first of them that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlgym.core.declare import Environment
from rlgym.core.task import Task
from rlgym.solutions.response import find_steps


@dataclass(frozen=True, slots=True)
class JudgedSteps:
    """Steps of a response.

    whole  whether they reach the end of the solution
    wrong  the number of the first wrong step; 0 if none is wrong
    """

    steps: tuple[str, ...]
    whole: bool
    wrong: int


def judged_steps(declared: Environment[Any, Any, Any], base: Task[Any], response: str) -> JudgedSteps | None:
    """The steps that are recognised in a response; None for fewer than two, or where the step checker and the replay disagree."""
    found = find_steps(declared, base, response)
    steps = tuple(" ".join(step.text.split()) for step in found)
    if len(steps) < 2 or "<answer>" in "".join(steps) or declared.replay is None:
        return None
    first = next((at for at, step in enumerate(found) if step.verdict == "wrong"), None)
    replayed = declared.replay(base, steps)
    # The replay blames the last of right steps that stop before the end.
    stops = first is None and replayed == len(steps) - 1
    if not stops and replayed != first:
        return None
    return JudgedSteps(steps, not stops, 0 if first is None else first + 1)
