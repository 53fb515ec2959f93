"""A service that runs programs for others: HTTP in front of a local backend."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from rlgym.sandbox import SandboxBroken
from rlgym.sandbox.process import ProcessRunner
from rlgym.sandbox.process.inside import values
from rlgym.sandbox.remote import wire

RETRY_AFTER = 1
log = logging.getLogger("rlgym.sandbox")


def service(*, key: str = "", workers: int = 2, queued: int = 64, tier: str | None = None) -> FastAPI:
    """The application. With a key, every run must bring it; at most `queued` runs wait for one of `workers`."""
    registry = CollectorRegistry()
    runs = Counter("rlgym_sandbox_runs", "Runs, by how they ended.", ["stopped_by"], registry=registry)
    broken = Counter("rlgym_sandbox_broken", "Runs that failed through no fault of the program.", registry=registry)
    refused = Counter("rlgym_sandbox_refused", "Requests that were refused, by status.", ["status"], registry=registry)
    waiting = Gauge("rlgym_sandbox_waiting", "Runs that are under way or wait.", registry=registry)
    seconds = Histogram("rlgym_sandbox_seconds", "Wall time of a run.", registry=registry)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.runner = await asyncio.to_thread(lambda: ProcessRunner(workers=workers, tier=tier))
        app.state.free = asyncio.Semaphore(workers)
        app.state.waiting = 0
        try:
            yield
        finally:
            app.state.runner.close()

    app = FastAPI(title="rlgym sandbox", lifespan=lifespan, docs_url=None, redoc_url=None)

    async def known(authorization: Annotated[str, Header()] = "") -> None:
        if key and not hmac.compare_digest(authorization.encode(), f"Bearer {key}".encode()):
            refused.labels("401").inc()
            raise HTTPException(401, "the key is missing or wrong")

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        # What was sent may be any bytes, and is not sent back.
        refused.labels("422").inc()
        return JSONResponse({"detail": [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:5]]}, 422)

    @app.middleware("http")
    async def bounded(request: Request, call_next: Any) -> Response:
        length = request.headers.get("content-length", "0" if request.method == "GET" else "")
        if not length.isdigit() or int(length) > wire.MOST_BODY:
            refused.labels("413").inc()
            return JSONResponse({"detail": f"a request must say its length, at most {wire.MOST_BODY} bytes"}, 413)
        answered: Response = await call_next(request)
        return answered

    @app.post("/run", dependencies=[Depends(known)])
    async def run(asked: wire.Asked) -> wire.Said:
        """Run one program."""
        if app.state.waiting >= workers + queued:
            refused.labels("503").inc()
            raise HTTPException(503, "too many runs wait; ask again later", {"Retry-After": str(RETRY_AFTER)})
        try:
            job, limits = wire.job(asked)
        except values.Unsendable as why:
            refused.labels("422").inc()
            raise HTTPException(422, f"an input is no plain data: {why}") from None
        app.state.waiting += 1
        waiting.set(app.state.waiting)
        begun = time.perf_counter()
        try:
            async with app.state.free:
                result = await asyncio.to_thread(
                    app.state.runner.run, job.program, job.inputs, limits, entry=job.entry, stdin=job.stdin, language=job.language
                )
                said = await asyncio.to_thread(wire.said, result)
        except SandboxBroken as why:
            broken.inc()
            raise HTTPException(500, f"the sandbox failed: {why}") from None
        finally:
            app.state.waiting -= 1
            waiting.set(app.state.waiting)
        took = time.perf_counter() - begun
        seconds.observe(took)
        runs.labels(result.stopped_by.value).inc()
        log.info("run stopped_by=%s inputs=%d seconds=%.4f", result.stopped_by.value, len(job.inputs), took)
        return said

    @app.get("/health")
    async def health() -> dict[str, str]:
        """Whether the process is there."""
        return {"status": "ok"}

    @app.get("/ready")
    async def ready() -> dict[str, Any]:
        """Whether programs are run, and how well they are confined."""
        return {"tier": app.state.runner.tier, "languages": list(app.state.runner.languages), "workers": workers}

    @app.get("/metrics")
    async def metrics() -> PlainTextResponse:
        """Counters in Prometheus' text format."""
        return PlainTextResponse(generate_latest(registry), media_type="text/plain; version=0.0.4")

    return app
