"""What happens to the service itself, as lines of JSON on standard error beside those of the requests."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

from rlgym.serve.logs import Log, where
from rlgym.serve.reply import encode

LEVELS = ("debug", "info", "warning", "error")
QUIET = ("asyncio", "websockets", "httpx", "httpcore")


class JsonHandler(logging.Handler):
    """Writes each record as one line: the time, the worker (null for the supervisor), the level, what happened and its facts."""

    def __init__(self, worker: int | None) -> None:
        super().__init__()
        self._worker = worker

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts: dict[str, Any] = {"time": time, "worker": self._worker, "level": record.levelname.lower(), "event": record.getMessage()}
        facts |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[1] is not None:
            # Its words may hold texts of models or tasks.
            facts |= {"error": type(record.exc_info[1]).__name__, "where": where(record.exc_info[1])}
        try:
            sys.stderr.write(encode(facts) + "\n")
            sys.stderr.flush()
        except OSError:  # nobody reads any more
            pass


class FailuresOnly(Log):
    """A log of requests that leaves out all but the service's own failures."""

    def line(self, **facts: Any) -> None:
        """Write a line if it is about a failure."""
        if "event" in facts:
            super().line(**facts)


def request_log(level: str, worker: int) -> Log:
    """The log of requests at this level."""
    return (Log if level in ("debug", "info") else FailuresOnly).to_stderr(worker)


def log_to_stderr(level: str, worker: int | None) -> None:
    """Make everything that is logged in this process such lines."""
    logging.basicConfig(level=level.upper(), handlers=[JsonHandler(worker)], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def event(level: int, what: str, **facts: Any) -> None:
    """Log one thing that happened."""
    logging.getLogger("rlgym.serve").log(level, what, extra={"facts": facts})
