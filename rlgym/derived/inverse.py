"""NAME:inverse: the answer to a task is given, and a number of the task is to be found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rlgym.answers import Integer
from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment
from rlgym.core.errors import DeclarationError
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.masking import mask, maskable_number, replace_number, solve_with

REDRAWS = 200
LEAST_SHARE = 0.6  # of the numbers of the range are determined by their answers
LARGEST_NUMBER = 400  # that is replaced: of a larger one the range would give away the first digits
LONGEST_ANSWER = 600  # characters of the answer that is shown
MISTAKES = 4


def inverse(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The derived environment; None where the declaration does not say that its tasks can be inverted."""
    if not isinstance(declared, Environment) or not declared.inverts:
        return None
    config = base_task.extended_config(
        declared, "Inverse", candidate_count=(int, knob(40, easy=25, hard=150, doc="numbers among which the replaced one is"))
    )
    data = base_task.data_class(declared, "Masked", symbol=(str, ...), low=(int, ...), high=(int, ...), number=(int, ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        for draw in range(REDRAWS):
            base = declared.generate(rng.child(draw), knobs)
            if (number := maskable_number(declared, base, rng)) and (task := _inverted(rng, knobs, base, number)):
                return task
        raise DeclarationError(f"none of {REDRAWS} tasks has a number that its answer determines: set inverts=False in the declaration")

    def _inverted(rng: Rng, knobs: Any, base: Task[Any], number: re.Match[str]) -> Task[Any] | None:
        """The task with a number from a range in this place; None where too few numbers of the range are determined by their answers."""
        value, count = int(number[0]), knobs.candidate_count
        if value > LARGEST_NUMBER:
            return None
        low = max(2, value - rng.integer(0, count - 1))
        numbers_of: dict[str, list[int]] = {}
        for other in range(low, low + count):
            if (answer := solve_with(declared, base, number, other)) is not None:
                numbers_of.setdefault(declared.answer.render(answer), []).append(other)
        in_prompt = set(re.findall(r"[0-9]+", base.prompt))
        determined = [
            (text, numbers[0])
            for text, numbers in numbers_of.items()
            if len(numbers) == 1 and str(numbers[0]) not in in_prompt and len(text) <= LONGEST_ANSWER
        ]
        if len(determined) < LEAST_SHARE * count:
            return None
        shown, hidden = rng.choice(sorted(determined))
        replaced, (symbol, masked) = replace_number(base, number, hidden), mask(base.prompt, number)
        high = low + count - 1
        state = data(question=replaced.prompt, inner=replaced.data, symbol=symbol, low=low, high=high, number=hidden)
        return Task(_prompt(symbol, masked, low, high, shown), state)

    def solve(task: Task[Any]) -> int:
        """Tries the numbers in turn."""
        base, state = base_task.unwrap(task), task.data
        number, answer = _place(base.prompt, state.number), declared.solve(base)
        return next(
            other
            for other in range(state.low, state.high + 1)
            if other == state.number or solve_with(declared, base, number, other) == answer
        )

    def verify(task: Task[Any], answer: int) -> Score:
        if not task.data.low <= answer <= task.data.high:
            return Score.wrong(f"{task.data.symbol} lies between {task.data.low} and {task.data.high}")
        return Score.exact(answer == task.data.number, f"with {task.data.symbol} = {answer} the task has another answer")

    def mistakes(task: Task[Any], right: int) -> Iterator[int]:
        wrong = [right + 1, right - 1, task.data.low, task.data.high, (task.data.low + task.data.high) // 2]
        yield from [each for each in dict.fromkeys(wrong) if each != task.data.number][:MISTAKES]

    def explain(task: Task[Any]) -> list[str]:
        """The numbers that are tried in turn, up to the first that gives the answer."""
        base, state = base_task.unwrap(task), task.data
        number = _place(base.prompt, state.number)
        steps = []
        for other in range(state.low, state.number + 1):
            found = solve_with(declared, base, number, other)
            steps.append(
                f"With {state.symbol} = {other} "
                + ("there is no such task" if found is None else f"the answer is {declared.answer.render(found)}")
            )
        return [*steps, f"This is the given answer, so {state.symbol} = {state.number}"]

    return Environment(
        config,
        Integer("the number alone, in decimal digits"),
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(base_task.unwrap(task)) * (task.data.high - task.data.low + 1).bit_length(),
        explain,
        concept=declared.concept,
        needs=declared.needs,
        shared_helpers="the answer for each number comes from the oracle of the environment, which its own laws check",
        version=declared.version,
    )


def _place(prompt: str, number: int) -> re.Match[str]:
    match = re.search(rf"(?<![0-9]){number}(?![0-9])", prompt)
    assert match is not None, "the number stands in the task from which it was taken"
    return match


def _prompt(symbol: str, masked: str, low: int, high: int, answer: str) -> str:
    return (
        f"In the task below, one number is replaced by {symbol}, a whole number from {low} to {high}. The answer to the task is given, and exactly "
        f"one number from {low} to {high} leads to it.\n\n"
        f"=== The task ===\n{masked}\n\n=== Its answer ===\n{answer}\n\n=== End of the task ===\n\nWhich number is {symbol}?"
    )
