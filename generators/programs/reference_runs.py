"""Runs of programs on all inputs, compared with those of a reference."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from rlgym.generators.programs import drawing, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.drawing import Arguments
from rlgym.generators.programs.interpreter import Ended


class Pool(NamedTuple):
    """A reference, all its inputs, its values for them, and how often it executes its lines then."""

    source: str
    inputs: list[Arguments]
    values: list[object]
    counts: list[Counter[int]]

    @classmethod
    def of(cls, source: str, inputs: list[Arguments]) -> Pool | None:
        """None where a run has no end or ends with an exception."""
        ends = [ended(source, arguments) for arguments in inputs]
        returned = [end for end in ends if end and not end.raised]
        if len(returned) < len(ends):
            return None
        return cls(source, inputs, [end.value for end in returned], [end.counts for end in returned])


def ended(source: str, arguments: Arguments) -> Ended | None:
    """How a run ends; None where it has no end."""
    try:
        return drawing.run(interpreter.program(source), arguments)
    except Stopped:
        return None


def differing_inputs(source: str, pool: Pool, most: int = 10**9, changed: int = 0) -> list[Arguments] | None:
    """The inputs on which a program does not return the reference's value, no more than `most`; None where a run has no end.

    changed  the only line that differs from the reference, if there is one: inputs with which it is not executed need no run
    """
    found = list[Arguments]()
    for given, value, counts in zip(pool.inputs, pool.values, pool.counts):
        if changed and not counts[changed]:
            continue
        end = ended(source, given)
        if end is None:
            return None
        if end.raised or end.value != value:
            found.append(given)
            if len(found) == most:
                break
    return found


def is_safe(source: str, inputs: list[Arguments]) -> bool | None:
    """Whether a program ends with an exception on no input; None where it does on all of them, or a run has no end."""
    raised = set[bool]()
    for arguments in inputs:
        end = ended(source, arguments)
        if end is None:
            return None
        raised.add(end.raised is not None)
        if len(raised) == 2:
            return False
    return None if True in raised else True


def raising_inputs(source: str, inputs: list[Arguments]) -> list[tuple[Arguments, str]] | None:
    """The inputs on which a program ends with an exception, and which; None where a run has no end."""
    ends = [ended(source, arguments) for arguments in inputs]
    return (
        None if any(end is None for end in ends) else [(given, end.raised.kind) for given, end in zip(inputs, ends) if end and end.raised]
    )
