"""What the supervisor sends a worker when it starts it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from rlgym.serve.settings import Settings


@dataclass(frozen=True)
class WorkerConfig:
    """The configuration of one worker process.

    directory              the service's private directory: shared state, sockets, metrics
    listener_fd            file descriptor of the socket that holds the port
    drain_timeout_seconds  time that requests in flight get to finish at shutdown
    drain_delay_seconds    time before that in which the worker still serves but reports that it is not ready
    """

    settings: Settings
    directory: str
    listener_fd: int
    drain_timeout_seconds: float
    drain_delay_seconds: float
    log_level: str = "info"

    def to_line(self) -> str:
        """Encode as one line of JSON."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def from_line(cls, line: str) -> WorkerConfig:
        """Decode a line that `to_line` made."""
        fields = json.loads(line)
        settings = fields.pop("settings")
        return cls(settings=Settings(**{**settings, "allowed_hosts": tuple(settings["allowed_hosts"])}), **fields)
