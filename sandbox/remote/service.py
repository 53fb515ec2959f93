"""A service that runs programs for others: HTTP in front of a local backend."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypeVar

from fastapi import Depends, FastAPI, Header, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from rlgym.sandbox import terminal
from rlgym.sandbox.file_tree import Entry
from rlgym.sandbox.interface import RunResult, SandboxError, Stop
from rlgym.sandbox.process import ProcessRunner
from rlgym.sandbox.process.pooled_runner import SPARE_FACTOR
from rlgym.sandbox.remote import wire
from rlgym.sandbox.remote.fair_queue import FairQueue, QuotaExceeded

RETRY_AFTER = 1
T = TypeVar("T")
log = logging.getLogger("rlgym.sandbox")


def service(
    *, keys: Mapping[str, str] | None = None, workers: int = 2, queued: int = 64, quota: int = 0, tier: str | None = None
) -> FastAPI:
    """The application.

    keys     tenants and their keys; with any, every run must bring one of them
    workers  programs that compute at a time
    queued   runs that may wait, of all tenants together
    quota    runs that one tenant may have at a time, running or waiting; 0 for no limit
    """
    registry = CollectorRegistry()
    runs = Counter("rlgym_sandbox_runs", "Runs, by tenant and by how they ended.", ["tenant", "stopped_by"], registry=registry)
    used = Counter("rlgym_sandbox_processor_seconds", "Processor time of runs, by tenant.", ["tenant"], registry=registry)
    broken = Counter("rlgym_sandbox_broken", "Runs that failed through no fault of the program.", registry=registry)
    refused = Counter("rlgym_sandbox_refused", "Requests that were refused, by status.", ["status"], registry=registry)
    waiting = Gauge("rlgym_sandbox_waiting", "Runs that are under way or wait.", registry=registry)
    seconds = Histogram("rlgym_sandbox_seconds", "Wall time of a run.", registry=registry)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.runner = await asyncio.to_thread(lambda: ProcessRunner(workers=workers, tier=tier))
        # Programs that sleep do not hold up others, so more may be under way than compute: the runner sees to the rest.
        under_way = workers * SPARE_FACTOR
        app.state.queue = FairQueue(under_way, queued, quota)
        app.state.threads = ThreadPoolExecutor(under_way)
        try:
            yield
        finally:
            app.state.runner.close()
            app.state.threads.shutdown(wait=False)

    app = FastAPI(title="rlgym sandbox", lifespan=lifespan, docs_url=None, redoc_url=None)

    tenants = {f"Bearer {key}".encode(): tenant for tenant, key in (keys or {}).items()}

    async def authenticated(request: Request, authorization: Annotated[str, Header()] = "") -> None:
        """Note the tenant whose key a request brings. All keys are compared, so that the time tells nothing."""
        matching = [tenant for key, tenant in tenants.items() if hmac.compare_digest(authorization.encode(), key)]
        if tenants and not matching:
            refused.labels("401").inc()
            raise HTTPException(401, "the key is missing or wrong")
        request.state.tenant = matching[0] if matching else ""

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        # What was sent may be any bytes, and is not sent back.
        refused.labels("422").inc()
        return JSONResponse({"detail": [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:5]]}, 422)

    @app.middleware("http")
    async def bounded(request: Request, call_next: Any) -> Response:
        length = request.headers.get("content-length", "0" if request.method == "GET" else "")
        if not length.isdigit() or int(length) > wire.MAX_BODY:
            refused.labels("413").inc()
            return JSONResponse({"detail": f"a request must say its length, at most {wire.MAX_BODY} bytes"}, 413)
        answered: Response = await call_next(request)
        return answered

    async def in_turn(tenant: str, work: Callable[[], T]) -> tuple[T, float]:
        """What a piece of work gives in the tenant's turn, and the seconds that it took, waiting included."""
        begun = time.perf_counter()
        try:
            async with app.state.queue.turn(tenant):
                waiting.set(app.state.queue.held)
                result = await asyncio.get_running_loop().run_in_executor(app.state.threads, work)
        except QuotaExceeded as why:
            status = 429 if why.tenant else 503
            refused.labels(str(status)).inc()
            raise HTTPException(status, f"{why}; retry after {RETRY_AFTER} s", {"Retry-After": str(RETRY_AFTER)}) from None
        except SandboxError as why:
            broken.inc()
            raise HTTPException(500, f"the sandbox failed: {why}") from None
        finally:
            waiting.set(app.state.queue.held)
        elapsed = time.perf_counter() - begun
        seconds.observe(elapsed)
        return result, elapsed

    @app.post("/run", dependencies=[Depends(authenticated)])
    async def run(request: Request, asked: wire.RunRequest) -> wire.RunResponse:
        """Run one program."""
        tenant = request.state.tenant
        job, limits = wire.job_of(asked)

        def work() -> tuple[RunResult, wire.RunResponse]:
            result = app.state.runner.run_encoded(job, limits)
            return result, wire.response_of(result)

        (result, response), elapsed = await in_turn(tenant, work)
        runs.labels(tenant, result.stopped_by.value).inc()
        used.labels(tenant).inc(result.seconds)
        log.info("run tenant=%s stopped_by=%s inputs=%d seconds=%.4f", tenant, result.stopped_by.value, len(job.inputs), elapsed)
        return response

    @app.post("/command", dependencies=[Depends(authenticated)])
    async def command(request: Request, asked: wire.CommandRequest) -> wire.CommandResponse:
        """Run one shell command on a file tree."""
        tenant = request.state.tenant
        tree = {path: Entry(*entry) for path, entry in asked.tree.items()}
        response, elapsed = await in_turn(tenant, lambda: wire.command_response(terminal.run_here(tree, asked.command, asked.now)))
        runs.labels(tenant, "undone" if response.undone else Stop.FINISHED.value).inc()
        log.info("command tenant=%s undone=%s entries=%d seconds=%.4f", tenant, response.undone, len(tree), elapsed)
        return response

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
