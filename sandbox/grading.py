"""Grades a program against hidden cases. What is expected never leaves this process; the program only ever sees inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.core import syntax
from rlgym.core.score import Outcome, Score
from rlgym.sandbox import Limits, Raised, Returned, Runner, RunResult, Stop

Case = tuple[tuple[Any, ...], Any]  # the arguments of one call, and the value expected


@dataclass(frozen=True, slots=True)
class Grade:
    """Which cases passed, in order, and in words why the first one did not; nothing expected is told."""

    passed: tuple[bool, ...]
    stopped_by: Stop
    reason: str

    @property
    def right(self) -> bool:
        return all(self.passed)


def grade(
    runner: Runner,
    program: str,
    cases: Sequence[Case],
    *,
    entry: str = "solve",
    limits: Limits | None = None,
    same: Callable[[Any, Any], bool] | None = None,
    language: str = "python",
) -> Grade:
    """Call the program's function with each case's arguments and compare what comes back, as plain data, out here.

    A case that was not answered has failed, whatever else was printed or returned. `same(given, expected)` is
    `same_value` unless given.
    """
    result = runner.run(program, [arguments for arguments, _ in cases], limits, entry=entry, language=language)
    compare = same or (same_value if language == "python" else same_json)
    answers = list(result.value) + [None] * (len(cases) - len(result.value))
    passed = tuple(
        isinstance(answer, Returned) and compare(answer.value, expected) for answer, (_, expected) in zip(answers, cases, strict=True)
    )
    return Grade(passed, result.stopped_by, "" if all(passed) else _printable(_reason(result, answers, passed)))


def judged(
    runner: Runner,
    program: str,
    tests: Sequence[tuple[str, str]],
    *,
    entry: str = "solve",
    shown: int = 0,
    limits: Limits | None = None,
    same: Callable[[Any, Any], bool] | None = None,
    language: str = "python",
) -> Score:
    """The score of a program on tests written as Python literals: a tuple of arguments, and the value expected.

    All or nothing, with one part per test. Of the first `shown` tests, which the prompt shows, the reason tells the input
    that failed; of hidden ones only what happened.
    """
    graded = grade(runner, program, [case(test) for test in tests], entry=entry, limits=limits, same=same, language=language)
    parts = {f"test_{i + 1}": float(passed) for i, passed in enumerate(graded.passed)}
    if graded.right:
        return Score(1.0, Outcome.RIGHT, "", parts)
    first = graded.passed.index(False)
    told = f" (it was called with {tests[first][0][:200]})" if first < shown else ""
    outcome = Outcome.TIMED_OUT if graded.stopped_by is Stop.TIME else Outcome.WRONG
    return Score(0.0, outcome, graded.reason + told, parts)


def case(test: tuple[str, str]) -> Case:
    """A test as values; it is our own text."""
    arguments, expected = syntax.literal(test[0]), syntax.literal(test[1])
    return arguments, expected


def same_value(given: Any, expected: Any) -> bool:
    """Equal and of one type all the way down: True is not 1, a list no tuple. Floats may differ by a billionth."""
    if isinstance(expected, float) and isinstance(given, float):
        return given == expected or math.isclose(given, expected, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(expected, set | frozenset):
        return isinstance(given, frozenset) and _typed(given) == _typed(expected)
    if type(given) is not type(expected):
        return False
    if isinstance(expected, list | tuple):
        return len(given) == len(expected) and all(map(same_value, given, expected))
    if isinstance(expected, dict):
        # Keys are plain values: equal ones of another type would hide each other.
        return _typed(given) == _typed(expected) and all(same_value(given[key], value) for key, value in expected.items())
    return bool(given == expected)


def same_json(given: Any, expected: Any) -> bool:
    """Equal as JSON has it: whole floats are integers, and tuples lists."""
    return same_value(_as_json(given), _as_json(expected))


def _as_json(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    return value


def _typed(items: Any) -> set[tuple[str, Any]]:
    return {(type(item).__name__, item) for item in items}


def _printable(text: str) -> str:
    """Without what could move a terminal's cursor or pass for another line."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _reason(result: RunResult, answers: list[Any], passed: tuple[bool, ...]) -> str:
    first = passed.index(False)
    answer = answers[first]
    where = f"test {first + 1} of {len(passed)}"
    if isinstance(answer, Raised):
        return f"{where} raises {answer.name}: {answer.reason}"
    if isinstance(answer, Returned):
        return f"{where} returns another value than expected"
    if result.stopped_by is Stop.FINISHED:
        return f"{where} was not answered"
    last = result.stderr.strip().split("\n")[-1][:200]
    return f"{where} was not answered: the program was stopped by {result.stopped_by.value}" + (f" ({last})" if last else "")
