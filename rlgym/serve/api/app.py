"""The ASGI application of one worker."""

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
from rlgym.serve.access.keys import KeyStore
from rlgym.serve.access.quotas import LocalQuotas, Quotas
from rlgym.serve.api.auth import Authenticator
from rlgym.serve.api.error_handlers import install_error_handlers
from rlgym.serve.api.middleware import AuthMiddleware
from rlgym.serve.api.page_routes import create_page_router
from rlgym.serve.api.run_routes import create_run_router
from rlgym.serve.api.session_routes import create_session_router
from rlgym.serve.api.task_routes import IMPORT_TIMEOUT_SECONDS, create_task_router
from rlgym.serve.api.websocket import WebSocketEndpoint
from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.sessions.service import SessionService
from rlgym.serve.sessions.thread_pool import ThreadPool
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.metrics import Metrics
from rlgym.serve.telemetry.request_log import RequestLog

REAP_INTERVAL_SECONDS = 1.0


def create_app(
    settings: Settings, *, clock: Callable[[], float] = time.monotonic, quotas: Quotas | None = None, log: RequestLog | None = None
) -> FastAPI:
    """Create the application of one worker.

    clock    measures the idle time of sessions
    quotas   counters that workers share; None counts in this process only
    log      the request log; None follows `settings.log_requests`

    `app.state` holds `service` (whose `forward_to_owner` reaches the sessions of other workers), `websockets`, `render_metrics`
    (the body of /metrics), `ready`, and `drain`, which rejects new sessions and closes WebSockets.
    """
    keys = KeyStore.load(settings.key_file)
    log = log or (RequestLog.to_stderr(settings.worker_id) if settings.log_requests else RequestLog(None, settings.worker_id))
    thread_pool = ThreadPool(settings.num_threads, settings.max_stuck_threads)
    service = SessionService(settings, quotas or LocalQuotas(clock), Metrics(), thread_pool, log, clock)
    authenticator = Authenticator(settings, keys)
    websockets = WebSocketEndpoint(service, authenticator, log)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with _run_background_tasks(app, service):
            yield

    app = FastAPI(title="rlgym", version=rlgym.__version__, lifespan=lifespan, docs_url=None, redoc_url=None, redirect_slashes=False)
    install_error_handlers(app)
    app.add_middleware(AuthMiddleware, service=service, authenticator=authenticator, log=log)
    app.state.service, app.state.websockets, app.state.settings, app.state.ready = service, websockets, settings, False
    app.state.render_metrics, app.state.drain = _local_metrics(service), _create_drain(service, websockets)
    _add_routes(app, service, websockets)
    _customize_openapi(app, requires_key=authenticator.requires_key)
    return app


def _add_routes(app: FastAPI, service: SessionService, websockets: WebSocketEndpoint) -> None:
    app.include_router(create_task_router(service))
    app.include_router(create_session_router(service))
    app.include_router(create_run_router(service.settings))
    _add_operational_routes(app)

    @app.websocket("/v1/play")
    async def play(socket: WebSocket) -> None:
        await websockets.serve(socket)

    if service.settings.serve_page:
        app.include_router(create_page_router(service.settings), include_in_schema=False)


@asynccontextmanager
async def _run_background_tasks(app: FastAPI, service: SessionService) -> AsyncIterator[None]:
    """Reap idle sessions and preload environments between start and stop."""
    settings, previous_interval = service.settings, sys.getswitchinterval()
    if settings.thread_switch_seconds is not None:
        # By default a thread that generates a task would delay each iteration of the event loop by 5 ms.
        sys.setswitchinterval(settings.thread_switch_seconds)
    service.draining = False
    tasks = [asyncio.create_task(_reap_periodically(service)), asyncio.create_task(_preload(app, service))]
    try:
        yield
    finally:
        app.state.ready = False
        await app.state.drain()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        service.thread_pool.close()
        sys.setswitchinterval(previous_interval)


async def _reap_periodically(service: SessionService) -> None:
    while True:
        await asyncio.sleep(REAP_INTERVAL_SECONDS)
        service.reap_idle_sessions()


async def _preload(app: FastAPI, service: SessionService) -> None:
    settings = service.settings
    app.state.ready = not settings.preload
    # Building the catalogue takes seconds. One worker builds it before a client asks, and caches it for all.
    if settings.preload or (settings.catalogue_cache and settings.worker_id == 0):
        with suppress(ServiceError):
            await service.thread_pool.run(service.catalogue.entries, IMPORT_TIMEOUT_SECONDS, "building the catalogue")
    app.state.ready = True


def _local_metrics(service: SessionService) -> Callable[[], Awaitable[bytes]]:
    async def render() -> bytes:
        return service.metrics.exposition()

    return render


def _create_drain(service: SessionService, websockets: WebSocketEndpoint) -> Callable[[], Awaitable[None]]:
    async def drain() -> None:
        service.draining = True
        await websockets.drain()

    return drain


def _customize_openapi(app: FastAPI, requires_key: bool) -> None:
    """Add the security scheme to the OpenAPI schema. The middleware checks keys, so that routes do not declare them."""
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = _restore_integers(generate())
            if requires_key:
                scheme = {"type": "http", "scheme": "bearer", "description": "a key of the service's key file"}
                schema["components"]["securitySchemes"] = {"key": scheme}
                for path in schema["paths"].values():
                    for route in path.values():
                        route["security"] = [{"key": []}]
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _restore_integers(schema: Any) -> Any:
    """Convert integral floats back to integers: FastAPI converts bounds to floats, and 2**63 as a float rounds up."""
    if isinstance(schema, dict):
        return {name: _restore_integers(value) for name, value in schema.items()}
    if isinstance(schema, list):
        return [_restore_integers(value) for value in schema]
    return int(schema) if isinstance(schema, float) and schema.is_integer() else schema


def _add_operational_routes(app: FastAPI) -> None:
    hidden: dict[str, Any] = {"include_in_schema": False}

    @app.get("/healthz", **hidden)
    async def healthz() -> dict[str, bool]:
        return {"alive": True}

    @app.get("/readyz", **hidden)
    async def readyz() -> dict[str, bool]:
        if app.state.service.draining:
            raise ServiceError("draining", "this server is shutting down", retry_after=5)
        if not app.state.ready:
            raise ServiceError("overloaded", "this server is starting", retry_after=1)
        return {"ready": True}

    @app.get("/metrics", **hidden)
    async def metrics() -> Response:
        return Response(await app.state.render_metrics(), media_type="text/plain; version=0.0.4; charset=utf-8")
