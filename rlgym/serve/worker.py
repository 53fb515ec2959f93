"""One worker process of `rlgym serve`: the application, the socket that clients reach, and the one that the other workers reach.

The supervisor starts it, writes what it is to do as one line of JSON to its standard input, and later the words `drain` and `stop`. When
that input ends, the supervisor is gone and the worker ends too, so that none is ever left behind.
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

from rlgym.serve.app import application
from rlgym.serve.board import Board, SharedQuotas, State
from rlgym.serve.errors import ServiceError
from rlgym.serve.events import event, log_to_stderr, request_log
from rlgym.serve.gate import App, Message, Receive, Scope, Send
from rlgym.serve.listening import of_worker
from rlgym.serve.orders import Orders
from rlgym.serve.relay import Colleagues, Ear, socket_of

BEAT = 1.0


class _Server(uvicorn.Server):
    """Leaves signals alone: the supervisor says when to end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Worker:
    """A worker at work."""

    def __init__(self, orders: Orders) -> None:
        self.orders, self.settings, self.folder = orders, orders.settings, Path(orders.folder)
        self.number, self.incarnation = self.settings.worker, int(self.settings.incarnation, 16)
        self.board = Board(self.folder / "board")
        self._drain, self._stop = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        """Serve until told to stop."""
        await self._listen_to_supervisor()
        log, passed_on = request_log(self.orders.log_level, self.number), counter()
        app = application(self.settings, quotas=SharedQuotas(self.board, self.number), log=log)
        seconds = self.settings.draw_seconds + self.settings.judge_seconds + 30
        colleagues = Colleagues(self.board, self.folder, seconds, passed_on.inc)
        app.state.desk.elsewhere, app.state.metrics_text = colleagues.ask, metrics_of_all
        place = socket_of(self.folder, self.number, self.settings.incarnation)
        ear = Ear(app.state.desk.asked, place, log.broken)
        async with app.router.lifespan_context(app):
            await ear.open()
            event(logging.INFO, "listening between workers", socket=str(place))
            try:
                await self._serve(app)
            finally:
                # The others may still be answering requests for sessions that are here.
                self._say(State.DRAINED)
                await self._stop.wait()
                await ear.close()
                colleagues.close()

    async def _serve(self, app: FastAPI) -> None:
        beating = asyncio.create_task(self._beat())
        while not app.state.ready:
            await asyncio.sleep(0.02)
        listening = of_worker(socket.socket(fileno=self.orders.listening))
        server = _Server(self._config(Signed(app, self.board, self.number)))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        told = asyncio.create_task(self._drain.wait())
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        self._say(State.READY)
        await asyncio.wait([serving, told], return_when=asyncio.FIRST_COMPLETED)
        self._say(State.DRAINING)
        app.state.desk.draining = True
        if self.orders.linger and not serving.done():
            stopped = asyncio.create_task(self._stop.wait())
            await asyncio.wait([serving, stopped], timeout=self.orders.linger, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
        await app.state.drain()
        server.should_exit = True
        await serving
        beating.cancel()
        told.cancel()

    def _config(self, app: Signed) -> uvicorn.Config:
        return uvicorn.Config(
            app,
            lifespan="off",  # it spans the requests that other workers pass on, too
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, round(self.orders.grace)),
            timeout_keep_alive=75,
            ws_max_size=self.settings.max_body,
        )

    async def _listen_to_supervisor(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._drain.set)
        await loop.connect_read_pipe(lambda: _Words(self._drain, self._stop), sys.stdin)

    async def _beat(self) -> None:
        while True:
            self.board.beat(self.number)
            await asyncio.sleep(BEAT)

    def _say(self, state: State) -> None:
        self.board.sit(self.number, state, self.incarnation, os.getpid())


class Signed:
    """Goes around a worker's application: says which worker answered, and that the service is not ready before all of them are."""

    def __init__(self, app: App, board: Board, worker: int) -> None:
        self._app, self._board, self._worker = app, board, str(worker).encode()
        self._all_were_up = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def signed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"x-rlgym-worker", self._worker)]
            await send(message)

        if scope["type"] == "http" and scope["path"] == "/readyz" and not self._up():
            refused = ServiceError("full", "not every worker of this server has started yet", retry_after=1)
            await refused.reply()(scope, receive, signed)
        else:
            await self._app(scope, receive, signed)

    def _up(self) -> bool:
        """Whether all workers have been ready at once. Later on, one that is being replaced does not keep the others from serving."""
        self._all_were_up = self._all_were_up or all(seat.state >= State.READY for seat in self._board.seats())
        return self._all_were_up


async def metrics_of_all() -> bytes:
    """The counters of all workers, added up, in Prometheus' text format."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def counter() -> Counter:
    """Of the operations that this worker passed on."""
    # Its registry is never read: what is counted lies in the shared folder, from where all workers' counters are read.
    return Counter("rlgym_passed_on", "operations passed on to the worker that has the session", registry=CollectorRegistry())


class _Words(asyncio.Protocol):
    """What the supervisor says; its end means that it is gone."""

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
    """Read the orders and work."""
    # A Ctrl-C reaches every process of the terminal; the supervisor alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o077)
    orders = Orders.read(_line())
    log_to_stderr(orders.log_level, orders.settings.worker)
    try:
        import uvloop
    except ImportError:
        asyncio.run(Worker(orders).run())
    else:
        uvloop.run(Worker(orders).run())


def _line() -> str:
    """The first line of standard input, and no byte more: the event loop reads the rest."""
    read = bytearray()
    while not read.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            sys.exit(1)
        read += byte
    return read.decode()


if __name__ == "__main__":
    main()
