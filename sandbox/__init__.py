"""Running untrusted code: what a verifier sees of it.

A verifier whose declaration sets `sandbox=Limits(...)` is handed a Runner. Backends register themselves with `offer`;
where there is none, scoring ends with Outcome.ERROR and a message, never with a silent 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from rlgym.core.errors import RlgymError, SandboxMissing
from rlgym.core.limits import Limits as Limits


class Stop(StrEnum):
    """Why a run ended."""

    FINISHED = "finished"
    ERROR = "error"
    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    PROCESSES = "processes"
    FORBIDDEN = "forbidden"
    CRASHED = "crashed"


class SandboxBroken(RlgymError, RuntimeError):
    """The sandbox itself failed, not the program: a score is never made of it."""


@dataclass(frozen=True, slots=True)
class Returned:
    """One input was answered with plain data."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """One input ended in an exception, or in a value that is no plain data."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """What one run gave back. `value` holds a Returned or Raised for every input that was answered, in order.

    `exit` is the exit status, or minus the signal that ended it. Neither it nor what was printed is evidence of anything.
    """

    stdout: str
    stderr: str
    value: Any
    exit: int
    stopped_by: Stop


class Runner(Protocol):
    """Runs a program on inputs within limits."""

    def run(self, program: str, inputs: Sequence[Any], limits: Limits | None = None) -> RunResult: ...


_backends: dict[str, Callable[[Limits], Runner]] = {}


def offer(name: str, start: Callable[[Limits], Runner]) -> None:
    """Make a backend known; the first one offered is the one used."""
    _backends.setdefault(name, start)


def runner(limits: Limits) -> Runner:
    """A Runner of the first backend offered, or SandboxMissing."""
    if not _backends:
        raise SandboxMissing("this environment runs code that a model wrote, and no sandbox backend is installed")
    return next(iter(_backends.values()))(limits)
