"""What goes into a container and what comes out of it: one run, and what it gave back. Expected values never do."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox import Raised, Returned, RunResult, Stop
from rlgym.sandbox.process.inside import values
from rlgym.sandbox.process.talk import MOST_FRAME, Job

OWN_KERNEL = "RLGYM_OWN_KERNEL"  # tells a container that its kernel is not Linux but gVisor
MOST_ANSWER, MOST_SAID = 8 << 20, 512 << 20


def frame(said: dict[str, Any]) -> bytes:
    """A message as bytes, its length first."""
    text = json.dumps(said).encode()
    return struct.pack("!I", len(text)) + text


def read(exactly: Callable[[int], bytes], most: int) -> dict[str, Any]:
    """The next message. ValueError where it is longer than `most` bytes, or no message."""
    size = struct.unpack("!I", exactly(4))[0]
    if size > most:
        raise ValueError(f"a message of {size} bytes, where {most} may come")
    try:
        said = json.loads(exactly(size))
    except RecursionError:
        raise ValueError("a message that is nested too deep") from None
    if not isinstance(said, dict):
        raise ValueError("a message that is no object")
    return said


def asked(job: Job, limits: Limits) -> dict[str, Any]:
    """A run as JSON-able data. values.Unsendable for inputs that are no plain data."""
    inputs = [values.encode(tuple(arguments), MOST_FRAME).decode() for arguments in job.inputs]
    plain = {"program": job.program, "entry": job.entry, "stdin": job.stdin, "language": job.language, "inputs": inputs}
    return {**plain, "limits": [limits.seconds, limits.memory_mb, limits.output_kb, limits.processes]}


def job(request: dict[str, Any]) -> tuple[Job, Limits]:
    """The run that was asked for."""
    inputs = tuple(values.decode(text.encode()) for text in request["inputs"])
    return Job(request["program"], inputs, request["entry"], request["stdin"], request["language"]), Limits(*request["limits"])


def most(inputs: int, limits: Limits) -> int:
    """Bytes that an honest answer to a run of so many inputs never exceeds: what is escaped grows six times at most."""
    return min(MOST_SAID, (limits.output_kb << 10) * 6 + (inputs + 1) * 2 * values.MOST_BYTES + (1 << 16))


def said(result: RunResult) -> dict[str, Any]:
    """What a run gave back, as JSON-able data."""
    answers = [
        [values.encode(answer.value, MOST_ANSWER).decode()] if isinstance(answer, Returned) else [answer.name, answer.reason]
        for answer in result.value
    ]
    return {"answers": answers, "out": result.stdout, "err": result.stderr, "exit": result.exit, "stop": result.stopped_by.value}


def result(found: dict[str, Any]) -> RunResult:
    """What a run gave back. ValueError for anything that `said` would not have made."""
    out, err, exited, answers = (found.get(name) for name in ("out", "err", "exit", "answers"))
    if not (isinstance(out, str) and isinstance(err, str) and isinstance(exited, int) and isinstance(answers, list)):
        raise ValueError("an answer without what belongs in it")
    return RunResult(out, err, tuple(map(_answer, answers)), exited, Stop(str(found.get("stop"))))


def _answer(parts: Any) -> Returned | Raised:
    if not (isinstance(parts, list) and len(parts) in (1, 2) and all(isinstance(part, str) for part in parts)):
        raise ValueError("an answer of another form")
    return Returned(values.decode(parts[0].encode())) if len(parts) == 1 else Raised(parts[0][:80], parts[1][:400])
