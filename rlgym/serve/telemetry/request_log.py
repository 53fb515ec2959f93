"""The request log: one line of JSON per request, without texts and keys."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from rlgym.serve.protocol.encoding import encode

MAX_FRAMES = 8


class RequestLog:
    """Writes lines with `write`, or drops them if it is None."""

    def __init__(self, write: Callable[[str], object] | None, worker_id: int) -> None:
        self._write, self._worker_id = write, worker_id

    @classmethod
    def to_stderr(cls, worker_id: int) -> RequestLog:
        """A log on standard error."""
        return cls(lambda line: (sys.stderr.write(line), sys.stderr.flush()), worker_id)

    def log_failure(self, error: BaseException, **fields: Any) -> None:
        """Log an internal error: its type and stack frames. Its message may quote a task or a response, so it is left out."""
        self.log(event="internal error", error=type(error).__name__, frames=stack_frames(error), **fields)

    def log(self, **fields: Any) -> None:
        """Write one line: the time, the worker and these fields."""
        if self._write is not None:
            time = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._write(encode({"time": time, "worker": self._worker_id, **fields}) + "\n")


class FailureLog(RequestLog):
    """A request log of internal errors only."""

    def log(self, **fields: Any) -> None:
        """Write a line if it reports an internal error."""
        if "event" in fields:
            super().log(**fields)


def create_request_log(level: str, worker_id: int) -> RequestLog:
    """The request log for this log level."""
    return (RequestLog if level in ("debug", "info") else FailureLog).to_stderr(worker_id)


def stack_frames(error: BaseException) -> list[str]:
    """The innermost stack frames of an error, without source text."""
    frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
