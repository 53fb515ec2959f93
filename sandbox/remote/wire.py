"""The messages over the network: one run, and its result. Expected values are never sent."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rlgym.core.limits import Limits
from rlgym.sandbox.file_tree import Ended, Entry, file_size
from rlgym.sandbox.interface import Raised, Returned, RunResult, SandboxError, Stop
from rlgym.sandbox.process.backend import MAX_PROGRAM, MAX_STDIN, EncodedJob
from rlgym.sandbox.process.inside import values

MAX_CASES = 20_000  # inputs of one run
# Every backend refuses programs and inputs that would not fit, so no honest client is ever refused for its size.
MAX_BODY = 32 << 20
MAX_COMMAND, MAX_ENTRIES, MAX_TREE = 1 << 20, 4096, 8 << 20  # characters of a command, entries of a file tree, bytes of its files
FIRST, LAST = -(1 << 40), 1 << 40  # seconds since 1970 of a time
Seconds = Annotated[int, Field(ge=FIRST, le=LAST)]
Kind = Literal["text", "lines", "base64", "folder", "symlink", "hardlink"]


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


class CommandRequest(BaseModel):
    """A shell command on a file tree: for each path the kind, the mode, the time and the content of its entry."""

    model_config = ConfigDict(extra="forbid")

    command: str = Field(max_length=MAX_COMMAND)
    tree: dict[str, tuple[Kind, Annotated[int, Field(ge=0, le=0o7777)], Seconds, str]] = Field(max_length=MAX_ENTRIES)
    now: Seconds

    @model_validator(mode="after")
    def lies_below_its_folder(self) -> Self:
        """Refuse paths that lead elsewhere, links to no file, contents that are none, and too many bytes."""
        size = 0
        for path, entry in self.tree.items():
            parts = path.split("/")
            if "\0" in path or any(part in ("", ".", "..") for part in parts):
                raise ValueError(f"tree: the path {path[:80]!r} leads elsewhere")
            above = ["/".join(parts[:count]) for count in range(1, len(parts))]
            if any(other in self.tree and self.tree[other][0] != "folder" for other in above):
                raise ValueError(f"tree: the path {path[:80]!r} lies below an entry that is no folder")
            if entry[0] == "hardlink" and self.tree.get(entry[3], ("",))[0] not in ("text", "lines", "base64"):
                raise ValueError(f"tree: {path[:80]!r} is a hard link to no file")
            size += max(file_size(Entry(*entry)), 0)
            if entry[0] == "lines" and not entry[3].partition("\n")[0].isdigit():
                raise ValueError(f"tree: {path[:80]!r} says no number of lines")
        if size > MAX_TREE:
            raise ValueError(f"tree: files of {size} bytes, more than {MAX_TREE}")
        return self


class CommandResponse(BaseModel):
    """What a command did. Printed text is encoded in base 64."""

    tree: dict[str, tuple[Kind, int, int, str]]
    stdout: str
    stderr: str
    exit_code: int
    undone: str


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
    return RunResponse(
        stdout=_printed(result.stdout),
        stderr=_printed(result.stderr),
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
        out, err = _text(response.stdout), _text(response.stderr)
    except ValueError as error:
        raise _nonsense(error) from None
    return RunResult(out, err, answers, response.exit_code, response.stopped_by, response.seconds, response.kilobytes)


def command_response(ended: Ended) -> CommandResponse:
    stdout, stderr = _printed(ended.stdout), _printed(ended.stderr)
    tree: dict[str, Any] = {**ended.tree}
    return CommandResponse(tree=tree, stdout=stdout, stderr=stderr, exit_code=ended.exit_code, undone=ended.undone)


def ended_of(data: bytes) -> Ended:
    """What a command did, by a service's response. SandboxError for anything else."""
    try:
        response = CommandResponse.model_validate_json(data)
        out, err = _text(response.stdout), _text(response.stderr)
    except ValueError as error:
        raise _nonsense(error) from None
    return Ended({path: Entry(*entry) for path, entry in response.tree.items()}, out, err, response.exit_code, response.undone)


def _printed(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()


def _text(printed: str) -> str:
    return base64.b64decode(printed).decode("utf-8", "surrogatepass")


def _nonsense(error: ValueError) -> SandboxError:
    return SandboxError(f"the sandbox service answered with something else than a result: {str(error)[:100]}")
