"""What every sandbox backend implements and returns: runners, results, and why a run stopped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.core.limits import Limits


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


class SandboxError(RlgymError, RuntimeError):
    """The sandbox failed, not the program. No score may be derived from the run."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The program answered one input with plain data."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """One input raised an exception, or returned a value that is not plain data."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of one run. `outputs` holds a Returned or Raised for every input that was answered, in order.

    `exit_code` is the exit status, or minus the signal that ended the process. Neither it nor the printed text proves anything: the
    program controls both. `seconds` of processor time over all threads and `kilobytes` of resident memory at the peak come from the
    kernel's account of the process; a backend that has no such account reports 0.
    """

    stdout: str
    stderr: str
    outputs: Any
    exit_code: int
    stopped_by: Stop
    seconds: float = 0.0
    kilobytes: int = 0

    def answer(self, number: int = 0) -> Returned | Raised:
        """The answer to one input, counted from 0; a Raised that says why the run ended where there is none."""
        if number < len(self.outputs):
            output: Returned | Raised = self.outputs[number]
            return output
        return Raised("NoAnswer", f"the run was stopped by {self.stopped_by.value}")


@dataclass(frozen=True, slots=True)
class Job:
    """One run: a program; the function called with each input in turn, or None to run the program alone; standard input.

    `language` is "python" or "javascript".
    """

    program: str
    inputs: tuple[tuple[Any, ...], ...] = ()
    entry: str | None = "solve"
    stdin: str = ""
    language: str = "python"


class Runner(ABC):
    """Runs a program on inputs within limits. A subclass implements `run_job` and `close`."""

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
        """Run a program and call its function with each input in turn. Each input is sent after the previous one was answered."""
        return self.run_job(Job(program, tuple(inputs), entry, stdin, language), limits)

    @abstractmethod
    def run_job(self, job: Job, limits: Limits | None = None) -> RunResult:
        """Run one job. SandboxError only where the sandbox fails, never for anything that a program does."""

    @abstractmethod
    def close(self) -> None:
        """Free the workers and end whatever still runs in them."""


@dataclass(frozen=True, slots=True)
class LimitedRunner(Runner):
    """A shared Runner with limits of its own."""

    runner: Runner
    limits: Limits

    def run_job(self, job: Job, limits: Limits | None = None) -> RunResult:
        return self.runner.run_job(job, limits or self.limits)

    def close(self) -> None:
        """Do nothing: the runner is shared."""
