"""Environments as OpenAPI services: each tool is a POST operation with the JSON Schema of its arguments, and a header names the session.

`python -m rlgym.adapters.openapi NAME --port PORT` serves one environment.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

import rlgym
from rlgym import RlgymError, Score
from rlgym.core.packages import extra
from rlgym.dataset import Session, sample
from rlgym.dataset.session import tool_calls_text

with extra("serve"):
    from fastapi import FastAPI, Header, HTTPException, Request
    from starlette.concurrency import run_in_threadpool

MOST_BYTES = 1 << 20
RESPOND = {
    "type": "object",
    "properties": {"response": {"type": "string", "description": "the whole response, final answer included"}},
    "required": ["response"],
    "additionalProperties": False,
}
SESSION = "X-Session-ID"
Responses = dict[int | str, dict[str, Any]]


class NewSession(BaseModel):
    """Which task to play."""

    model_config = ConfigDict(extra="forbid")
    row: int | None = Field(default=None, ge=0, description="the number of the task, from 0; without one the next task in turn")


class SessionStarted(BaseModel):
    """A new session: its id for the header, the task, and the number of calls that the task allows."""

    session: str
    row: int
    task: str
    max_turns: int


class Observation(BaseModel):
    """What a call returns, for the model to read, and whether the episode is over."""

    observation: str
    done: bool


class Report(BaseModel):
    """The score once the episode is over; `value` is null where it says nothing about the model. For the program, not for the model."""

    done: bool
    id: str
    value: float | None = None
    outcome: str | None = None
    reason: str | None = None
    masked: bool | None = None
    parts: dict[str, float] | None = None


@dataclass
class Episode:
    """One session of the service."""

    session: Session
    used: float
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def report(self) -> Report:
        """Whether the episode is over, and its score."""
        score, identity = self.session.score, self.session.row["id"]
        if score is None:
            return Report(done=False, id=identity)
        return Report(
            done=True,
            id=identity,
            value=None if score.masked else score.value,
            outcome=score.outcome.value,
            reason=score.reason,
            masked=score.masked,
            parts=dict(score.parts),
        )


class Service:
    """The tasks of one environment as an ASGI application, `app`; its document is at /openapi.json.

    rows   tasks of one environment, chosen by number or in turn
    most   sessions at a time; then the oldest that is over makes room, else 503
    idle   seconds without a request after which a session is closed

    RowError for a damaged row, RlgymError for rows of several environments.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], *, most: int = 1000, idle: float = 1800.0) -> None:
        names = sorted({row["env"] for row in rows})
        if len(names) != 1:
            raise RlgymError(f"a service has the tools of one environment, got rows of {len(names)}: {', '.join(names) or 'none'}")
        self.rows, self.most, self.idle, self._next = rows, most, idle, 0
        for row in rows:
            self.tools = Session(row).tools
        self.episodes: dict[str, Episode] = {}
        self.app = FastAPI(
            title=f"rlgym {names[0]}",
            version=str(rows[0]["version"]),
            summary="Start a session, then call the tools with its id in the header X-Session-ID.",
            license_info={"name": "Apache-2.0"},
        )
        self._add_routes()

    def score(self, session: str) -> Score:
        """The score of a session; an unfinished episode is not won."""
        return self.episodes[session].session.score or Score.wrong("the episode was not played to its end")

    def _add_routes(self) -> None:
        missing: Responses = {404: {"description": "no such session"}}
        self.app.post("/sessions", status_code=201, responses={404: {"description": "no such task"}, 503: {"description": "full"}})(
            self._start
        )
        self.app.get("/score", responses=missing)(self._score)
        self.app.delete("/sessions", status_code=204, responses=missing)(self._close)
        functions = [tool["function"] for tool in self.tools] or [
            {"name": "respond", "description": "Submits the response to the task, or to the latest observation.", "parameters": RESPOND}
        ]
        for function in functions:
            body = {"required": True, "content": {"application/json": {"schema": function["parameters"]}}}
            self.app.post(
                f"/tools/{function['name']}",
                operation_id=function["name"],
                summary=function["name"].replace("_", " "),
                description=function["description"],
                openapi_extra={"requestBody": body},
                responses=missing | {409: {"description": "the episode is over"}, 400: {"description": "the body is no JSON object"}},
            )(self._operation(function["name"]))

    def _operation(self, name: str) -> Any:
        async def call(request: Request, session: Annotated[str, Header(alias=SESSION)]) -> Observation:
            episode, arguments = self._episode(session), _arguments(await request.body())
            response = tool_calls_text([(name, arguments)]) if self.tools else arguments.get("response")
            if not isinstance(response, str) or (not self.tools and set(arguments) != {"response"}):
                raise HTTPException(400, "the body must have the one member response, a string")
            async with episode.lock:
                if episode.session.done:
                    raise HTTPException(409, "the episode is over")
                observation = await run_in_threadpool(episode.session.step, response)
            return Observation(observation="The episode is over." if episode.session.done else observation, done=episode.session.done)

        return call

    async def _start(self, new: NewSession | None = None) -> SessionStarted:
        """Start a session."""
        number = self._next % len(self.rows) if new is None or new.row is None else new.row
        if number >= len(self.rows):
            raise HTTPException(404, f"there are {len(self.rows)} tasks, counted from 0, and no task {number}")
        self._make_room()
        self._next += new is None or new.row is None
        session = Session(self.rows[number])
        name = secrets.token_urlsafe(16)
        self.episodes[name] = Episode(session, time.monotonic())
        # The prompt without the line that asks for calls as text: here the protocol carries them.
        limit = f"Each tool call is a turn. You have {session.max_turns} turns."
        task = f"{self.rows[number]['prompt']}\n\n{limit}" if self.tools else session.observation
        return SessionStarted(session=name, row=number, task=task, max_turns=session.max_turns)

    def _make_room(self) -> None:
        now = time.monotonic()
        for name in [name for name, episode in self.episodes.items() if now - episode.used > self.idle]:
            del self.episodes[name]
        if len(self.episodes) >= self.most:
            over = next((name for name, episode in self.episodes.items() if episode.session.done), None)
            if over is None:
                raise HTTPException(503, f"{self.most} sessions are open; close one first")
            del self.episodes[over]

    async def _score(self, session: Annotated[str, Header(alias=SESSION)]) -> Report:
        """The score of the session's episode."""
        return self._episode(session).report()

    async def _close(self, session: Annotated[str, Header(alias=SESSION)]) -> None:
        """Close the session."""
        self._episode(session)
        del self.episodes[session]

    def _episode(self, session: str) -> Episode:
        if session not in self.episodes:
            raise HTTPException(404, "there is no such session")
        self.episodes[session].used = time.monotonic()
        return self.episodes[session]


def _arguments(body: bytes) -> dict[str, Any]:
    """The arguments in a request; the environment says what is wrong with them, and the call counts as a turn."""
    if len(body) > MOST_BYTES:
        raise HTTPException(400, f"a call has at most {MOST_BYTES} bytes")
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise HTTPException(400, "the body must be a JSON object")
    return read


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve from the command line."""
    parser = argparse.ArgumentParser(prog="python -m rlgym.adapters.openapi", description="Serve an environment as an OpenAPI service.")
    parser.add_argument("name", metavar="NAME", help="an environment")
    parser.add_argument("--level", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1, help="tasks to serve")
    parser.add_argument("--port", type=int, default=8000, help="served at 127.0.0.1")
    given = parser.parse_args(arguments)
    import uvicorn

    rlgym.environment(given.name)
    rows = list(sample([given.name], given.count, levels=[given.level], seed=given.seed))
    uvicorn.run(Service(rows).app, host="127.0.0.1", port=given.port)


if __name__ == "__main__":
    main()
