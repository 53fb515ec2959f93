"""The policy's own solutions as tasks: is this solution right?"""

from __future__ import annotations

from typing import Any, get_args

from rlgym.core.declare import Environment
from rlgym.core.task import Origin, Task
from rlgym.derived.judge_prompts import shown
from rlgym.derived.judge_words import ENGLISH, ONE_GRADED_BY
from rlgym.derived.table import DERIVED
from rlgym.episode.play import EpisodeState, start_episode
from rlgym.registry import environment

KIND = "grade_solution"
PROMPT = """Here is a task, with a solution.

--- Task ---
{question}
--- Solution ---
{solution}
--- End ---

{asked}"""


def can_be_graded(name: str) -> bool:
    """Whether solutions to tasks of this environment can be graded: tasks of one turn, scored without running programs."""
    return ":" not in name and DERIVED[KIND](environment(name)) is not None


def grading_start(base: Task[Any], solution: str) -> EpisodeState:
    """The first state of an episode of NAME:grade_solution that shows this solution to a task, and no other."""
    origin = base.origin
    assert origin is not None, "a task that was sampled knows its environment"
    name = f"{origin.name}:{KIND}"
    derived = environment(name)
    assert isinstance(derived, Environment)
    [part, _] = get_args(derived.data.model_fields["parts"].annotation)
    parts = (part(question=base.prompt, inner=base.data, solutions=(solution,)),)
    data = derived.data(parts=parts)  # type: ignore[call-arg]
    prompt = PROMPT.format(question=base.prompt, solution=shown(solution, ENGLISH), asked=ONE_GRADED_BY)
    task = Task(prompt, data, Origin(name, derived.version, origin.seed, {}, origin.level))
    return start_episode(derived, task, "tag")
