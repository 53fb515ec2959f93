"""The routes of evaluation and training runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi import Path as PathParameter
from fastapi.responses import HTMLResponse

from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.protocol.responses import error_responses
from rlgym.serve.runs.run_index import RunIndex
from rlgym.serve.runs.run_store import CorruptRun, RunDirectory
from rlgym.serve.settings import Settings

RunId = Annotated[str, PathParameter(min_length=1, max_length=300)]
Filter = Annotated[str, Query(max_length=200)]

MAX_PAGE_SIZE = 200
REPORT_HEADERS = {
    # A report may draw and run its own scripts, but it has no origin, no network and no forms.
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
HTML_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {"description": "the report", "content": {"text/html": {"schema": {"type": "string"}}}}
}


def create_run_router(settings: Settings) -> APIRouter:
    """GET /v1/runs, /v1/runs/{run_id}, .../transcripts and .../report, for the directory `settings.runs_dir`."""
    router, index = APIRouter(prefix="/v1/runs", tags=["runs"]), RunIndex(Path(settings.runs_dir) if settings.runs_dir else None)

    @router.get("", responses=error_responses())
    def list_runs() -> dict[str, Any]:
        """List the evaluation and training runs."""
        return {"runs": index.list()}

    @router.get("/{run_id}", responses=error_responses("not_found"))
    def get_run(run_id: RunId, after: Annotated[int, Query(ge=0, le=10**9)] = 0) -> dict[str, Any]:
        """Summarise a run: an evaluation by environment and level, a training by its metrics and evaluations."""
        run = index.get(run_id)
        with _corruption_reported(run):
            return index.summarize(run, after)

    @router.get("/{run_id}/transcripts", responses=error_responses("not_found"))
    def get_transcripts(
        run_id: RunId,
        offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
        limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 20,
        env: Filter = "",
        right: Literal["", "true", "false"] = "",
        outcome: Filter = "",
    ) -> dict[str, Any]:
        """Return a page of transcripts that match the filters; those of a training are sorted latest first."""
        run = index.get(run_id)
        filters = {"env": env or None, "right": {"": None, "true": True, "false": False}[right], "outcome": outcome or None}
        with _corruption_reported(run):
            return index.read_transcripts(run, offset, limit, filters)

    _add_report_route(router, index)
    return router


def _add_report_route(router: APIRouter, index: RunIndex) -> None:
    @router.get("/{run_id}/report", response_model=None, responses=error_responses("not_found") | HTML_RESPONSE)
    def get_report(run_id: RunId) -> HTMLResponse:
        """Return the report of a run as a sandboxed HTML page."""
        run = index.get(run_id)
        try:
            with run.open("report.html") as file:
                return HTMLResponse(file.read(), headers=REPORT_HEADERS)
        except CorruptRun:
            command = "rlgym eval report" if run.kind == "eval" else "rlgym train"
            raise ServiceError("not_found", f"the run {run.path} has no readable report; `{command}` writes it") from None


@contextmanager
def _corruption_reported(run: RunDirectory) -> Iterator[None]:
    """Convert CorruptRun to an error that names the run."""
    try:
        yield
    except CorruptRun as error:
        raise ServiceError("invalid_request", f"the run {run.path} is corrupt: {error}") from None
