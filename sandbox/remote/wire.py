"""What goes over the network: one run, and what it gave back. Expected values never do."""

from __future__ import annotations

import base64
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rlgym.core.limits import Limits
from rlgym.sandbox import Raised, Returned, RunResult, SandboxBroken, Stop
from rlgym.sandbox.process.inside import values
from rlgym.sandbox.process.talk import Job

MOST_PROGRAM, MOST_INPUTS, MOST_INPUT, MOST_BODY = 1 << 20, 2000, 1 << 20, 16 << 20


class Asked(BaseModel):
    """One run. Inputs are tuples of arguments in the sandbox's own text for plain data."""

    model_config = ConfigDict(extra="forbid", strict=True)

    program: str = Field(max_length=MOST_PROGRAM)
    inputs: list[str] = Field(default_factory=list, max_length=MOST_INPUTS)
    entry: str | None = Field("solve", max_length=100)
    stdin: str = Field("", max_length=MOST_INPUT)
    language: str = Field("python", max_length=20)
    seconds: float = Field(5.0, gt=0, le=60)
    memory_mb: int = Field(256, ge=16, le=4096)
    output_kb: int = Field(256, ge=1, le=4096)
    processes: int = Field(1, ge=1, le=64)


class Answer(BaseModel):
    """What became of one input: a value in the sandbox's text, or an exception's name and message."""

    value: str | None = None
    raised: tuple[str, str] | None = None


class Said(BaseModel):
    """What a run gave back. What it printed may be any bytes, and travels in base 64."""

    stdout: str
    stderr: str
    answers: list[Answer]
    exit: int
    stopped_by: Stop


def asked(job: Job, limits: Limits) -> dict[str, Any]:
    """A run as JSON-able data."""
    inputs = [values.encode(tuple(arguments)).decode() for arguments in job.inputs]
    plain = {"program": job.program, "entry": job.entry, "stdin": job.stdin, "language": job.language, "inputs": inputs}
    return {**plain, **{name: getattr(limits, name) for name in ("seconds", "memory_mb", "output_kb", "processes")}}


def job(request: Asked) -> tuple[Job, Limits]:
    """The run that was asked for. values.Unsendable for inputs that are no plain data."""
    inputs = tuple(values.decode(text.encode()) for text in request.inputs)
    limits = Limits(request.seconds, request.memory_mb, request.output_kb, request.processes)
    return Job(request.program, inputs, request.entry, request.stdin, request.language), limits


def said(result: RunResult) -> Said:
    answers = [
        Answer(value=values.encode(answer.value, 8 << 20).decode())
        if isinstance(answer, Returned)
        else Answer(raised=(answer.name, answer.reason))
        for answer in result.value
    ]
    out, err = (base64.b64encode(text.encode("utf-8", "surrogatepass")).decode() for text in (result.stdout, result.stderr))
    return Said(stdout=out, stderr=err, answers=answers, exit=result.exit, stopped_by=result.stopped_by)


def result(data: bytes) -> RunResult:
    """The result that a service's answer holds; SandboxBroken for anything else."""
    try:
        found = Said.model_validate_json(data)
        answers = tuple(
            Returned(values.decode(answer.value.encode())) if answer.value is not None else Raised(*(answer.raised or ("Exception", "")))
            for answer in found.answers
        )
        out, err = (base64.b64decode(text).decode("utf-8", "surrogatepass") for text in (found.stdout, found.stderr))
    except ValueError as error:
        raise SandboxBroken(f"the sandbox service answered with something else than a result: {str(error)[:100]}") from None
    return RunResult(out, err, answers, found.exit, found.stopped_by)
