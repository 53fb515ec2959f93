"""The routes of finished and growing runs: evaluations and trainings found below one folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse

from rlgym.serve import run_eval, run_train
from rlgym.serve.errors import ServiceError
from rlgym.serve.folders import RunDamaged, RunFolder, find
from rlgym.serve.settings import Settings
from rlgym.serve.told import refusals

Id = Annotated[str, InPath(min_length=1, max_length=300)]
Word = Annotated[str, Query(max_length=200)]

MOST_TRANSCRIPTS = 200
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
)
"""A report may draw and react, and nothing else: it has no origin, no network and no forms."""


class Runs:
    """The runs below a folder, looked for anew at each question, since runs come and grow."""

    def __init__(self, root: Path | None) -> None:
        self._root = root.resolve() if root is not None else None

    def list(self) -> list[dict[str, Any]]:
        """Every run in a line; one that is damaged with what is wrong."""
        return [self._listed(run) for run in self._found().values()]

    def one(self, id: str) -> RunFolder:
        """The run of an id."""
        found = self._found().get(id)
        if found is None:
            raise ServiceError("unknown", f"there is no run {id!r:.100} below the folder of runs; GET /v1/runs lists them")
        return found

    def summary(self, run: RunFolder, after: int = 0) -> dict[str, Any]:
        """All of a run but its transcripts."""
        told = run_eval.summary(run) if run.kind == "eval" else run_train.summary(run, after)
        return self._named(run) | told

    def transcripts(self, run: RunFolder, offset: int, limit: int, wanted: dict[str, Any]) -> dict[str, Any]:
        """A page of a run's episodes."""
        pick = run_eval.transcripts if run.kind == "eval" else run_train.transcripts
        return pick(run, offset, limit, wanted)

    def _found(self) -> dict[str, RunFolder]:
        return find(self._root) if self._root is not None else {}

    def _listed(self, run: RunFolder) -> dict[str, Any]:
        told = {"title": run.title, "finished": False, "problem": None}
        try:
            return self._named(run) | told | (run_eval.listed(run) if run.kind == "eval" else run_train.listed(run))
        except RunDamaged as error:
            return self._named(run) | told | {"problem": str(error)}

    def _named(self, run: RunFolder) -> dict[str, Any]:
        return {"id": run.id, "kind": run.kind, "place": run.title, "changed": run.changed()}


def router(settings: Settings) -> APIRouter:
    """GET /v1/runs, /v1/runs/{id}, /v1/runs/{id}/transcripts and /v1/runs/{id}/report, for the folder `settings.runs`."""
    routes, runs = APIRouter(prefix="/v1/runs", tags=["runs"]), Runs(Path(settings.runs) if settings.runs else None)

    @routes.get("", responses=refusals())
    def list_runs() -> dict[str, Any]:
        """Every evaluation and training run."""
        return {"runs": runs.list()}

    @routes.get("/{id}", responses=refusals("unknown"))
    def one_run(id: Id, after: Annotated[int, Query(ge=0, le=10**9)] = 0) -> dict[str, Any]:
        """A run: of an evaluation its summary and its answers by environment and level, of a training its metrics and evaluations."""
        run = runs.one(id)
        with _damage_of(run):
            return runs.summary(run, after)

    @routes.get("/{id}/transcripts", responses=refusals("unknown"))
    def run_transcripts(
        id: Id,
        offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_TRANSCRIPTS)] = 20,
        env: Word = "",
        right: Literal["", "true", "false"] = "",
        outcome: Word = "",
    ) -> dict[str, Any]:
        """Episodes with all that was said; those of a training the latest first. What is left empty is not asked for."""
        run = runs.one(id)
        wanted = {"env": env or None, "right": {"": None, "true": True, "false": False}[right], "outcome": outcome or None}
        with _damage_of(run):
            return runs.transcripts(run, offset, limit, wanted)

    @routes.get("/{id}/report", response_model=None, responses=refusals("unknown") | PAGE)
    def run_report(id: Id) -> HTMLResponse:
        """The run's report, as its own sealed page."""
        run = runs.one(id)
        try:
            with run.open("report.html") as file:
                return HTMLResponse(file.read(), headers=REPORT_HEADERS)
        except RunDamaged:
            how = "rlgym eval report" if run.kind == "eval" else "rlgym train"
            raise ServiceError("unknown", f"the run {run.title} has no report that can be shown; `{how}` writes it") from None

    return routes


@contextmanager
def _damage_of(run: RunFolder) -> Iterator[None]:
    """Say which run it is that is damaged."""
    try:
        yield
    except RunDamaged as error:
        raise ServiceError("invalid", f"the run {run.title} is damaged: {error}") from None


PAGE: dict[int | str, dict[str, Any]] = {200: {"description": "the page", "content": {"text/html": {"schema": {"type": "string"}}}}}

REPORT_HEADERS = {
    "Content-Security-Policy": REPORT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
