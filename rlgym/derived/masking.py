"""A number of a prompt on which the answer depends, and the task with another number in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rlgym.core.declare import Environment
from rlgym.core.rng import Rng
from rlgym.core.task import Task

LEAST_NUMBER, PREFERRED = 3, 10  # a small number is easily guessed, so that larger ones are preferred
OTHERS = (1, -1, 2, -2, 7, 10)  # added to a number to see whether the answer depends on it
LEAST_SOLVED = 4  # of the tasks with another number
CANDIDATES = 4  # numbers of a task that are tried
_NUMBER = re.compile(r"(?<![\w.,/:^'\"-])[1-9][0-9]{0,14}(?![\w/:^'\"%-]|[.,][0-9])")
_LABEL = re.compile(r"[\[(]?[0-9]+[.)\]:]")


def maskable_number(declared: Environment[Any, Any, Any], base: Task[Any], rng: Rng) -> re.Match[str] | None:
    """A number that the prompt holds once, and on which the answer depends whatever the number is; None where none is found."""
    texts = re.findall(r"[0-9]+", base.prompt)
    once = [match for match in _NUMBER.finditer(base.prompt) if int(match[0]) >= LEAST_NUMBER and texts.count(match[0]) == 1]
    inside = [match for match in once if not _LABEL.match(base.prompt, base.prompt.rfind("\n", 0, match.start()) + 1, match.end() + 2)]
    if not inside:
        return None
    right = declared.solve(base)

    def is_worse(match: re.Match[str]) -> tuple[bool, bool]:
        """Whether another number says what it is, as in "modulo 17, from 0 to 16", and whether it is small."""
        number = int(match[0])
        return bool({str(number - 1), str(number + 1)} & set(texts)), number < PREFERRED

    in_order = sorted(rng.shuffled(inside), key=is_worse)
    return next((match for match in in_order[:CANDIDATES] if _decides(declared, base, match, right)), None)


def _decides(declared: Environment[Any, Any, Any], base: Task[Any], number: re.Match[str], right: Any) -> bool:
    """Whether the task with another number in this place has another answer."""
    value = int(number[0])
    if len(list(_paths(base.data.model_dump(), value))) != 1:
        return False
    solved = 0
    for other in (value + step for step in OTHERS if value + step > 1):
        answer = solve_with(declared, base, number, other)
        if answer == right:
            return False
        solved += answer is not None
    return solved >= LEAST_SOLVED


def mask(prompt: str, number: re.Match[str], place: str = "") -> tuple[str, str]:
    """A symbol that the prompt does not hold, such as K{place}, and the prompt with it instead of the number."""
    symbol = next(symbol for symbol in (f"K{place}", f"Z{place}", f"[K{place}]") if symbol not in prompt)
    return symbol, prompt[: number.start()] + symbol + prompt[number.end() :]


def replace_number(base: Task[Any], number: re.Match[str], other: int) -> Task[Any]:
    """The task with another number in this place of its prompt and in its data. pydantic's ValidationError where its data cannot hold it."""
    prompt = base.prompt[: number.start()] + str(other) + base.prompt[number.end() :]
    return Task(prompt, type(base.data).model_validate(_replace_value(base.data.model_dump(), int(number[0]), other)))


def solve_with(declared: Environment[Any, Any, Any], base: Task[Any], number: re.Match[str], other: int) -> Any:
    """The answer to the task with another number in this place; None where that is no task."""
    try:
        return declared.solve(replace_number(base, number, other))
    except Exception:  # a solver may raise anything where the other number makes no task
        return None


def _paths(data: Any, value: int) -> Iterator[str]:
    """Each place of a number in nested data."""
    if isinstance(data, dict):
        for inner in data.values():
            yield from _paths(inner, value)
    elif isinstance(data, list | tuple):
        for inner in data:
            yield from _paths(inner, value)
    elif isinstance(data, int) and not isinstance(data, bool):
        if abs(data) == value:
            yield "number"
    elif isinstance(data, str):
        yield from ("text" for match in re.finditer(r"[0-9]+", data) if match[0] == str(value))


def _replace_value(data: Any, value: int, other: int) -> Any:
    """Nested data with another number in place of each `value`."""
    if isinstance(data, dict):
        return {name: _replace_value(inner, value, other) for name, inner in data.items()}
    if isinstance(data, list | tuple):
        return tuple(_replace_value(inner, value, other) for inner in data)
    if isinstance(data, int) and not isinstance(data, bool):
        return data if abs(data) != value else other if data > 0 else -other
    if isinstance(data, str):
        return re.sub(r"[0-9]+", lambda match: str(other) if match[0] == str(value) else match[0], data)
    return data
