"""A process that reads JSON lines from standard input and writes one JSON line for each."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.audit.scorers.base import ScorerUnavailable

TIMED_OUT = "took longer than the time limit"
MOST_BYTES = 1 << 24
"""Bytes that a reply may have."""


class Patience:
    """The time limit of a call, which falls after `TIMEOUTS` calls have reached it, so that a scorer that often hangs is measured to the end.

    It then is `TIMES` the slowest call that has finished, and at least `least` seconds. ScorerUnavailable if none has.
    """

    TIMEOUTS, TIMES, LEAST = 8, 10.0, 0.1

    def __init__(self, seconds: float, least: float = LEAST) -> None:
        self.seconds, self._most, self._least = seconds, seconds, least
        self._slowest = self._timeouts = self._finished = 0.0

    def finished(self, seconds: float) -> None:
        """A call took so long."""
        self._finished += 1
        self._slowest = max(self._slowest, seconds)

    def timed_out(self) -> None:
        """A call reached the limit."""
        self._timeouts += 1
        if self._timeouts >= self.TIMEOUTS:
            if not self._finished:
                raise ScorerUnavailable(
                    f"each of the first {self.TIMEOUTS} calls took longer than the time limit of {self._most:g} s; --seconds sets another limit"
                )
            self.seconds = min(self._most, max(self._least, self.TIMES * self._slowest))


class LineProcess:
    """One running process."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._buffer = b""
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            start_new_session=True,
        )

    def ask(self, data: Mapping[str, Any], seconds: float) -> dict[str, Any] | str:
        """The reply to a line, or a text that says why there is none."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the process has ended, which `_receive` reports
            self._process.stdin.write(json.dumps(data).encode() + b"\n")
            self._process.stdin.flush()
        return self._receive(seconds)

    def _receive(self, seconds: float) -> dict[str, Any] | str:
        assert self._process.stdout is not None
        file, deadline = self._process.stdout.fileno(), time.monotonic() + seconds
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([file], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return TIMED_OUT
            data = os.read(file, 1 << 16)
            if not data:
                return f"ended the process (exit code {self._process.wait()})"
            self._buffer += data
            if len(self._buffer) > MOST_BYTES:
                return f"wrote more than {MOST_BYTES} bytes"
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return f"wrote a line that is not JSON: {line[:80]!r}"
        return found if isinstance(found, dict) else f"wrote {line[:80]!r} instead of a JSON object"

    def stop(self) -> None:
        """Kill the process and all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # PermissionError: macOS, where only zombies are left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
