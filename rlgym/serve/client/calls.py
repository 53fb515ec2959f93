"""The requests of the service as values, independent of the transport."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Call:
    """One request: `method` and `path` over HTTP; `op` over a WebSocket, if it has one.

    `idempotent`: it may be sent again when it is unknown whether it took effect.
    """

    method: str
    path: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    op: str = ""
    session_id: str | None = None
    idempotent: bool = True


class BatchStep(NamedTuple):
    """One step of a batch."""

    session_id: str
    response: str
    turn: int


def drop_none(**fields: Any) -> dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def list_environments(search: str | None, domain: str | None, kind: str | None) -> Call:
    return Call("GET", "/v1/environments", drop_none(search=search, domain=domain, kind=kind))


def get_spec(name: str) -> Call:
    return Call("GET", f"/v1/environments/{quote(name, safe=':')}")


def generate_task(fields: Mapping[str, Any]) -> Call:
    return Call("POST", "/v1/tasks", fields)


def sample_tasks(fields: Mapping[str, Any]) -> Call:
    return Call("POST", "/v1/tasks/sample", fields)


def score(items: list[Any]) -> Call:
    return Call("POST", "/v1/score", {"items": items})


def list_runs() -> Call:
    return Call("GET", "/v1/runs")


def get_run(run_id: str) -> Call:
    return Call("GET", f"/v1/runs/{quote(run_id, safe='')}")


def get_transcripts(run_id: str, fields: Mapping[str, Any]) -> Call:
    return Call("GET", f"/v1/runs/{quote(run_id, safe='')}/transcripts", fields)


def get_report(run_id: str) -> Call:
    return Call("GET", f"/v1/runs/{quote(run_id, safe='')}/report")


def get_ready() -> Call:
    return Call("GET", "/readyz")


def open_session(fields: Mapping[str, Any]) -> Call:
    return Call("POST", "/v1/sessions", fields, "open")


def get_session(session_id: str) -> Call:
    return Call("GET", _session_path(session_id), {}, "get", session_id)


def close_session(session_id: str) -> Call:
    return Call("DELETE", _session_path(session_id), {}, "close", session_id)


def reset(session_id: str, fields: Mapping[str, Any]) -> Call:
    return Call("POST", _session_path(session_id, "reset"), fields, "reset", session_id)


def step(session_id: str, response: str, turn: int) -> Call:
    """A step names its turn, so that the service rejects one that it has already taken."""
    fields = {"response": response, "turn": turn}
    return Call("POST", _session_path(session_id, "step"), fields, "step", session_id, idempotent=False)


def step_batch(steps: Iterable[BatchStep]) -> Call:
    fields = [{"session": step.session_id, "response": step.response, "turn": step.turn} for step in steps]
    return Call("POST", "/v1/steps", {"steps": fields}, idempotent=False)


def snapshot(session_id: str) -> Call:
    return Call("POST", _session_path(session_id, "snapshot"), {}, "snapshot", session_id)


def restore(session_id: str, snapshot_id: str) -> Call:
    return Call("POST", _session_path(session_id, "restore"), {"snapshot": snapshot_id}, "restore", session_id)


def render(session_id: str, mode: str) -> Call:
    return Call("GET", _session_path(session_id, "render"), {"mode": mode}, "render", session_id)


def oracle(session_id: str) -> Call:
    return Call("POST", _session_path(session_id, "oracle"), {}, "oracle", session_id)


def mistake(session_id: str, index: int | None) -> Call:
    return Call("POST", _session_path(session_id, "mistake"), drop_none(index=index), "mistake", session_id)


def hint(session_id: str, tier: str) -> Call:
    return Call("POST", _session_path(session_id, "hint"), {"tier": tier}, "hint", session_id)


def _session_path(session_id: str, operation: str = "") -> str:
    return f"/v1/sessions/{quote(session_id, safe='')}" + (f"/{operation}" if operation else "")
