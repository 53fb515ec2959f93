"""Grades a program on hidden cases. Expected values never leave this process; the program receives only inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.core import syntax
from rlgym.core.limits import Limits
from rlgym.core.score import Outcome, Score
from rlgym.sandbox.interface import Raised, Returned, Runner, RunResult, Stop

Case = tuple[tuple[Any, ...], Any]  # the arguments of one call, and the value expected


@dataclass(frozen=True, slots=True)
class Grade:
    """Which cases passed, in order, and why the first failing one failed. The reason contains no expected value."""

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
    """Call the program's function with each case's arguments and compare the returned plain data in this process.

    A case without an answer has failed, whatever else was printed or returned. `same(given, expected)` is
    `same_value` unless given.
    """
    result = runner.run(program, [arguments for arguments, _ in cases], limits, entry=entry, language=language)
    compare = same or (same_value if language == "python" else same_json)
    answers = list(result.outputs) + [None] * (len(cases) - len(result.outputs))
    passed = tuple(
        isinstance(answer, Returned) and compare(answer.value, expected) for answer, (_, expected) in zip(answers, cases, strict=True)
    )
    return Grade(passed, result.stopped_by, "" if all(passed) else _printable(_reason(result, answers, passed)))


def score_program(
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

    The score is 1 or 0, with one part per test. For the first `shown` tests, which the prompt shows, the reason contains the
    failing input; for hidden tests it contains only what happened.
    """
    graded = grade(runner, program, [parse_case(test) for test in tests], entry=entry, limits=limits, same=same, language=language)
    parts = {f"test_{i + 1}": float(passed) for i, passed in enumerate(graded.passed)}
    if graded.right:
        return Score(1.0, Outcome.RIGHT, "", parts)
    first = graded.passed.index(False)
    shown_input = f" (it was called with {tests[first][0][:200]})" if first < shown else ""
    outcome = Outcome.TIMED_OUT if graded.stopped_by is Stop.TIME else Outcome.WRONG
    return Score(0.0, outcome, graded.reason + shown_input, parts)


def parse_case(test: tuple[str, str]) -> Case:
    """A test as values. Its text is trusted."""
    arguments, expected = syntax.literal(test[0]), syntax.literal(test[1])
    return arguments, expected


def same_value(given: Any, expected: Any) -> bool:
    """Equal with equal types at every depth: True is not 1, and a list is not a tuple. Floats may differ by a billionth."""
    if isinstance(expected, float) and isinstance(given, float):
        return given == expected or math.isclose(given, expected, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(expected, set | frozenset):
        return isinstance(given, set | frozenset) and _typed(given) == _typed(expected)
    if type(given) is not type(expected):
        return False
    if isinstance(expected, list | tuple):
        return len(given) == len(expected) and all(map(same_value, given, expected))
    if isinstance(expected, dict):
        # Keys are plain values; equal keys of different types would hide each other.
        return set(map(_typed, given)) == set(map(_typed, expected)) and all(
            same_value(given[key], value) for key, value in expected.items()
        )
    return bool(given == expected)


def same_json(given: Any, expected: Any) -> bool:
    """Equal as JSON values: whole floats are integers, and tuples are lists."""
    return same_value(_as_json(given), _as_json(expected))


def _as_json(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    return value


def _typed(value: Any) -> Any:
    """What stands for a value where equal values of different types are distinguished, at every depth."""
    if isinstance(value, set | frozenset):
        return frozenset(map(_typed, value))
    if isinstance(value, tuple):
        return ("tuple", *map(_typed, value))
    return type(value).__name__, value


def _printable(text: str) -> str:
    """The text without control characters, which could move a terminal's cursor or fake another line."""
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
