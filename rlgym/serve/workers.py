"""The supervisor of `rlgym serve`: it holds the port, starts the workers, replaces those that die, and ends them in good order."""

from __future__ import annotations

import logging
import os
import secrets
import select
import shutil
import signal
import site
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import rlgym
from rlgym import RlgymError
from rlgym.serve.board import Board, State
from rlgym.serve.events import event, log_to_stderr
from rlgym.serve.listening import held
from rlgym.serve.orders import Orders
from rlgym.serve.settings import Settings

METRICS = "PROMETHEUS_MULTIPROC_DIR"
STEADY = 10.0  # seconds that a worker must have been ready for its start to count as good
LONGEST_PAUSE = 30.0
MOST_FAILURES = 5
FIRST_PAUSE = 0.5
LOOK = 0.25
COMMAND = (sys.executable, "-P", "-m", "rlgym.serve.worker")


class WorkersKeepDying(RlgymError):
    """A worker ended again and again right after it was started."""


@dataclass(frozen=True)
class Plan:
    """How a service is run.

    grace   seconds that requests which are under way have to finish once the service is told to end
    linger  seconds before that in which it still takes requests but calls itself not ready, so that whoever spreads requests finds out
    silent  seconds after which a worker that gives no sign of life is killed and replaced
    """

    settings: Settings
    host: str = "127.0.0.1"
    port: int = 8000
    grace: float = 30.0
    linger: float = 0.0
    silent: float = 120.0
    log_level: str = "info"


@dataclass
class _Child:
    """A worker as its supervisor sees it."""

    number: int
    process: subprocess.Popen[bytes] | None = None
    incarnation: int = 0
    started: float = 0.0
    failures: int = 0
    again_at: float = 0.0
    state: State = field(default=State.DOWN)

    def say(self, word: str) -> None:
        if self.process is not None and self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.write(word.encode())
                self.process.stdin.flush()


class Fleet:
    """The workers of one service."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._held = held(plan.host, plan.port)
        self.port: int = self._held.getsockname()[1]
        self._folder = Path(tempfile.mkdtemp(prefix="rlgym-serve-"))  # nobody else may enter it
        (self._folder / "metrics").mkdir()
        self.board = Board.make(self._folder / "board", plan.settings.workers)
        self._children = [_Child(number) for number in range(plan.settings.workers)]
        self._signals: list[int] = []
        self._announced = False

    def run(self) -> None:
        """Serve until a signal says to end; WorkersKeepDying when a worker cannot be kept alive."""
        with self._listening_to_signals() as woken:
            try:
                while not self._signals:
                    self._look()
                    select.select([woken], [], [], LOOK)
                    _emptied(woken)
                self._end(woken)
            finally:
                self._kill()
                self.board.close()
                self._held.close()
                shutil.rmtree(self._folder, ignore_errors=True)

    def _look(self) -> None:
        """Start what is to be started, and see who died, is silent, or has become ready."""
        now = time.monotonic()
        for child in self._children:
            if child.process is None:
                if now >= child.again_at:
                    self._start(child)
                continue
            seat = self.board.seat(child.number)
            if (code := child.process.poll()) is not None:
                self._died(child, code)
            elif now - seat.beat > self._plan.silent:
                event(logging.ERROR, "a worker gives no sign of life and is killed", of=child.number, seconds=round(now - seat.beat))
                child.process.kill()
            elif seat.state == State.DRAINED:  # somebody told this worker alone to end
                child.say("stop\n")
            elif seat.state != child.state:
                child.state = seat.state
                if seat.state == State.READY:
                    event(logging.INFO, "worker ready", of=child.number, process=seat.process, seconds=round(now - child.started, 2))
        if not self._announced and all(child.state == State.READY for child in self._children):
            self._announced = True
            event(logging.INFO, "ready", address=f"http://{_shown(self._plan.host)}:{self.port}", workers=len(self._children))

    def _start(self, child: _Child) -> None:
        child.incarnation, child.started, child.state = int(secrets.token_hex(4), 16), time.monotonic(), State.STARTING
        settings = replace(self._plan.settings, worker=child.number, incarnation=f"{child.incarnation:08x}")
        orders = Orders(settings, str(self._folder), self._held.fileno(), self._plan.grace, self._plan.linger, self._plan.log_level)
        child.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            pass_fds=[self._held.fileno()],
            env=os.environ | {METRICS: str(self._folder / "metrics")} | _findable(),
        )
        self.board.sit(child.number, State.STARTING, child.incarnation, child.process.pid)
        child.say(orders.write())

    def _died(self, child: _Child, code: int) -> None:
        """Give back what the worker held, and plan its next start."""
        assert child.process is not None
        process = child.process.pid
        self._bury(child)
        steady = child.state == State.READY and time.monotonic() - child.started > STEADY
        child.failures = 1 if steady else child.failures + 1
        pause = 0.0 if steady else min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (child.failures - 1))
        child.again_at, child.state = time.monotonic() + pause, State.DOWN
        event(logging.ERROR, "a worker died", of=child.number, process=process, how=_how(code), again_in=pause)
        if child.failures >= MOST_FAILURES:
            raise WorkersKeepDying(
                f"worker {child.number} ended {child.failures} times soon after its start, the last time with {_how(code)}; "
                "what it wrote to standard error says why"
            )

    def _bury(self, child: _Child) -> None:
        from prometheus_client.multiprocess import mark_process_dead

        assert child.process is not None
        self.board.leave(child.number)
        mark_process_dead(child.process.pid, str(self._folder / "metrics"))  # type: ignore[no-untyped-call]
        (self._folder / f"{child.number}-{child.incarnation:08x}.sock").unlink(missing_ok=True)
        if child.process.stdin is not None:
            with suppress(OSError):
                child.process.stdin.close()
        child.process = None

    def _end(self, woken: socket.socket) -> None:
        """Let requests finish, for as long as the grace; a second signal ends everything at once."""
        event(logging.INFO, "ending", signal=signal.Signals(self._signals[0]).name, grace=self._plan.grace)
        deadline = time.monotonic() + self._plan.linger + self._plan.grace + 2
        for word, done in (("drain\n", State.DRAINED), ("stop\n", None)):
            for child in self._children:
                child.say(word)
            while len(self._signals) < 2 and time.monotonic() < deadline and not all(self._done(child, done) for child in self._children):
                select.select([woken], [], [], 0.05)
                _emptied(woken)
        late = [child.number for child in self._children if not self._done(child, None)]
        event(logging.WARNING if late else logging.INFO, "ended", killed=late)

    def _done(self, child: _Child, state: State | None) -> bool:
        """Whether a worker is as far as this, or has ended."""
        ended = child.process is None or child.process.poll() is not None
        return ended or (state is not None and self.board.seat(child.number).state == state)

    def _kill(self) -> None:
        for child in self._children:
            if child.process is not None:
                with suppress(OSError):
                    child.process.kill()
                child.process.wait()
                self._bury(child)

    @contextmanager
    def _listening_to_signals(self) -> Iterator[socket.socket]:
        """Note the signals to end; each of them, and each child's death, makes the socket readable."""
        woken, waking = socket.socketpair()
        woken.setblocking(False)
        waking.setblocking(False)
        handlers = {signal.SIGTERM: self._note, signal.SIGINT: self._note, signal.SIGCHLD: lambda *_: None}
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        wakeup = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        try:
            yield woken
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            woken.close()
            waking.close()

    def _note(self, number: int, _frame: object) -> None:
        self._signals.append(number)


def serve(plan: Plan) -> None:
    """Run the service of a plan until a signal ends it."""
    log_to_stderr(plan.log_level, None)
    Fleet(plan).run()


def _emptied(woken: socket.socket) -> None:
    with suppress(BlockingIOError):
        woken.recv(4096)


def _how(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _findable() -> dict[str, str]:
    """What a worker's Python needs to find this very library, where it is not installed for good."""
    root = str(Path(rlgym.__path__[0]).resolve().parent)
    if root in (*site.getsitepackages(), site.getusersitepackages()):
        return {}
    return {"PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))}
