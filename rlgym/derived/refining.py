"""NAME:critique_refine: find what is wrong with a draft, and give the right answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.judge_prompts import shown
from rlgym.derived.written_solutions import RIGHT, WRONG, Solutions

SOUND = 0.1  # share of drafts that are right
LOCATED = 0.5  # share of the wrong drafts of which the first wrong step is named


def critique_refine(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The same task with a draft, mostly wrong; the score is that of the new answer. None where scoring runs programs or has many turns.

    Of some drafts the first wrong step is named, as in the local refinement of "GLoRe: When, Where, and How to Improve LLM Reasoning via Global
    and Local Refinements"; the others ask for a global one.
    """
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    replay, explain, solutions = declared.replay, declared.explain, declared.solutions
    data = base_task.data_class(declared, "Draft", draft=(str, ...), first_wrong=(int, 0))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        writer = Solutions.of(declared, base, any_length=True)
        verdict = RIGHT if rng.chance(SOUND) else WRONG
        draft = next(iter(writer.write(rng, verdict) or writer.write(rng, RIGHT)), "I do not know how to begin.")
        named = rng.chance(LOCATED)
        place = _first_wrong(writer, base, draft, replay) if named and verdict == WRONG else 0
        drafted = data(question=base.prompt, inner=base.data, draft=draft, first_wrong=place)
        return Task(draft_prompt(drafted), drafted)

    def mistakes(task: Task[Any], right: Any) -> Iterable[Any]:
        return declared.mistakes(base_task.unwrap(task), right)

    return replace(
        declared,
        generate=base_task.with_data_type(generate, data),
        solve=lambda task: declared.solve(base_task.unwrap(task)),
        verify=lambda task, answer: declared.verify(base_task.unwrap(task), answer),
        mistakes=mistakes,
        cost=lambda task: declared.cost(base_task.unwrap(task)),
        explain=(lambda task: explain(base_task.unwrap(task))) if explain else None,
        solutions=(lambda task: solutions(base_task.unwrap(task))) if solutions else None,
        guessable=declared.guessable or "one draft in ten is right",
        concept="Check each step of the draft against the task before you rely on it.",
        solution=None,
        replay=None,
        shift=None,
        statement=None,
        audit=None,
        picture=None,
        prompt_solver=None,
        shared_helpers=declared.shared_helpers or "the draft surrounds a task whose own declaration is checked",
    )


def _first_wrong(writer: Solutions, base: Task[Any], draft: str, replay: Any) -> int:
    """The number of the first wrong step of a draft, or 0 if none is known to be wrong."""
    lines = draft.split("\n")
    if not writer.steps or replay is None or len(lines) <= len(writer.steps):
        return 0
    steps = lines[: len(writer.steps)]
    at = replay(base, steps)
    # The replay of a beginning misses its end, which says nothing about the steps.
    return at + 1 if at is not None and at < len(steps) - 1 and steps[at] != writer.steps[at] else 0


def draft_prompt(drafted: Any) -> str:
    """The prompt from a question, a draft, and the line of its first wrong step, 0 if it is not named."""
    place = f" Its first wrong step is in line {drafted.first_wrong}." if drafted.first_wrong else ""
    return (
        f"{drafted.question}\n\n--- Draft of a solution ---\n{shown(drafted.draft)}\n--- End of the draft ---\n\n"
        f"The draft may be wrong.{place} Criticise it, then give your own answer to the task."
    )
