"""The supervisor of `rlgym serve`: it reserves the port, starts the workers, replaces those that die, and shuts them down in order."""

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
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.events import configure_logging, log_event
from rlgym.serve.workers.shared_state import SharedState, WorkerState
from rlgym.serve.workers.sockets import reserve_address
from rlgym.serve.workers.worker_config import WorkerConfig

METRICS_DIRECTORY_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
STABLE_SECONDS = 10.0  # a worker that has been ready for this long is restarted without a pause
MAX_RESTART_PAUSE = 30.0
FIRST_RESTART_PAUSE = 0.5
MAX_FAILED_STARTS = 5
POLL_SECONDS = 0.25
SHUTDOWN_POLL_SECONDS = 0.05
SHUTDOWN_MARGIN_SECONDS = 2.0
WORKER_COMMAND = (sys.executable, "-P", "-m", "rlgym.serve.workers.worker")


class CrashLoop(RlgymError):
    """A worker died repeatedly right after its start."""


@dataclass(frozen=True)
class SupervisorConfig:
    """How a service runs.

    drain_timeout_seconds      time that requests in flight get to finish at shutdown
    drain_delay_seconds        time before that in which the service still accepts requests but reports that it is not ready, so that
                               load balancers move on
    heartbeat_timeout_seconds  a worker without a heartbeat for this long is killed and replaced
    """

    settings: Settings
    host: str = "127.0.0.1"
    port: int = 8000
    drain_timeout_seconds: float = 30.0
    drain_delay_seconds: float = 0.0
    heartbeat_timeout_seconds: float = 120.0
    log_level: str = "info"


@dataclass
class _Child:
    """A worker process as its supervisor sees it."""

    worker_id: int
    process: subprocess.Popen[bytes] | None = None
    incarnation: int = 0
    started_at: float = 0.0
    failed_starts: int = 0
    restart_at: float = 0.0
    state: WorkerState = field(default=WorkerState.DOWN)

    def send(self, line: str) -> None:
        if self.process is not None and self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.write(line.encode())
                self.process.stdin.flush()


class Supervisor:
    """Runs the workers of one service."""

    def __init__(self, config: SupervisorConfig) -> None:
        self._config = config
        self._reserved = reserve_address(config.host, config.port)
        self.port: int = self._reserved.getsockname()[1]
        self._directory = Path(tempfile.mkdtemp(prefix="rlgym-serve-"))  # accessible to this user only
        (self._directory / "metrics").mkdir()
        self.shared = SharedState.create(self._directory / "shared_state", config.settings.num_workers)
        self._children = [_Child(worker_id) for worker_id in range(config.settings.num_workers)]
        self._signals: list[int] = []
        self._announced = False

    def run(self) -> None:
        """Serve until a signal says to stop; CrashLoop if a worker cannot be kept alive."""
        with self._signal_handlers() as wakeup:
            try:
                while not self._signals:
                    self._poll_workers()
                    select.select([wakeup], [], [], POLL_SECONDS)
                    _drain_socket(wakeup)
                self._shut_down(wakeup)
            finally:
                self._kill_all()
                self.shared.close()
                self._reserved.close()
                shutil.rmtree(self._directory, ignore_errors=True)

    def _poll_workers(self) -> None:
        """Start workers that are due, and handle those that died, hang, or changed state."""
        now = time.monotonic()
        for child in self._children:
            if child.process is not None:
                self._poll_worker(child, child.process, now)
            elif now >= child.restart_at:
                self._start(child)
        if not self._announced and all(child.state == WorkerState.READY for child in self._children):
            self._announced = True
            log_event(logging.INFO, "ready", url=f"http://{_url_host(self._config.host)}:{self.port}", workers=len(self._children))

    def _poll_worker(self, child: _Child, process: subprocess.Popen[bytes], now: float) -> None:
        slot = self.shared.worker_slot(child.worker_id)
        if (exit_code := process.poll()) is not None:
            self._handle_death(child, process.pid, exit_code)
        elif now - slot.heartbeat_at > self._config.heartbeat_timeout_seconds:
            log_event(logging.ERROR, "worker heartbeat timed out", worker_id=child.worker_id, seconds=round(now - slot.heartbeat_at))
            process.kill()
        elif slot.state == WorkerState.DRAINED:  # somebody sent SIGTERM to this worker alone
            child.send("stop\n")
        elif slot.state != child.state:
            child.state = slot.state
            if slot.state == WorkerState.READY:
                seconds = round(now - child.started_at, 2)
                log_event(logging.INFO, "worker ready", worker_id=child.worker_id, pid=slot.pid, seconds=seconds)

    def _start(self, child: _Child) -> None:
        child.incarnation, child.started_at, child.state = int(secrets.token_hex(4), 16), time.monotonic(), WorkerState.STARTING
        config = WorkerConfig(
            replace(self._config.settings, worker_id=child.worker_id, incarnation=f"{child.incarnation:08x}"),
            str(self._directory),
            self._reserved.fileno(),
            self._config.drain_timeout_seconds,
            self._config.drain_delay_seconds,
            self._config.log_level,
        )
        child.process = subprocess.Popen(
            WORKER_COMMAND,
            stdin=subprocess.PIPE,
            pass_fds=[self._reserved.fileno()],
            env=os.environ | {METRICS_DIRECTORY_VARIABLE: str(self._directory / "metrics")} | _import_path(),
        )
        self.shared.set_worker_state(child.worker_id, WorkerState.STARTING, child.incarnation, child.process.pid)
        child.send(config.to_line())

    def _handle_death(self, child: _Child, pid: int, exit_code: int) -> None:
        """Clean up after a worker and schedule its restart, with exponential backoff unless it had been stable."""
        self._clean_up(child)
        stable = child.state == WorkerState.READY and time.monotonic() - child.started_at > STABLE_SECONDS
        child.failed_starts = 1 if stable else child.failed_starts + 1
        pause = 0.0 if stable else min(MAX_RESTART_PAUSE, FIRST_RESTART_PAUSE * 2 ** (child.failed_starts - 1))
        child.restart_at, child.state = time.monotonic() + pause, WorkerState.DOWN
        exit_text = _describe_exit(exit_code)
        log_event(logging.ERROR, "worker died", worker_id=child.worker_id, pid=pid, exit=exit_text, restart_in=pause)
        if child.failed_starts >= MAX_FAILED_STARTS:
            raise CrashLoop(
                f"worker {child.worker_id} died {child.failed_starts} times right after its start, the last time with {exit_text}; "
                "see its messages on standard error"
            )

    def _clean_up(self, child: _Child) -> None:
        """Release everything that a dead worker held."""
        from prometheus_client.multiprocess import mark_process_dead

        assert child.process is not None
        self.shared.mark_down(child.worker_id)
        mark_process_dead(child.process.pid, str(self._directory / "metrics"))  # type: ignore[no-untyped-call]
        (self._directory / f"{child.worker_id}-{child.incarnation:08x}.sock").unlink(missing_ok=True)
        if child.process.stdin is not None:
            with suppress(OSError):
                child.process.stdin.close()
        child.process = None

    def _shut_down(self, wakeup: socket.socket) -> None:
        """Let requests finish within the drain timeout; a second signal stops everything at once."""
        config = self._config
        signal_name = signal.Signals(self._signals[0]).name
        log_event(logging.INFO, "shutting down", signal=signal_name, drain_timeout=config.drain_timeout_seconds)
        deadline = time.monotonic() + config.drain_delay_seconds + config.drain_timeout_seconds + SHUTDOWN_MARGIN_SECONDS
        for command, target in (("drain\n", WorkerState.DRAINED), ("stop\n", None)):
            for child in self._children:
                child.send(command)
            while len(self._signals) < 2 and time.monotonic() < deadline and not self._all_reached(target):
                select.select([wakeup], [], [], SHUTDOWN_POLL_SECONDS)
                _drain_socket(wakeup)
        killed = [child.worker_id for child in self._children if not self._has_reached(child, None)]
        log_event(logging.WARNING if killed else logging.INFO, "shut down", killed=killed)

    def _all_reached(self, state: WorkerState | None) -> bool:
        return all(self._has_reached(child, state) for child in self._children)

    def _has_reached(self, child: _Child, state: WorkerState | None) -> bool:
        """Whether a worker is in this state or has exited."""
        exited = child.process is None or child.process.poll() is not None
        return exited or (state is not None and self.shared.worker_slot(child.worker_id).state == state)

    def _kill_all(self) -> None:
        for child in self._children:
            if child.process is not None:
                with suppress(OSError):
                    child.process.kill()
                child.process.wait()
                self._clean_up(child)

    @contextmanager
    def _signal_handlers(self) -> Iterator[socket.socket]:
        """Record stop signals; each of them, and each child's death, makes the yielded socket readable."""
        wakeup, notify = socket.socketpair()
        wakeup.setblocking(False)
        notify.setblocking(False)
        handlers = {signal.SIGTERM: self._record_signal, signal.SIGINT: self._record_signal, signal.SIGCHLD: lambda *_: None}
        previous = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        previous_fd = signal.set_wakeup_fd(notify.fileno(), warn_on_full_buffer=False)
        try:
            yield wakeup
        finally:
            signal.set_wakeup_fd(previous_fd)
            for number, handler in previous.items():
                signal.signal(number, handler)
            wakeup.close()
            notify.close()

    def _record_signal(self, number: int, _frame: object) -> None:
        self._signals.append(number)


def run_service(config: SupervisorConfig) -> None:
    """Run a service until a signal stops it."""
    configure_logging(config.log_level, None)
    Supervisor(config).run()


def _drain_socket(wakeup: socket.socket) -> None:
    with suppress(BlockingIOError):
        wakeup.recv(4096)


def _describe_exit(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _url_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _import_path() -> dict[str, str]:
    """The PYTHONPATH with which a worker imports this very package, if it is not installed."""
    root = str(Path(rlgym.__path__[0]).resolve().parent)
    if root in (*site.getsitepackages(), site.getusersitepackages()):
        return {}
    return {"PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))}
