"""The runs below one directory, searched for each request, since runs appear and grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.runs import run_eval, run_train
from rlgym.serve.runs.run_store import CorruptRun, RunDirectory, find_runs


class RunIndex:
    """Lists and reads runs."""

    def __init__(self, root: Path | None) -> None:
        self._root = root.resolve() if root is not None else None

    def list(self) -> list[dict[str, Any]]:
        """An entry for every run; that of a corrupt run says what is wrong."""
        return [self._entry(run) for run in self._find().values()]

    def get(self, run_id: str) -> RunDirectory:
        """The run with this id."""
        run = self._find().get(run_id)
        if run is None:
            raise ServiceError("not_found", f"there is no run {run_id!r:.100}; GET /v1/runs lists the runs")
        return run

    def summarize(self, run: RunDirectory, after: int = 0) -> dict[str, Any]:
        """Everything about a run except its transcripts."""
        summary = run_eval.summarize(run) if run.kind == "eval" else run_train.summarize(run, after)
        return _identity(run) | summary

    def read_transcripts(self, run: RunDirectory, offset: int, limit: int, filters: dict[str, Any]) -> dict[str, Any]:
        """A page of a run's episodes."""
        read = run_eval.read_transcripts if run.kind == "eval" else run_train.read_transcripts
        return read(run, offset, limit, filters)

    def _find(self) -> dict[str, RunDirectory]:
        return find_runs(self._root) if self._root is not None else {}

    def _entry(self, run: RunDirectory) -> dict[str, Any]:
        entry = _identity(run) | {"title": run.path, "finished": False, "error": None}
        try:
            return entry | (run_eval.list_entry(run) if run.kind == "eval" else run_train.list_entry(run))
        except CorruptRun as error:
            return entry | {"error": str(error)}


def _identity(run: RunDirectory) -> dict[str, Any]:
    return {"id": run.id, "kind": run.kind, "path": run.path, "modified_at": run.modified_at()}
