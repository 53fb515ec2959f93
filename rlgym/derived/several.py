"""NAME:several: independent tasks in one prompt, all of which must be solved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.sections import Sections

MOST_CHARACTERS = 60_000  # of the prompt; no task is added to a longer one
REDRAWS = 8  # for a task that differs from those before it
MISTAKES_PER_TASK = 3


def several(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The derived environment; None for environments of many turns and those whose answers have marks of their own."""
    if not isinstance(declared, Environment):
        return None
    config = base_task.extended_config(
        declared, "Several", task_count=(int, knob(3, easy=2, hard=8, doc="independent tasks in one prompt, all of which must be solved"))
    )
    part = base_task.data_class(declared, "Part")
    data = base_task.task_list_class(part, "Several")
    solutions, explain = declared.solutions, declared.explain

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        parts: list[Any] = []
        while len(parts) < knobs.task_count and (len(parts) < 2 or sum(len(each.question) for each in parts) < MOST_CHARACTERS):
            parts.append(_another_task(rng.child("task", len(parts)), knobs, parts))
        return Task(_prompt([each.question for each in parts]), data(parts=tuple(parts)))

    def _another_task(rng: Rng, knobs: Any, parts: list[Any]) -> Any:
        """A task that differs from those before it, where one is found."""
        for draw in range(REDRAWS):
            base = declared.generate(rng.child(draw), knobs)
            if all(base.prompt != other.question for other in parts):
                break
        return part(question=base.prompt, inner=base.data)

    def solve(task: Task[Any]) -> tuple[Any, ...]:
        return tuple((declared.solve(base),) for base in base_task.unwrap_all(task))

    def verify(task: Task[Any], answer: tuple[tuple[Any, ...], ...], *runner: Any) -> Score:
        bases = base_task.unwrap_all(task)
        if len(answer) != len(bases):
            return Score.wrong(f"the answer has {len(answer)} sections for {len(bases)} tasks")
        scores = [base_task.best_score(declared, base, readings, runner) for base, readings in zip(bases, answer, strict=True)]
        if failed := next((score for score in scores if score.masked), None):
            return failed
        wrong = [number for number, score in enumerate(scores, 1) if score.value < 1.0]
        reason = f"of {len(bases)} tasks, {len(bases) - len(wrong)} are solved"
        return Score.exact(not wrong, reason, **{f"task_{number}": score.value for number, score in enumerate(scores, 1)})

    def mistakes(task: Task[Any], right: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        for place, base in enumerate(base_task.unwrap_all(task)):
            own = right[place][0]
            for wrong in islice((each for each in declared.mistakes(base, own) if each != own), MISTAKES_PER_TASK):
                yield (*right[:place], (wrong,), *right[place + 1 :])

    def all_solutions(task: Task[Any]) -> Iterator[tuple[Any, ...]]:
        assert solutions is not None
        found = [[(each,) for each in islice(solutions(base), 2)] for base in base_task.unwrap_all(task)]
        return product(*found)

    def explained(task: Task[Any]) -> list[str]:
        assert explain is not None
        bases = base_task.unwrap_all(task)
        steps = [f"Task {number}: {step}" for number, base in enumerate(bases, 1) for step in explain(base)]
        return [*steps, f"So the answers are\n{form.render(solve(task))}"]

    form = Sections(declared.answer)
    return Environment(
        config,
        form,
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: sum(declared.cost(base) for base in base_task.unwrap_all(task)),
        explained if explain else None,
        answers=declared.answers if solutions else "computed",
        solutions=all_solutions if solutions else None,
        planted=declared.planted,
        guessable=declared.guessable and f"{declared.guessable}; all tasks must be guessed",
        concept=declared.concept,
        sandbox=declared.sandbox,
        needs=declared.needs,
        shared_helpers=declared.shared_helpers,
        tasks_inside=lambda task: len(task.data.parts),
        version=declared.version,
    )


def _prompt(questions: list[str]) -> str:
    listed = "\n\n".join(f"=== Task {number} ===\n{question}" for number, question in enumerate(questions, 1))
    return (
        f"Here are {len(questions)} tasks. They are independent of one another: names, numbers and rules of one task mean nothing in another. "
        f"Solve all of them; your response counts only if every answer in it is right.\n\n{listed}\n\n=== End of the tasks ==="
    )
