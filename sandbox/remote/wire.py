"""The messages over the network: one run, and its result. Expected values are never sent."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import Raised, Returned, RunResult, SandboxError, Stop
from rlgym.sandbox.process.backend import MAX_PROGRAM, MAX_STDIN, EncodedJob
from rlgym.sandbox.process.inside import values

MAX_CASES = 20_000  # inputs of one run
# Every backend refuses programs and inputs that would not fit, so no honest client is ever refused for its size.
MAX_BODY = 32 << 20


class RunRequest(BaseModel):
    """One run. Inputs are tuples of arguments in the sandbox's own text for plain data."""

    model_config = ConfigDict(extra="forbid", strict=True)

    program: str = Field(max_length=MAX_PROGRAM)
    inputs: list[str] = Field(default_factory=list, max_length=MAX_CASES)
    entry: str | None = Field("solve", max_length=100)
    stdin: str = Field("", max_length=MAX_STDIN)
    language: str = Field("python", max_length=20)
    seconds: float = Field(5.0, gt=0, le=60)
    memory_mb: int = Field(256, ge=16, le=4096)
    output_kb: int = Field(256, ge=1, le=4096)
    processes: int = Field(1, ge=1, le=64)


class Answer(BaseModel):
    """What became of one input: a value in the sandbox's text, or an exception's name and message."""

    value: str | None = None
    raised: tuple[str, str] | None = None


class RunResponse(BaseModel):
    """The result of a run. Printed text may be any bytes, so it is encoded in base 64."""

    stdout: str
    stderr: str
    answers: list[Answer]
    exit_code: int
    stopped_by: Stop
    seconds: float
    kilobytes: int


def request_of(job: EncodedJob, limits: Limits) -> dict[str, Any]:
    """A run as JSON-able data."""
    return {**asdict(job), **{name: getattr(limits, name) for name in ("seconds", "memory_mb", "output_kb", "processes")}}


def job_of(request: RunRequest) -> tuple[EncodedJob, Limits]:
    """The requested run. Its inputs are not decoded here: the process that runs the program does that."""
    limits = Limits(request.seconds, request.memory_mb, request.output_kb, request.processes)
    return EncodedJob(request.program, tuple(request.inputs), request.entry, request.stdin, request.language), limits


def response_of(result: RunResult) -> RunResponse:
    answers = [
        Answer(value=values.encode(answer.value, 8 << 20).decode())
        if isinstance(answer, Returned)
        else Answer(raised=(answer.name, answer.reason))
        for answer in result.outputs
    ]
    out, err = (base64.b64encode(text.encode("utf-8", "surrogatepass")).decode() for text in (result.stdout, result.stderr))
    return RunResponse(
        stdout=out,
        stderr=err,
        answers=answers,
        exit_code=result.exit_code,
        stopped_by=result.stopped_by,
        seconds=result.seconds,
        kilobytes=result.kilobytes,
    )


def result_of(data: bytes) -> RunResult:
    """The result in a service's response. SandboxError for anything else."""
    try:
        response = RunResponse.model_validate_json(data)
        answers = tuple(
            Returned(values.decode(answer.value.encode())) if answer.value is not None else Raised(*(answer.raised or ("Exception", "")))
            for answer in response.answers
        )
        out, err = (base64.b64decode(text).decode("utf-8", "surrogatepass") for text in (response.stdout, response.stderr))
    except ValueError as error:
        raise SandboxError(f"the sandbox service answered with something else than a result: {str(error)[:100]}") from None
    return RunResult(out, err, answers, response.exit_code, response.stopped_by, response.seconds, response.kilobytes)
