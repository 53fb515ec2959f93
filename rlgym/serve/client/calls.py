"""What can be asked of the service, as values that know nothing of how they are sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Call:
    """One request: over REST by `method` and `path`, over a WebSocket by `op`, where there is one.

    `again`: it may be sent again when nobody knows whether it was done, since doing it twice is no different.
    """

    method: str
    path: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    op: str = ""
    session: str | None = None
    again: bool = True


def given(**fields: Any) -> dict[str, Any]:
    """Those fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def environments(search: str | None, domain: str | None, kind: str | None) -> Call:
    return Call("GET", "/v1/environments", given(search=search, domain=domain, kind=kind))


def spec(name: str) -> Call:
    return Call("GET", f"/v1/environments/{quote(name, safe=':')}")


def task(fields: Mapping[str, Any]) -> Call:
    return Call("POST", "/v1/tasks", fields)


def sample(fields: Mapping[str, Any]) -> Call:
    return Call("POST", "/v1/tasks/sample", fields)


def score(items: list[Any]) -> Call:
    return Call("POST", "/v1/score", {"items": items})


def runs() -> Call:
    return Call("GET", "/v1/runs")


def run(run_id: str) -> Call:
    return Call("GET", f"/v1/runs/{quote(run_id, safe='')}")


def transcripts(run_id: str, fields: Mapping[str, Any]) -> Call:
    return Call("GET", f"/v1/runs/{quote(run_id, safe='')}/transcripts", fields)


def report(run_id: str) -> Call:
    return Call("GET", f"/v1/runs/{quote(run_id, safe='')}/report")


def opened(fields: Mapping[str, Any]) -> Call:
    return Call("POST", "/v1/sessions", fields, "open")


def look(session: str) -> Call:
    return Call("GET", _of(session), {}, "look", session)


def closed(session: str) -> Call:
    return Call("DELETE", _of(session), {}, "close", session)


def reset(session: str, fields: Mapping[str, Any]) -> Call:
    return Call("POST", _of(session, "reset"), fields, "reset", session)


def step(session: str, response: str, turn: int) -> Call:
    """A step names the turn it is for, so that the service refuses one that it has done already."""
    return Call("POST", _of(session, "step"), {"response": response, "turn": turn}, "step", session, again=False)


def steps(each: Iterable[tuple[str, str, int]]) -> Call:
    said = [{"session": session, "response": response, "turn": turn} for session, response, turn in each]
    return Call("POST", "/v1/steps", {"steps": said}, again=False)


def snapshot(session: str) -> Call:
    return Call("POST", _of(session, "snapshot"), {}, "snapshot", session)


def restore(session: str, token: Any) -> Call:
    return Call("POST", _of(session, "restore"), {"snapshot": token}, "restore", session)


def render(session: str, mode: str) -> Call:
    return Call("GET", _of(session, "render"), {"mode": mode}, "render", session)


def oracle(session: str) -> Call:
    return Call("POST", _of(session, "oracle"), {}, "oracle", session)


def mistake(session: str, which: int | None) -> Call:
    return Call("POST", _of(session, "mistake"), given(which=which), "mistake", session)


def hint(session: str, tier: str) -> Call:
    return Call("POST", _of(session, "hint"), {"tier": tier}, "hint", session)


def _of(session: str, what: str = "") -> str:
    return f"/v1/sessions/{quote(session, safe='')}" + (f"/{what}" if what else "")
