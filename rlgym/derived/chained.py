"""NAME:chained: a chain of tasks, each with a number that follows from the answer to the task before; only the last answer counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment
from rlgym.core.errors import DeclarationError
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.masking import mask, maskable_number

REDRAWS = 30
MODULUS = 997
LARGEST = 10_000  # larger answers are reduced by the modulus


def chained(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The derived environment; None where the declaration does not say that its tasks can be chained."""
    if not isinstance(declared, Environment) or not declared.chains:
        return None
    config = base_task.extended_config(
        declared, "Chained", chain_length=(int, knob(3, easy=2, hard=6, doc="tasks, each of which needs the answer to the one before"))
    )
    part = base_task.data_class(declared, "Link", shown=(str, ...))
    data = base_task.task_list_class(part, "Chained")
    explain = declared.explain

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        first = declared.generate(rng.child("task", 0), knobs)
        parts = [part(question=first.prompt, inner=first.data, shown=first.prompt)]
        while len(parts) < knobs.chain_length:
            parts.append(_next(rng.child("task", len(parts)), knobs, len(parts), base_task.unwrap_state(parts[-1])))
        return Task(_prompt([each.shown for each in parts]), data(parts=tuple(parts)))

    def _next(rng: Rng, knobs: Any, place: int, before: Task[Any]) -> Any:
        """A task with a number replaced by a symbol, which is defined by the answer to the task before."""
        value, what = _link(declared.solve(before), place)
        for draw in range(REDRAWS):
            base = declared.generate(rng.child(draw), knobs)
            if number := maskable_number(declared, base, rng):
                symbol, masked = mask(base.prompt, number, str(place + 1))
                shift = int(number[0]) - value
                signed = f"({what}) {'-' if shift < 0 else '+'} {abs(shift)}" if shift else what
                return part(question=base.prompt, inner=base.data, shown=f"In this task, {symbol} = {signed}.\n\n{masked}")
        raise DeclarationError(f"none of {REDRAWS} tasks has a number on which its answer depends: set chains=False in the declaration")

    def last(task: Task[Any]) -> Task[Any]:
        return base_task.unwrap_all(task)[-1]

    def verify(task: Task[Any], answer: Any) -> Score:
        return declared.verify(last(task), answer)

    def mistakes(task: Task[Any], right: Any) -> Iterator[Any]:
        yield from (wrong for wrong in declared.mistakes(last(task), right) if wrong != right)
        yield from (
            wrong for base in base_task.unwrap_all(task)[:-1] if declared.verify(last(task), wrong := declared.solve(base)).value < 1.0
        )

    def explained(task: Task[Any]) -> list[str]:
        assert explain is not None
        return [f"Task {number}: {step}" for number, base in enumerate(base_task.unwrap_all(task), 1) for step in explain(base)]

    return Environment(
        config,
        declared.answer,
        base_task.with_data_type(generate, data),
        lambda task: declared.solve(last(task)),
        verify,
        mistakes,
        lambda task: sum(declared.cost(base) for base in base_task.unwrap_all(task)),
        explained if explain else None,
        planted=declared.planted,
        partial=declared.partial,
        guessable=declared.guessable,
        concept=declared.concept,
        needs=declared.needs,
        shared_helpers=declared.shared_helpers,
        long_numbers=declared.long_numbers,
        tasks_inside=lambda task: len(task.data.parts),
        version=declared.version,
    )


def _link(answer: Any, place: int) -> tuple[int, str]:
    """The number that an answer passes on, and its description."""
    what = f"the answer to task {place}"
    if isinstance(answer, Sequence):
        answer, what = sum(answer), f"the sum of the numbers in {what}"
    if abs(answer) <= LARGEST:
        return answer, what
    size = what if answer > 0 else f"the absolute value of {what}"
    return abs(answer) % MODULUS, f"the remainder when {size} is divided by {MODULUS}"


def _prompt(shown: Sequence[str]) -> str:
    listed = "\n\n".join(f"=== Task {number} ===\n{text}" for number, text in enumerate(shown, 1))
    return (
        f"Here is a chain of {len(shown)} tasks. In each task after the first, one number is replaced by a symbol, whose value follows from the answer "
        f"to the task before. Apart from that the tasks have nothing to do with one another.\n\n{listed}\n\n=== End of the tasks ===\n\n"
        f"Give the answer to task {len(shown)} alone."
    )
