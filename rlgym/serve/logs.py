"""One line of JSON per request; no texts and no keys."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from rlgym.serve.reply import encode

Write = Callable[[str], object]


class Log:
    """Writes lines, or drops them where there is nothing to write them with."""

    def __init__(self, write: Write | None, worker: int) -> None:
        self._write, self._worker = write, worker

    @classmethod
    def to_stderr(cls, worker: int) -> Log:
        """A log on standard error."""
        return cls(lambda line: (sys.stderr.write(line), sys.stderr.flush()), worker)

    def broken(self, error: BaseException, **facts: Any) -> None:
        """Note a failure of the service itself: its kind and where it happened; its words may hold texts, so they are left out."""
        self.line(event="broken", error=type(error).__name__, where=where(error), **facts)

    def line(self, **facts: Any) -> None:
        """Write one line: the time, the worker and these facts."""
        if self._write is not None:
            time = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._write(encode({"time": time, "worker": self._worker, **facts}) + "\n")


def where(error: BaseException) -> list[str]:
    """The last places that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
