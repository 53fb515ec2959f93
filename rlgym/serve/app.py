"""The whole service of one worker, as an ASGI application."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Response
from starlette.websockets import WebSocket

import rlgym
from rlgym.serve import errors, page, play, runs
from rlgym.serve.desk import Desk
from rlgym.serve.errors import ServiceError
from rlgym.serve.gate import Gate
from rlgym.serve.keys import Keys, LocalQuotas, Quotas
from rlgym.serve.logs import Log
from rlgym.serve.metrics import Metrics
from rlgym.serve.settings import Settings
from rlgym.serve.socket import Sockets
from rlgym.serve.threads import Threads

SWEEP_SECONDS = 1.0


def application(
    settings: Settings,
    *,
    clock: Callable[[], float] = time.monotonic,
    quotas: Quotas | None = None,
    log: Log | None = None,
) -> FastAPI:
    """The application of one worker.

    clock    what sessions' lives are measured with
    quotas   counters that workers share; this process' own where none are given
    log      where requests are noted; None follows `settings.log`

    Its state holds `desk` (with `elsewhere`, which is asked for the sessions of other workers), `sockets`, `metrics_text` (what
    /metrics answers) and `drain`, which refuses new sessions and closes sockets.
    """
    keys = Keys.read(settings.keys)
    log = log or (Log.to_stderr(settings.worker) if settings.log else Log(None, settings.worker))
    threads = Threads(settings.threads, settings.most_stuck)
    desk = Desk(settings, quotas or LocalQuotas(clock), Metrics(), threads, log, clock)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        async with _life(app, desk, threads):
            yield

    app = FastAPI(title="rlgym", version=rlgym.__version__, lifespan=life, docs_url=None, redoc_url=None, redirect_slashes=False)
    errors.install(app)
    gate = Gate(app.router, desk, keys, log)  # for sockets; requests pass the one below
    sockets = Sockets(desk, gate, log)
    app.add_middleware(Gate, desk=desk, keys=keys, log=log)
    app.state.desk, app.state.sockets, app.state.settings, app.state.ready = desk, sockets, settings, False
    app.state.metrics_text, app.state.drain = _own_metrics(desk), _drainer(desk, sockets)
    _route(app, desk, sockets)
    _describe(app, keyed=keys is not None)
    return app


def _route(app: FastAPI, desk: Desk, sockets: Sockets) -> None:
    """All addresses."""
    app.include_router(play.router(desk))
    app.include_router(runs.router(desk.settings))
    _health(app)

    @app.websocket("/v1/play")
    async def play_socket(socket: WebSocket) -> None:
        await sockets.serve(socket)

    if desk.settings.page:
        app.include_router(page.router(desk.settings), include_in_schema=False)


@asynccontextmanager
async def _life(app: FastAPI, desk: Desk, threads: Threads) -> AsyncIterator[None]:
    """What goes on beside the requests, from start to stop."""
    settings, before = desk.settings, sys.getswitchinterval()
    if settings.switch_seconds is not None:
        # A thread that draws a task would else keep the event loop waiting 5 ms for each of its turns.
        sys.setswitchinterval(settings.switch_seconds)
    desk.draining = False
    beside = [asyncio.create_task(_sweep(desk)), asyncio.create_task(_warm(app, desk))]
    try:
        yield
    finally:
        app.state.ready = False
        await app.state.drain()
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        threads.close()
        sys.setswitchinterval(before)


async def _sweep(desk: Desk) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        desk.sweep()


async def _warm(app: FastAPI, desk: Desk) -> None:
    app.state.ready = not desk.settings.warm
    # The list takes seconds where it was never made; one worker makes it before somebody asks, and keeps it for all.
    if desk.settings.warm or (desk.settings.catalogue and desk.settings.worker == 0):
        with suppress(ServiceError):
            await desk.threads.run(desk.catalogue.entries, 600, "making the catalogue")
    app.state.ready = True


def _own_metrics(desk: Desk) -> Callable[[], Awaitable[bytes]]:
    async def text() -> bytes:
        return desk.metrics.text()

    return text


def _drainer(desk: Desk, sockets: Sockets) -> Callable[[], Awaitable[None]]:
    async def drain() -> None:
        desk.draining = True
        await sockets.drain()

    return drain


def _describe(app: FastAPI, keyed: bool) -> None:
    """Say in the description that keys are asked for, which the gate reads, so that no route has to."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            told = _whole(plain())
            if keyed:
                scheme = {"type": "http", "scheme": "bearer", "description": "a key of the service's key file"}
                told["components"]["securitySchemes"] = {"key": scheme}
                for path in told["paths"].values():
                    for route in path.values():
                        route["security"] = [{"key": []}]
            app.openapi_schema = told
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _whole(told: Any) -> Any:
    """The description with whole numbers as such: the framework makes floats of bounds, and 2**63 as a float is read as more."""
    if isinstance(told, dict):
        return {name: _whole(value) for name, value in told.items()}
    if isinstance(told, list):
        return [_whole(value) for value in told]
    return int(told) if isinstance(told, float) and told.is_integer() else told


def _health(app: FastAPI) -> None:
    """The routes for those who run the service."""
    hidden: dict[str, Any] = {"include_in_schema": False}

    @app.get("/healthz", **hidden)
    async def healthz() -> dict[str, bool]:
        return {"alive": True}

    @app.get("/readyz", **hidden)
    async def readyz() -> dict[str, bool]:
        if app.state.desk.draining:
            raise ServiceError("draining", "this server is about to stop", retry_after=5)
        if not app.state.ready:
            raise ServiceError("full", "this server is starting", retry_after=1)
        return {"ready": True}

    @app.get("/metrics", **hidden)
    async def metrics() -> Response:
        return Response(await app.state.metrics_text(), media_type="text/plain; version=0.0.4; charset=utf-8")
