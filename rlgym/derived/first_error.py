"""NAME:first_error: find the first wrong step of a worked solution, or say that there is none."""

from __future__ import annotations

from itertools import islice
from typing import Any

from rlgym.answers import Step
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.solutions.corrupted_steps import corrupted

SOUND = 0.12  # share of solutions without a wrong step
MOST_STEPS, MOST_CHARACTERS = 60, 12_000  # of the beginning that is shown
SLIPS = 12  # tried for one that makes its step wrong


def first_error(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The derived environment; None where steps are not explained and replayed."""
    if not isinstance(declared, Environment) or declared.explain is None or declared.replay is None:
        return None
    explain, replay = declared.explain, declared.replay
    data = base_task.data_class(declared, "Steps", steps=(tuple[str, ...], ...), whole=(bool, ...), wrong=(int, ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        steps = explain(base)
        shown = base_task.beginning(steps, MOST_STEPS, MOST_CHARACTERS)
        wrong = 0
        if not rng.chance(SOUND):
            for at, changed in islice(corrupted(rng, steps[:shown]), SLIPS):
                if replay(base, [*changed, *steps[shown:]]) == at:
                    steps, wrong = changed, at + 1
                    break
        task_data = data(question=base.prompt, inner=base.data, steps=tuple(steps[:shown]), whole=shown == len(steps), wrong=wrong)
        return Task(step_prompt(task_data), task_data)

    def solve(task: Task[Any]) -> int:
        return base_task.first_wrong(replay, base_task.unwrap(task), task.data)

    def verify(task: Task[Any], answer: int) -> Score:
        return Score.exact(answer == task.data.wrong, "this is not the first wrong step")

    def mistakes(task: Task[Any], right: int) -> list[int]:
        last = len(task.data.steps)
        return [step for step in (0, right + 1, right - 1, last, 1) if 0 <= step <= last and step != right]

    def explained(task: Task[Any]) -> list[str]:
        wrong = task.data.wrong
        checked = [f"Step {at} follows." for at in range(1, wrong or len(task.data.steps) + 1)]
        return [*checked, f"Step {wrong} does not follow, so the answer is {wrong}" if wrong else "No step is wrong, so the answer is none"]

    return Environment(
        declared.config,
        Step(),
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(base_task.unwrap(task)) + len(task.data.steps),
        explained,
        guessable="a solution of n steps has only n + 1 answers",
        concept="Check each step against the task and against the steps before it, and stop at the first that does not follow.",
        version=declared.version,
    )


def step_prompt(data: Any, sampled: bool = False) -> str:
    """The prompt of a solution in steps. Of a sampled one, more than one step may be wrong."""
    listed = "\n".join(f"Step {number}: {step}" for number, step in enumerate(data.steps, 1))
    what = "a solution" if data.whole else "the beginning of a solution"
    many = "in which steps may be wrong" if sampled else "in which at most one step is wrong"
    return (
        f"Here is a task, and {what} of it by somebody else, {many}.\n\n--- Task ---\n{data.question}\n\n"
        f"--- Solution ---\n{listed}\n--- End ---\n\nA step is wrong if anything that it states is false or does not follow from the task and the steps "
        "before it. Which step is the first wrong one? Do not solve the task itself for the answer."
    )
