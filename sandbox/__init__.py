"""Running untrusted code: what a verifier sees of it.

A verifier whose declaration sets `sandbox=Limits(...)` is handed a Runner. Where no backend can be started, scoring ends
with Outcome.ERROR and a message, never with a silent 0. The backend is `process`, or what the environment variable
RLGYM_SANDBOX names: `portable`, which does not stop hostile programs, must be asked for by that name; `remote` asks a service;
`docker` runs programs in containers.
"""

from __future__ import annotations

import atexit
import os
import threading
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

    def close(self) -> None: ...

    def run(
        self,
        program: str,
        inputs: Sequence[tuple[Any, ...]] = (),
        limits: Limits | None = None,
        *,
        entry: str | None = "solve",
        stdin: str = "",
        language: str = "python",
    ) -> RunResult: ...


@dataclass(frozen=True, slots=True)
class Limited:
    """A Runner with limits of its own over one that several share."""

    runner: Runner
    limits: Limits

    def run(
        self,
        program: str,
        inputs: Sequence[tuple[Any, ...]] = (),
        limits: Limits | None = None,
        *,
        entry: str | None = "solve",
        stdin: str = "",
        language: str = "python",
    ) -> RunResult:
        return self.runner.run(program, inputs, limits or self.limits, entry=entry, stdin=stdin, language=language)

    def close(self) -> None:
        """Nothing: the runner is shared."""


CHOSEN = "RLGYM_SANDBOX"
_backends: dict[str, Callable[[], Runner]] = {}
_running: dict[tuple[str, int], Runner] = {}
_lock = threading.Lock()


def offer(name: str, start: Callable[[], Runner]) -> None:
    """Make a backend known by a name; a later one of the same name takes its place."""
    _backends[name] = start


def backends() -> list[str]:
    """The names of all backends, whether they can be started here or not."""
    return list(_backends)


def runner(limits: Limits) -> Runner:
    """A Runner of the chosen backend, shared within this process; SandboxMissing where it cannot be started."""
    name = os.environ.get(CHOSEN) or "process"
    if name not in _backends:
        raise SandboxMissing(f"{CHOSEN}={name!r} names no backend; there are {', '.join(_backends)}")
    key = (name, os.getpid())
    with _lock:
        if key not in _running:
            try:
                _running[key] = _backends[name]()
            except SandboxBroken as why:
                raise SandboxMissing(f"the sandbox backend {name!r} cannot be started here: {why}") from None
            atexit.register(_running[key].close)
    return Limited(_running[key], limits)


def _process() -> Runner:
    from rlgym.sandbox.process import ProcessRunner

    return ProcessRunner()


def _portable() -> Runner:
    from rlgym.sandbox.process import ProcessRunner

    return ProcessRunner(tier="C")


def _remote() -> Runner:
    from rlgym.sandbox.remote import RemoteRunner

    return RemoteRunner()


def _docker() -> Runner:
    from rlgym.sandbox.docker import DockerRunner

    return DockerRunner()


offer("process", _process)
offer("portable", _portable)
offer("remote", _remote)
offer("docker", _docker)
