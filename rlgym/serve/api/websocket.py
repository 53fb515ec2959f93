"""The WebSocket /v1/play: many sessions over one connection, one operation per message."""

from __future__ import annotations

import asyncio
import json
import math
import time
from contextlib import suppress
from typing import Any, NamedTuple

from pydantic import BaseModel
from starlette.websockets import WebSocket

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.access.quotas import charge
from rlgym.serve.api.auth import Authenticator, check_same_origin
from rlgym.serve.protocol.encoding import JsonText, encode, merge_objects
from rlgym.serve.protocol.errors import ServiceError, as_service_error, validate
from rlgym.serve.protocol.requests import OpenRequest
from rlgym.serve.sessions.service import OPERATIONS, SessionService
from rlgym.serve.telemetry.request_log import RequestLog

AUTH_SECONDS = 10.0
DRAIN_SECONDS = 5.0
MAX_ID_CHARS = 200
MAX_BYTES_HEADER = b"x-rlgym-max-bytes"  # sent with the handshake, so that clients need not lose the connection to learn the limit

CLOSE_POLICY_VIOLATION = 1008
CLOSE_SERVICE_RESTART = 1012


class WebSocketEndpoint:
    """The open connections of a worker."""

    def __init__(self, service: SessionService, authenticator: Authenticator, log: RequestLog) -> None:
        self.service, self.authenticator, self.log = service, authenticator, log
        self.connections: set[Connection] = set()

    async def serve(self, socket: WebSocket) -> None:
        """Serve one connection until it closes."""
        headers = dict(socket.scope["headers"])
        try:
            self.authenticator.check_host(headers)
            check_same_origin(headers)
            has_key = not self.authenticator.requires_key or b"authorization" in headers
            key = self.authenticator.from_header(headers.get(b"authorization")) if has_key else None
        except ServiceError as error:
            await socket.send_denial_response(error.to_response())
            return
        await socket.accept(headers=[(MAX_BYTES_HEADER, b"%d" % self.service.settings.max_body_bytes)])
        connection = Connection(self, socket, key)
        self.connections.add(connection)
        try:
            await connection.serve()
        finally:
            self.connections.discard(connection)

    async def drain(self) -> None:
        """Tell every client that the worker is shutting down, and close its connection."""
        await asyncio.gather(*(connection.drain() for connection in list(self.connections)), return_exceptions=True)


class _Operation(NamedTuple):
    """A validated message: the operation, its session ("" for `open`) and its fields."""

    name: str
    session_id: str
    request: BaseModel


class Connection:
    """One client. Non-blocking operations are answered in order, the others as they complete."""

    def __init__(self, endpoint: WebSocketEndpoint, socket: WebSocket, key: ApiKey | None) -> None:
        self._service, self._authenticator, self._log = endpoint.service, endpoint.authenticator, endpoint.log
        self._socket, self._key = socket, key
        self._in_flight_slots = asyncio.Semaphore(endpoint.service.settings.max_in_flight)
        self._in_flight: set[asyncio.Task[None]] = set()
        self._session_ids: set[str] = set()
        self._num_messages = self._num_errors = 0
        self._ok_counter = endpoint.service.metrics.requests.labels("/v1/play", "ok")

    async def serve(self) -> None:
        """Answer messages until the client disconnects."""
        started = time.perf_counter()
        try:
            if self._key is None:
                await self._authenticate()
            while self._key is not None and (text := await self._receive()) is not None:
                await self._handle(text)
        except (RuntimeError, OSError):  # the client disconnected while it was being answered
            pass
        finally:
            for task in self._in_flight:
                task.cancel()
            await asyncio.gather(*self._in_flight, return_exceptions=True)
            for session_id in self._session_ids:
                self._service.discard(session_id)
            self._log.log(
                method="WS",
                route="/v1/play",
                status=101,
                ms=round((time.perf_counter() - started) * 1000, 3),
                key=self._key.name if self._key else None,
                messages=self._num_messages,
                errors=self._num_errors,
            )

    async def drain(self) -> None:
        """Let the operations in flight complete, tell the client that the worker is shutting down, and close."""
        if self._in_flight:
            await asyncio.wait(self._in_flight, timeout=DRAIN_SECONDS)
        error = ServiceError("draining", "this server is shutting down; connect again", retry_after=1)
        with suppress(RuntimeError, OSError):
            await self._send(encode({"id": None, "ok": False, "error": error.to_dict()}))
            await self._socket.close(CLOSE_SERVICE_RESTART, "the server is shutting down; connect again")

    async def _receive(self) -> str | bytes | None:
        message = await self._socket.receive()
        if message["type"] != "websocket.receive":
            return None
        text: str | bytes | None = message.get("text")
        return message["bytes"] if text is None else text

    async def _authenticate(self) -> None:
        """Read the key from the first message, or close the connection."""
        message: Any = None
        try:
            async with asyncio.timeout(AUTH_SECONDS):
                text = await self._receive()
            if text is None:
                return
            message = _parse(text)
            if message.get("op") != "auth" or not isinstance(message.get("key"), str):
                raise ServiceError("unauthorized", 'send {"op": "auth", "key": KEY} first, or the key in the Authorization header')
            self._key = self._authenticator.from_secret(message["key"])
            await self._send(encode({"id": message.get("id"), "ok": True}))
        except TimeoutError:
            await self._socket.close(CLOSE_POLICY_VIOLATION, "no key received")
        except ServiceError as error:
            await self._send_error(message.get("id") if isinstance(message, dict) else None, error)
            await self._socket.close(CLOSE_POLICY_VIOLATION, error.code)

    async def _handle(self, text: str | bytes) -> None:
        """Answer one message, or start a task that does."""
        self._num_messages += 1
        message_id: Any = None
        try:
            if len(text) > self._service.settings.max_body_bytes:
                raise ServiceError("too_large", f"a message may have at most {self._service.settings.max_body_bytes} bytes")
            message = _parse(text)
            message_id, name = message.pop("id", None), message.pop("op", None)
            assert self._key is not None
            charge(self._service.quotas, self._key, "requests")
            if name in ("ping", "auth"):
                await self._send(encode({"id": message_id, "ok": True}))
                return
            operation = _validate_operation(name, message)
        except Exception as error:
            await self._send_error(message_id, error)
            return
        work = self._answer(message_id, operation)
        if self._service.is_nonblocking(*operation):
            await work
            return
        await self._in_flight_slots.acquire()
        task = asyncio.create_task(work)
        self._in_flight.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._in_flight.discard(task)
        self._in_flight_slots.release()
        if not task.cancelled():
            task.exception()  # retrieve it: the client disconnected before the answer, which `_receive` notices too

    async def _answer(self, message_id: Any, operation: _Operation) -> None:
        assert self._key is not None
        try:
            result = await self._run(self._key, operation)
        except Exception as error:
            await self._send_error(message_id, error)
            return
        self._ok_counter.inc()
        await self._send(merge_objects(encode({"id": message_id, "ok": True}), result))

    async def _run(self, key: ApiKey, operation: _Operation) -> JsonText:
        """Run an operation, and track the sessions that end with this connection."""
        if isinstance(operation.request, OpenRequest):
            session_id, view = await self._service.open(key, operation.request)
            if not operation.request.persistent:
                self._session_ids.add(session_id)
            return view
        result = await self._service.dispatch(key, operation.name, operation.session_id, operation.request)
        if operation.name == "close":
            self._session_ids.discard(operation.session_id)
        return result

    async def _send_error(self, message_id: Any, raised: Exception) -> None:
        error = as_service_error(raised)
        self._num_errors += 1
        self._service.metrics.requests.labels("/v1/play", str(error.status)).inc()
        self._service.metrics.errors.labels(error.code).inc()
        if error.code == "internal_error":
            self._log.log_failure(raised, route="/v1/play")
        with suppress(RuntimeError, OSError):
            await self._send(encode({"id": message_id, "ok": False, "error": error.to_dict()}))

    async def _send(self, text: JsonText) -> None:
        await self._socket.send({"type": "websocket.send", "text": text})


def _parse(text: str | bytes) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise ServiceError("invalid_request", "a message must be one JSON object") from None
    if not isinstance(message, dict):
        raise ServiceError("invalid_request", f"a message must be one JSON object, got {type(message).__name__}")
    if not _is_message_id(message.get("id")):
        message["id"] = None
    return message


def _is_message_id(value: Any) -> bool:
    """Whether a value can be sent back as the id of the answer."""
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, int) or (isinstance(value, str) and len(value) <= MAX_ID_CHARS)


def _validate_operation(name: Any, fields: dict[str, Any]) -> _Operation:
    if name == "open":
        return _Operation(name, "", validate(OpenRequest, fields))
    if not isinstance(name, str) or name not in OPERATIONS:
        raise ServiceError("invalid_request", f"op: must be one of {', '.join(['open', *OPERATIONS, 'ping', 'auth'])}")
    session_id = fields.pop("session", None)
    if not isinstance(session_id, str):
        raise ServiceError("invalid_request", "session: must be a string")
    return _Operation(name, session_id, validate(OPERATIONS[name], fields))
