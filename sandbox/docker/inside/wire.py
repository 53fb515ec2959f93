"""The messages to and from a container: one run, and its result. Expected values are never sent."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import Raised, Returned, RunResult, Stop
from rlgym.sandbox.process.backend import EncodedJob
from rlgym.sandbox.process.inside import values
from rlgym.sandbox.process.run_channel import MAX_ANSWERS

OWN_KERNEL = "RLGYM_OWN_KERNEL"  # tells a container that its kernel is not Linux but gVisor
MOST_ANSWER = 8 << 20


def frame(message: dict[str, Any]) -> bytes:
    """A message as bytes, its length first."""
    text = json.dumps(message).encode()
    return struct.pack("!I", len(text)) + text


def read(exactly: Callable[[int], bytes], most: int) -> dict[str, Any]:
    """The next message. ValueError where it is longer than `most` bytes, or no message."""
    size = struct.unpack("!I", exactly(4))[0]
    if size > most:
        raise ValueError(f"a message of {size} bytes, where {most} may come")
    try:
        message = json.loads(exactly(size))
    except RecursionError:
        raise ValueError("a message that is nested too deep") from None
    if not isinstance(message, dict):
        raise ValueError("a message that is no object")
    return message


def encode_run(job: EncodedJob, limits: Limits) -> dict[str, Any]:
    """A run as JSON-able data."""
    return {**asdict(job), "limits": [limits.seconds, limits.memory_mb, limits.output_kb, limits.processes]}


def job(request: dict[str, Any]) -> tuple[EncodedJob, Limits]:
    """The requested run."""
    job = {**{field.name: request[field.name] for field in dataclass_fields(EncodedJob)}, "inputs": tuple(request["inputs"])}
    return EncodedJob(**job), Limits(*request["limits"])


def most(inputs: int, limits: Limits) -> int:
    """Bytes that an honest answer to a run of this many inputs never exceeds: what is escaped grows six times at most."""
    return (limits.output_kb << 10) * 6 + min((inputs + 1) * 2 * values.MOST_BYTES, 4 * MAX_ANSWERS) + (1 << 16)


def encode_result(result: RunResult) -> dict[str, Any]:
    """What a run gave back, as JSON-able data."""
    answers = [
        [values.encode(answer.value, MOST_ANSWER).decode()] if isinstance(answer, Returned) else [answer.name, answer.reason]
        for answer in result.outputs
    ]
    printed = {"out": result.stdout, "err": result.stderr, "exit": result.exit_code, "stop": result.stopped_by.value}
    return {"answers": answers, **printed, "seconds": result.seconds, "kilobytes": result.kilobytes}


def result(message: dict[str, Any]) -> RunResult:
    """What a run gave back. ValueError for anything that `said` would not have made."""
    out, err, exited, answers, seconds, kilobytes = (
        message.get(name) for name in ("out", "err", "exit", "answers", "seconds", "kilobytes")
    )
    printed = isinstance(out, str) and isinstance(err, str) and isinstance(exited, int)
    if not (printed and isinstance(answers, list) and isinstance(seconds, float) and isinstance(kilobytes, int)):
        raise ValueError("an answer without what belongs in it")
    return RunResult(str(out), str(err), tuple(map(_answer, answers)), int(exited or 0), Stop(str(message.get("stop"))), seconds, kilobytes)


def _answer(parts: Any) -> Returned | Raised:
    if not (isinstance(parts, list) and len(parts) in (1, 2) and all(isinstance(part, str) for part in parts)):
        raise ValueError("an answer of another form")
    return Returned(values.decode(parts[0].encode())) if len(parts) == 1 else Raised(parts[0][:80], parts[1][:400])
