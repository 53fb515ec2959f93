"""Test suites that tell right programs from wrong ones: which inputs to keep, and how well the kept ones do."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rlgym.core import syntax
from rlgym.core.declare import Audit
from rlgym.core.limits import Limits
from rlgym.generators.programs.mutants import mutants

Inputs = Sequence[tuple[Any, ...]]
Meaning = Callable[..., Any]
Test = tuple[str, str]  # the arguments as a tuple, and the value expected, both as Python literals
FAILED = object()
LIMITS = Limits(seconds=0.5, memory_mb=128)


def choose_tests(
    right: Meaning, wrong: Sequence[Meaning], inputs: Inputs, *, least: int = 20, most: int = 60, twice: int = 2
) -> list[Test]:
    """Tests from these inputs, in their order: the first `least`, and later ones that find out what those before have not.

    right  the specification as a function
    wrong  plausible misreadings of it; each is to be found out by `twice` tests where the inputs allow
    """
    left = dict.fromkeys(range(len(wrong)), twice)
    kept: dict[str, str] = {}
    for arguments in inputs:
        if len(kept) >= most or (len(kept) >= least and not left):
            break
        expected = right(*arguments)
        refuted = [index for index in left if _result(wrong[index], arguments) != (type(expected), expected)]
        if (len(kept) < least or refuted) and repr(arguments) not in kept:
            kept[repr(arguments)] = repr(expected)
            for index in refuted:
                left[index] -= 1
                if not left[index]:
                    del left[index]
    return list(kept.items())


def learnt(tests: Sequence[Test]) -> str:
    """A program that knows these tests by heart and nothing else."""
    known = ", ".join(f"{arguments!r}: {value}" for arguments, value in tests)
    return f"def solve(*arguments):\n    return {{{known}}}.get(repr(arguments), 0)"


def agree(right: Meaning, other: Meaning, arguments: tuple[Any, ...]) -> bool:
    """Whether two functions give the same for these arguments."""
    return gives(other, arguments, right(*arguments))


def gives(function: Meaning, arguments: tuple[Any, ...], expected: Any) -> bool:
    """Whether a function gives this value, of this type, for these arguments."""
    return bool(_result(function, arguments) == (type(expected), expected))


def differs(right: Meaning, other: Meaning, inputs: Inputs, times: int = 2) -> bool:
    """Whether two functions differ on at least `times` of these inputs."""
    for arguments in inputs:
        times -= not agree(right, other, arguments)
        if not times:
            return True
    return False


def _result(function: Meaning, arguments: tuple[Any, ...]) -> Any:
    try:
        value = function(*arguments)
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError):
        return FAILED
    return type(value), value


def nodes(program: str) -> list[ast.AST]:
    """The nodes of a program's syntax tree, the widest first."""
    return list(ast.walk(syntax.program(program)))


def audited(
    runner: Any,
    reference: str,
    inputs: Inputs,
    *,
    bank: Iterable[str] = (),
    equal: Iterable[str] = (),
    entry: str = "solve",
    limits: Limits = LIMITS,
    most: int = 40,
) -> Audit:
    """The bank and systematic mutants of the reference that differ from it on some of these inputs, which are not the tests.

    A mutant that answers them all as the reference does may well mean the same, and is left out; so is one that runs out of time, which
    any test would find out.
    """
    expected = _answers(runner, reference, inputs, entry, limits)
    suspects = dict.fromkeys([*bank, *mutants(reference, most)])
    wrong = [program for program in suspects if _answers(runner, program, inputs, entry, limits) not in (expected, None)]
    plain = ast.unparse(syntax.program(reference))
    return Audit(tuple(wrong), tuple(dict.fromkeys([*equal, plain])))


def _answers(runner: Any, program: str, inputs: Inputs, entry: str, limits: Limits) -> list[str] | None:
    # Written out, so that 1, True and 1.0 differ. An input that was not answered makes the list shorter.
    result = runner.run(program, list(inputs), limits, entry=entry)
    return None if result.stopped_by.value == "time" else [repr(answer) for answer in result.outputs]
