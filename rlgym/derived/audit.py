"""NAME:audit: worked solutions of several tasks, some with a wrong step; name every wrong solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from rlgym.answers import Letters
from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.solutions.corrupted_steps import corrupted

LETTERS = "ABCDEFGH"
MOST_STEPS, MOST_CHARACTERS = 40, 5_000  # of the beginning of each solution that is shown
SLIPS = 12  # tried for one that makes its step wrong
QUESTION = "Which solutions are wrong?"
REDRAWS = 4  # tasks tried for one whose solution can be made wrong


@dataclass(frozen=True)
class WrongSolutions(Letters):
    """The letters of the wrong solutions, or the word none."""

    options: str = LETTERS
    instructions: str = "the letters of all wrong solutions, separated by spaces, or the word none if no solution is wrong"
    format: ClassVar[str] = "letters"


def audit(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The derived environment; None where steps are not explained and replayed."""
    if not isinstance(declared, Environment) or declared.explain is None or declared.replay is None:
        return None
    explain, replay = declared.explain, declared.replay
    config = base_task.extended_config(
        declared, "Audit", solution_count=(int, knob(6, easy=4, hard=8, doc="worked solutions, of which any number may be wrong"))
    )
    part = base_task.data_class(declared, "Solution", steps=(tuple[str, ...], ...), whole=(bool, ...), wrong=(int, ...))
    data = base_task.task_list_class(part, "Audit")

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        parts: list[Any] = []
        for place in range(knobs.solution_count):
            parts.append(_solution(rng.child("solution", place), knobs, [each.question for each in parts]))
        return Task(_prompt(parts), data(parts=tuple(parts)))

    def _solution(rng: Rng, knobs: Any, earlier: Sequence[str]) -> Any:
        """A task and a solution of it, with a wrong step in half of the cases."""
        is_wrong, found = rng.chance(0.5), None
        for draw in range(REDRAWS):
            base = declared.generate(rng.child(draw), knobs)
            if base.prompt in earlier and draw < REDRAWS - 1:
                continue
            steps = explain(base)
            shown = base_task.beginning(steps, MOST_STEPS, MOST_CHARACTERS)
            found = part(question=base.prompt, inner=base.data, steps=tuple(steps[:shown]), whole=shown == len(steps), wrong=0)
            if not is_wrong:
                return found
            for at, changed in islice(corrupted(rng, steps[:shown]), SLIPS):
                # A step that stands elsewhere in the solution is out of place, but what it says may be true.
                if changed[at] not in steps and replay(base, [*changed, *steps[shown:]]) == at:
                    return found.model_copy(update={"steps": tuple(changed[:shown]), "wrong": at + 1})
        return found

    def solve(task: Task[Any]) -> tuple[str, ...]:
        wrong = [base_task.first_wrong(replay, base, part) for base, part in zip(base_task.unwrap_all(task), task.data.parts, strict=True)]
        return tuple(letter for letter, at in zip(LETTERS, wrong) if at)

    def verify(task: Task[Any], answer: tuple[str, ...]) -> Score:
        return Score.exact(answer == _wrong_letters(task), "some solution is judged wrongly")

    def mistakes(task: Task[Any], right: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        letters = tuple(LETTERS[: len(task.data.parts)])
        yield from (letters, tuple(letter for letter in letters if letter not in right), ())
        yield from (tuple(letter for letter in letters if (letter in right) != (letter == other)) for other in letters)

    def explained(task: Task[Any]) -> list[str]:
        verdicts = [
            f"Solution {letter}: step {part.wrong} does not follow." if part.wrong else f"Solution {letter}: every step follows."
            for letter, part in zip(LETTERS, task.data.parts)
        ]
        return [*verdicts, f"So the wrong solutions are {' '.join(_wrong_letters(task)) or 'none'}"]

    return Environment(
        config,
        WrongSolutions(),
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: sum(declared.cost(base) for base in base_task.unwrap_all(task)) + sum(len(part.steps) for part in task.data.parts),
        explained,
        concept="Check each step of each solution against its task and against the steps before it.",
        tasks_inside=lambda task: len(task.data.parts),
        version=declared.version,
    )


def _wrong_letters(task: Task[Any]) -> tuple[str, ...]:
    return tuple(letter for letter, part in zip(LETTERS, task.data.parts) if part.wrong)


def _prompt(parts: Sequence[Any]) -> str:
    cut = not all(part.whole for part in parts)
    listed = "\n\n".join(_section(letter, part) for letter, part in zip(LETTERS, parts))
    beginnings = " Of a long solution only the beginning is shown; judge what is shown." if cut else ""
    return (
        f"Here are {len(parts)} tasks, each with a solution by somebody else. Each solution is right or wrong, whatever the others are: any number of "
        "them may be wrong, also none or all. A solution is wrong if one of its steps is: if anything that the step states is false or does not "
        f"follow from the task and the steps before it.{beginnings}\n\n{listed}\n\n=== End ===\n\n{QUESTION}"
    )


def _section(letter: str, part: Any) -> str:
    steps = "\n".join(f"Step {number}: {step}" for number, step in enumerate(part.steps, 1))
    what = f"Solution {letter}" if part.whole else f"Beginning of solution {letter}"
    return f"=== Task {letter} ===\n{part.question}\n--- {what} ---\n{steps}"
