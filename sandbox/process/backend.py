"""What every backend does with a job before and after it runs: checks, encoding of inputs, one retry, and many jobs at once."""

from __future__ import annotations

import contextlib
import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Self

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import Job, Raised, Runner, RunResult, SandboxError, Stop
from rlgym.sandbox.process.inside import values

MAX_PROGRAM = 1 << 20  # bytes of a program in UTF-8
MAX_STDIN = 1 << 20  # characters of standard input
MAX_INPUT, MAX_INPUTS = 4 << 20, 8 << 20  # bytes of one encoded input, and of all inputs of a run


@dataclass(frozen=True, slots=True)
class EncodedJob:
    """A job that can be sent: its texts are UTF-8, and each input is in the notation of `values`."""

    program: str
    inputs: tuple[str, ...]
    entry: str | None
    stdin: str
    language: str


class Backend(Runner):
    """A Runner that runs jobs elsewhere. A subclass sets these attributes and implements `_attempt`."""

    limits: Limits
    workers: int
    languages: Sequence[str]
    attempts = 2
    _owner: int

    def run_job(self, job: Job, limits: Limits | None = None) -> RunResult:
        """Run one job. What the program or an input does wrong is a result; only a failure of the sandbox raises SandboxError."""
        self._check(job.language)
        if os.getpid() != self._owner:
            raise SandboxError("a runner belongs to the process that made it; make another after a fork")
        if fault := program_fault(job.program):
            return RunResult("", fault, (), 1, Stop.ERROR)
        inputs, refused = encode_inputs(job.inputs)
        encoded = EncodedJob(job.program, inputs, job.entry, _plain_text(job.stdin)[:MAX_STDIN], job.language)
        result = self.run_encoded(encoded, limits or self.limits)
        return replace(result, outputs=with_refused(result.outputs, refused)) if refused else result

    def run_encoded(self, job: EncodedJob, limits: Limits) -> RunResult:
        """Run a job that was checked and encoded, perhaps on another machine."""
        for _ in range(self.attempts - 1):
            with contextlib.suppress(SandboxError):  # the machine's fault, not the program's: the last failure is reported
                return self._attempt(job, limits)
        return self._attempt(job, limits)

    def run_many(self, jobs: Iterable[Job], limits: Limits | None = None) -> Iterator[RunResult]:
        """The results of many runs, in order; `workers` runs at a time."""
        with ThreadPoolExecutor(self.workers) as pool:
            yield from pool.map(lambda job: self.run_job(job, limits), jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _check(self, language: str) -> None:
        """SandboxError where a program in this language cannot be run now."""

    @abstractmethod
    def _attempt(self, job: EncodedJob, limits: Limits) -> RunResult:
        """Run a job once; SandboxError where the sandbox fails."""


def program_fault(program: str) -> str:
    """Why a program cannot be sent to any backend; empty where it can."""
    try:
        size = len(program.encode())
    except UnicodeEncodeError:
        return "UnicodeEncodeError: the program holds half of a surrogate pair"
    return f"MemoryError: the program takes {size} bytes, and at most {MAX_PROGRAM} are run" if size > MAX_PROGRAM else ""


def encode_inputs(inputs: Sequence[tuple[Any, ...]]) -> tuple[tuple[str, ...], dict[int, Raised]]:
    """The inputs as text, and an answer for each that cannot be sent: a model may have chosen it."""
    encoded, refused, room = list[str](), dict[int, Raised](), MAX_INPUTS
    for number, arguments in enumerate(inputs):
        try:
            text = values.encode(tuple(arguments), min(MAX_INPUT, room)).decode()
        except values.Unsendable as why:
            refused[number] = Raised("Unsendable", f"the input is no plain data: {why}")
        else:
            encoded.append(text)
            room -= len(text)
    return tuple(encoded), refused


def with_refused(outputs: Sequence[Any], refused: dict[int, Raised]) -> tuple[Any, ...]:
    """The outputs of the inputs that were sent, with the answers to the refused ones in their places."""
    merged, remaining = list[Any](), list(outputs)
    while len(merged) in refused or remaining:
        merged.append(refused[len(merged)] if len(merged) in refused else remaining.pop(0))
    return tuple(merged)


def _plain_text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
