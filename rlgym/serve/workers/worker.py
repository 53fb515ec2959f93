"""One worker process of `rlgym serve`: the application, the socket for clients, and the socket for the other workers.

The supervisor starts it, writes its configuration as one line of JSON to its standard input, and later the commands `drain` and `stop`.
When that input closes, the supervisor is gone and the worker exits too, so that no worker is left behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from rlgym.serve.api.app import create_app
from rlgym.serve.api.middleware import App, Message, Receive, Scope, Send
from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.sessions.store import SessionLocation
from rlgym.serve.telemetry.events import configure_logging, log_event
from rlgym.serve.telemetry.request_log import create_request_log
from rlgym.serve.workers.shared_state import SharedQuotas, SharedState, WorkerState
from rlgym.serve.workers.sockets import open_worker_socket
from rlgym.serve.workers.worker_config import WorkerConfig
from rlgym.serve.workers.worker_rpc import PeerClient, PeerServer, peer_socket_path

HEARTBEAT_SECONDS = 1.0
RPC_MARGIN_SECONDS = 30.0
KEEP_ALIVE_SECONDS = 75
SHARED_STATE_FILE = "shared_state"


class _Server(uvicorn.Server):
    """A uvicorn server that ignores signals: the supervisor says when to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Worker:
    """A running worker."""

    def __init__(self, config: WorkerConfig) -> None:
        self.config, self.settings, self.directory = config, config.settings, Path(config.directory)
        self.worker_id, self.incarnation = self.settings.worker_id, int(self.settings.incarnation, 16)
        self.shared = SharedState(self.directory / SHARED_STATE_FILE)
        self._drain, self._stop = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        """Serve until the supervisor says to stop."""
        await self._connect_to_supervisor()
        log, forwarded = create_request_log(self.config.log_level, self.worker_id), forwarded_counter()
        app = create_app(self.settings, quotas=SharedQuotas(self.shared, self.worker_id), log=log)
        timeout = self.settings.generate_timeout_seconds + self.settings.score_timeout_seconds + RPC_MARGIN_SECONDS
        peers = PeerClient(self.shared, self.directory, timeout, forwarded.inc)
        app.state.service.forward_to_owner, app.state.render_metrics = peers.call, render_metrics_of_all_workers
        socket_path = peer_socket_path(self.directory, SessionLocation(self.worker_id, self.settings.incarnation))
        server = PeerServer(app.state.service.dispatch_forwarded, socket_path, log.log_failure)
        async with app.router.lifespan_context(app):
            await server.start()
            log_event(logging.INFO, "peer socket open", socket=str(socket_path))
            try:
                await self._serve_clients(app)
            finally:
                # The other workers may still be answering requests for sessions of this one.
                self._publish(WorkerState.DRAINED)
                await self._stop.wait()
                await server.close()
                peers.close()

    async def _serve_clients(self, app: FastAPI) -> None:
        heartbeat = asyncio.create_task(self._send_heartbeats())
        while not app.state.ready:
            await asyncio.sleep(0.02)
        listener = open_worker_socket(socket.socket(fileno=self.config.listener_fd))
        server = _Server(self._uvicorn_config(WorkerMiddleware(app, self.shared, self.worker_id)))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        drain_requested = asyncio.create_task(self._drain.wait())
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        self._publish(WorkerState.READY)
        await asyncio.wait([serving, drain_requested], return_when=asyncio.FIRST_COMPLETED)
        self._publish(WorkerState.DRAINING)
        app.state.service.draining = True
        if self.config.drain_delay_seconds and not serving.done():
            stopped = asyncio.create_task(self._stop.wait())
            delay = self.config.drain_delay_seconds
            await asyncio.wait([serving, stopped], timeout=delay, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
        await app.state.drain()
        server.should_exit = True
        await serving
        heartbeat.cancel()
        drain_requested.cancel()

    def _uvicorn_config(self, app: WorkerMiddleware) -> uvicorn.Config:
        return uvicorn.Config(
            app,
            lifespan="off",  # the application's lifespan also covers the requests that other workers forward
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, round(self.config.drain_timeout_seconds)),
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            ws_max_size=self.settings.max_body_bytes,
        )

    async def _connect_to_supervisor(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._drain.set)
        await loop.connect_read_pipe(lambda: _SupervisorCommands(self._drain, self._stop), sys.stdin)

    async def _send_heartbeats(self) -> None:
        while True:
            self.shared.heartbeat(self.worker_id)
            await asyncio.sleep(HEARTBEAT_SECONDS)

    def _publish(self, state: WorkerState) -> None:
        self.shared.set_worker_state(self.worker_id, state, self.incarnation, os.getpid())


class WorkerMiddleware:
    """Adds the worker's id to responses, and keeps /readyz at 503 until all workers have started."""

    def __init__(self, app: App, shared: SharedState, worker_id: int) -> None:
        self._app, self._shared, self._worker_id = app, shared, str(worker_id).encode()
        self._all_started = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""

        async def send_with_worker_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"x-rlgym-worker", self._worker_id)]
            await send(message)

        if scope["type"] == "http" and scope["path"] == "/readyz" and not self._check_all_started():
            error = ServiceError("overloaded", "not every worker of this server has started yet", retry_after=1)
            await error.to_response()(scope, receive, send_with_worker_id)
        else:
            await self._app(scope, receive, send_with_worker_id)

    def _check_all_started(self) -> bool:
        """Whether all workers have been ready at the same time. A worker that is replaced later does not make the service unready."""
        self._all_started = self._all_started or all(slot.state >= WorkerState.READY for slot in self._shared.worker_slots())
        return self._all_started


async def render_metrics_of_all_workers() -> bytes:
    """The metrics of all workers, added up, in Prometheus' text format."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def forwarded_counter() -> Counter:
    """Counts the operations that this worker forwarded."""
    # Nobody reads its registry: counters are written to files in the shared directory, from which all workers are read.
    return Counter("rlgym_forwarded", "operations forwarded to the worker that owns the session", registry=CollectorRegistry())


class _SupervisorCommands(asyncio.Protocol):
    """Reads the supervisor's commands; a closed pipe means that it is gone."""

    def __init__(self, drain: asyncio.Event, stop: asyncio.Event) -> None:
        self._drain, self._stop = drain, stop

    def data_received(self, data: bytes) -> None:
        if b"drain" in data:
            self._drain.set()
        if b"stop" in data:
            self._drain.set()
            self._stop.set()

    def connection_lost(self, error: Exception | None) -> None:
        self._drain.set()
        self._stop.set()


def main() -> None:
    """Read the configuration and serve."""
    # Ctrl-C reaches every process of the terminal; only the supervisor acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o077)
    config = WorkerConfig.from_line(_read_line())
    configure_logging(config.log_level, config.settings.worker_id)
    try:
        import uvloop
    except ImportError:
        asyncio.run(Worker(config).run())
    else:
        uvloop.run(Worker(config).run())


def _read_line() -> str:
    """The first line of standard input, and no byte more: the event loop reads the rest."""
    line = bytearray()
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            sys.exit(1)
        line += byte
    return line.decode()


if __name__ == "__main__":
    main()
