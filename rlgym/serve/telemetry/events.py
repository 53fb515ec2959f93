"""Service events (start, stop, a crashed worker ...) as JSON lines on standard error, next to the request log."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

from rlgym.serve.protocol.encoding import encode
from rlgym.serve.telemetry.request_log import stack_frames

LEVELS = ("debug", "info", "warning", "error")
QUIET_LOGGERS = ("asyncio", "websockets", "httpx", "httpcore")


class JsonHandler(logging.Handler):
    """Writes each record as one line: time, worker (null for the supervisor), level, event and its fields."""

    def __init__(self, worker_id: int | None) -> None:
        super().__init__()
        self._worker_id = worker_id

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": time, "worker": self._worker_id, "level": record.levelname.lower(), "event": record.getMessage()}
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            # The message of an exception may quote a task or a response.
            line |= {"error": type(record.exc_info[1]).__name__, "frames": stack_frames(record.exc_info[1])}
        try:
            sys.stderr.write(encode(line) + "\n")
            sys.stderr.flush()
        except OSError:  # the reader of standard error is gone
            pass


def configure_logging(level: str, worker_id: int | None) -> None:
    """Send everything that this process logs to standard error as such lines."""
    logging.basicConfig(level=level.upper(), handlers=[JsonHandler(worker_id)], force=True)
    for name in QUIET_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)


def log_event(level: int, event: str, **fields: Any) -> None:
    """Log one event."""
    logging.getLogger("rlgym.serve").log(level, event, extra={"fields": fields})
