"""Runs what a model wrote for DuckDB in another process, within limits of processor time and memory that DuckDB itself does not keep.

A query can double what DuckDB's compiler builds at every level, and its memory limit counts only what the executor stores. The engine therefore runs
in a process with limits from the kernel, which is started once, serves one query after another, and is replaced where a limit ended it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from rlgym.sandbox.interface import SandboxError
from rlgym.sandbox.sqlite import QueryFailed, Row, Table, Why

SECONDS = 2.0
"""Processor time of a query on all its databases; the kernel counts whole seconds, so up to one more."""
WALL_FACTOR, STARTING = 10.0, 60.0
MOST_ANSWER = 16 << 20
MOST_IDLE = 4
ENGINE = Path(__file__).with_name("duckdb_engine.py")
_idle: dict[int, list[DuckProcess]] = {}  # by the process that started them: after a fork they are the parent's


class DuckProcess:
    """One engine, for one query at a time. `lost` says that it is of no more use."""

    def __init__(self) -> None:
        ours, theirs = Pipe()
        self.lost = False
        self._channel = ours
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(ENGINE), str(theirs.fileno())],
            env={**os.environ, "MALLOC_ARENA_MAX": "1"},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        theirs.close()
        try:
            self._ask(["begin", STARTING], STARTING)
        except (QueryFailed, OSError, EOFError) as error:
            self.close()
            raise SandboxError(f"DuckDB could not be started in a process of its own: {error}") from None

    def begin(self) -> None:
        """Forget the tables of the query before, and start the time of another; OSError or EOFError if the engine has gone meanwhile."""
        self._deadline = time.monotonic() + WALL_FACTOR * SECONDS
        self._ask(["begin", SECONDS], WALL_FACTOR * SECONDS)

    def tree(self, query: str) -> dict[str, Any]:
        """The syntax tree of a query. QueryFailed as `run`."""
        try:
            return dict(json.loads(self._asked(["tree", query])))
        except RecursionError:
            raise QueryFailed(Why.WORK, "the query is nested too deep") from None

    def run(self, tables: Sequence[Table], query: str, most: int) -> list[Row]:
        """The rows of a query on these tables, at most `most` and one. QueryFailed says why there are none."""
        sent = [(table.name, table.columns, table.rows) for table in tables]
        return [tuple(row) for row in self._asked(["run", sent, query, most])]

    def _asked(self, request: list[Any]) -> Any:
        try:
            return self._ask(request, self._deadline - time.monotonic())
        except (OSError, EOFError) as error:
            self.close()
            # A limit of the kernel, or a stack that overflowed, ended the engine: the query did that. One that does not answer is killed here.
            memory = not isinstance(error, TimeoutError) and self._process.returncode in (-signal.SIGABRT, -signal.SIGKILL)
            raise QueryFailed(Why.WORK, f"the query takes too {'much memory' if memory else 'long'}") from None

    def _ask(self, request: list[Any], seconds: float) -> Any:
        lost, self.lost = self.lost, True  # until it has answered in full
        self._channel.send_bytes(json.dumps(request).encode())
        if not self._channel.poll(max(0.0, seconds)):
            raise TimeoutError("the engine does not answer")
        answer = json.loads(self._channel.recv_bytes(MOST_ANSWER))
        self.lost = lost
        if answer[0] == "ok":
            return answer[1]
        _, goes_on, work, message = answer
        self.lost = self.lost or not goes_on
        raise QueryFailed(Why.WORK if work else Why.ERROR, message)

    def close(self) -> None:
        """End the engine, whatever it does."""
        self.lost = True
        self._channel.close()
        if self._process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # it may be ending by itself, and its status says why
                self._process.wait(0.05)
        self._process.kill()
        self._process.wait()


@contextlib.contextmanager
def borrowed_engine() -> Iterator[DuckProcess]:
    """An engine that has begun a query: one that rests, or a new one. SandboxError where none can be started."""
    engine = _begun()
    try:
        yield engine
    finally:
        resting = _idle.setdefault(os.getpid(), [])
        if engine.lost or len(resting) >= MOST_IDLE:
            engine.close()
        else:
            resting.append(engine)


def _begun() -> DuckProcess:
    if os.getpid() not in _idle:
        _idle[os.getpid()] = []
        atexit.register(_close_idle, os.getpid())
    resting = _idle[os.getpid()]
    while resting:
        with contextlib.suppress(IndexError):  # another thread may have taken it
            engine = resting.pop()
            try:
                engine.begin()
            except (OSError, EOFError, QueryFailed):
                engine.close()
            else:
                return engine
    engine = DuckProcess()
    engine.begin()
    return engine


def _close_idle(owner: int) -> None:
    if owner == os.getpid():
        for engine in _idle.pop(owner, []):
            engine.close()
