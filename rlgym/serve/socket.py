"""WS /v1/play: many sessions over one connection, an operation per message."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel
from starlette.websockets import WebSocket

from rlgym.serve.desk import OPERATIONS, Desk
from rlgym.serve.errors import ServiceError, as_service_error, read
from rlgym.serve.gate import Gate
from rlgym.serve.keys import Key, spend
from rlgym.serve.logs import Log
from rlgym.serve.reply import encode
from rlgym.serve.shapes import AskOpen

HELLO_SECONDS = 10.0
LIMIT = b"rlgym-max-bytes"  # a header of the handshake, so that a client need not lose its connection to learn it


class Sockets:
    """The open connections of a worker."""

    def __init__(self, desk: Desk, gate: Gate, log: Log) -> None:
        self.desk, self.gate, self.log = desk, gate, log
        self.open: set[Connection] = set()

    async def serve(self, socket: WebSocket) -> None:
        """Serve one connection to its end."""
        headers = dict(socket.scope["headers"])
        try:
            self.gate.check_host(headers)
            _same_place(headers)
            key = self.gate.key(headers.get(b"authorization")) if self.gate.open or b"authorization" in headers else None
        except ServiceError as error:
            await socket.send_denial_response(error.reply())
            return
        await socket.accept(headers=[(LIMIT, b"%d" % self.desk.settings.max_body)])
        connection = Connection(self, socket, key)
        self.open.add(connection)
        try:
            await connection.serve()
        finally:
            self.open.discard(connection)

    async def drain(self) -> None:
        """Tell every client that the worker is about to stop, and close its connection."""
        await asyncio.gather(*(connection.drain() for connection in list(self.open)), return_exceptions=True)


class Connection:
    """One client. What is short is answered at once and in order; what takes long is answered when it is done."""

    def __init__(self, sockets: Sockets, socket: WebSocket, key: Key | None) -> None:
        self._desk, self._gate, self._log, self._socket, self._key = sockets.desk, sockets.gate, sockets.log, socket, key
        self._room = asyncio.Semaphore(sockets.desk.settings.most_under_way)
        self._under_way: set[asyncio.Task[None]] = set()
        self._mine: set[str] = set()
        self._asked = self._refused = 0
        self._ok = sockets.desk.metrics.requests.labels("/v1/play", "ok")

    async def serve(self) -> None:
        """Answer messages until the client goes."""
        began = time.perf_counter()
        try:
            if self._key is None:
                await self._hello()
            while self._key is not None and (text := await self._next()) is not None:
                await self._take(text)
        except (RuntimeError, OSError):  # the client went while it was being answered
            pass
        finally:
            for task in self._under_way:
                task.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)
            await self._close_sessions()
            name = self._key.name if self._key else None
            ms = round((time.perf_counter() - began) * 1000, 3)
            self._log.line(method="WS", route="/v1/play", status=101, ms=ms, key=name, messages=self._asked, refused=self._refused)

    async def drain(self) -> None:
        """Let what is under way be answered, say that the worker stops, and close."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=5)
        error = ServiceError("draining", "this server is about to stop: connect again", retry_after=1)
        with suppress(RuntimeError, OSError):
            await self._send(encode({"id": None, "ok": False, "error": error.to_dict()}))
            await self._socket.close(1012, "the server is about to stop: connect again")

    async def _next(self) -> str | bytes | None:
        message = await self._socket.receive()
        if message["type"] != "websocket.receive":
            return None
        text: str | bytes | None = message.get("text")
        return message["bytes"] if text is None else text

    async def _hello(self) -> None:
        """Read the key from the first message; without one the connection is closed."""
        said: Any = None
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self._next()
            if text is None:
                return
            said = _read(text)
            if said.get("op") != "hello" or not isinstance(said.get("key"), str):
                raise ServiceError("unauthorized", 'say {"op": "hello", "key": KEY} first, or send the key in the Authorization header')
            self._key = self._gate.find(said["key"])
            await self._send(encode({"id": said.get("id"), "ok": True}))
        except TimeoutError:
            await self._socket.close(1008, "no key came")
        except ServiceError as error:
            await self._refuse(said.get("id") if isinstance(said, dict) else None, error)
            await self._socket.close(1008, error.code)

    async def _take(self, text: str | bytes) -> None:
        """Answer one message, or see to it that it is answered later."""
        self._asked += 1
        number: Any = None
        try:
            if len(text) > self._desk.settings.max_body:
                raise ServiceError("too_large", f"a message may have {self._desk.settings.max_body} bytes")
            said = _read(text)
            number, operation = said.pop("id", None), said.pop("op", None)
            assert self._key is not None
            spend(self._desk.quotas, self._key, "requests")
            if operation in ("ping", "hello"):
                await self._send(encode({"id": number, "ok": True}))
                return
            session, fields = _fields(operation, said)
        except Exception as error:
            await self._refuse(number, error)
            return
        work = self._answer(number, operation, session, fields)
        if self._desk.at_once(operation, session, fields):
            await work
            return
        await self._room.acquire()
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._room.release()
        if not task.cancelled():
            task.exception()  # the client went before its answer; the reading side has noticed

    async def _answer(self, number: Any, operation: str, session: str, fields: BaseModel) -> None:
        assert self._key is not None
        try:
            if isinstance(fields, AskOpen):
                opened, told = await self._desk.open(self._key, fields)
                if not fields.keep:
                    self._mine.add(opened)
            else:
                told = await self._desk.ask(self._key, operation, session, fields)
                if operation == "close":
                    self._mine.discard(session)
        except Exception as error:
            await self._refuse(number, error)
            return
        self._ok.inc()
        more = told[1:] if told == "{}" else f",{told[1:]}"
        named = str(number) if type(number) is int else encode(number)
        await self._send(f'{{"id":{named},"ok":true{more}')

    async def _refuse(self, number: Any, error: Exception) -> None:
        found = as_service_error(error)
        self._refused += 1
        self._desk.metrics.requests.labels("/v1/play", str(found.status)).inc()
        self._desk.metrics.refused.labels(found.code).inc()
        if found.code == "broken":
            self._log.broken(error, route="/v1/play")
        with suppress(RuntimeError, OSError):
            await self._send(encode({"id": number, "ok": False, "error": found.to_dict()}))

    async def _send(self, text: str) -> None:
        await self._socket.send({"type": "websocket.send", "text": text})

    async def _close_sessions(self) -> None:
        for session in self._mine:
            self._desk.drop(session)


def _read(text: str | bytes) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise ServiceError("invalid", "a message must be one JSON object") from None
    if not isinstance(said, dict):
        raise ServiceError("invalid", f"a message must be one JSON object, not {type(said).__name__}")
    number = said.get("id")
    if not isinstance(number, str | int | float | None) or (isinstance(number, str) and len(number) > 200) or number != number:
        said["id"] = None
    return said


def _fields(operation: Any, said: dict[str, Any]) -> tuple[str, BaseModel]:
    """The session that a message is about and the fields of its operation."""
    if operation == "open":
        return "", read(AskOpen, said)
    if not isinstance(operation, str) or operation not in OPERATIONS:
        known = ", ".join(["open", *OPERATIONS, "ping", "hello"])
        raise ServiceError("invalid", f"op: must be one of {known}")
    session = said.pop("session", None)
    if not isinstance(session, str):
        raise ServiceError("invalid", "session: must be a string")
    return session, read(OPERATIONS[operation], said)


def _same_place(headers: dict[bytes, bytes]) -> None:
    """Browsers let any page open a socket anywhere: one that comes from another place than this is refused."""
    origin, host = headers.get(b"origin"), headers.get(b"host", b"")
    if origin is not None and urlsplit(origin.decode("latin-1")).netloc.lower() != host.decode("latin-1").lower():
        raise ServiceError("forbidden", "pages of other places may not connect")
