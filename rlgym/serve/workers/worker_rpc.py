"""RPC between workers: operations on sessions of other workers, over Unix sockets that only their owner may open.

Both ends exchange frames: two lengths, a header in JSON, a body. Many calls share one connection; each has an id, and they are answered
in the order they complete. Frames written in one iteration of the event loop are sent in one piece.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import struct
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, cast

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.protocol.encoding import JsonText
from rlgym.serve.protocol.errors import ServiceError, as_service_error
from rlgym.serve.sessions.store import SessionLocation, parse_session_id, session_lost_error
from rlgym.serve.workers.shared_state import SharedState, WorkerState

OperationHandler = Callable[[ApiKey, str, str, dict[str, Any]], Awaitable[JsonText]]
"""(key, operation, session id, fields) -> the response; ServiceError if it is rejected."""

FRAME_LENGTHS = struct.Struct("!II")  # bytes of the header, bytes of the body
MAX_FRAME_BYTES = 512 * 1024 * 1024
DEATH_NOTICE_SECONDS = 1.0  # time in which the supervisor notices that a worker has died
DEATH_NOTICE_POLLS = 20


class PeerDisconnected(Exception):
    """The connection to another worker closed."""


class _Frame(NamedTuple):
    header: dict[str, Any]
    body: str


class _FrameProtocol(asyncio.Protocol):
    """Sends and receives frames."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._received = bytearray()
        self._outgoing: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport is not a subclass

    def data_received(self, data: bytes) -> None:
        self._received += data
        start = 0
        while len(self._received) - start >= FRAME_LENGTHS.size:
            header_bytes, body_bytes = FRAME_LENGTHS.unpack_from(self._received, start)
            if header_bytes + body_bytes > MAX_FRAME_BYTES:
                return self.close()
            header_start = start + FRAME_LENGTHS.size
            body_start = header_start + header_bytes
            end = body_start + body_bytes
            if len(self._received) < end:
                break
            self.frame_received(_Frame(json.loads(self._received[header_start:body_start]), self._received[body_start:end].decode()))
            start = end
        del self._received[:start]

    def frame_received(self, frame: _Frame) -> None:
        raise NotImplementedError

    def send_frame(self, frame: _Frame) -> None:
        if not self.connected:
            raise PeerDisconnected("the connection is closed")
        header, body = json.dumps(frame.header).encode(), frame.body.encode()
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing += (FRAME_LENGTHS.pack(len(header), len(body)), header, body)

    def _flush(self) -> None:
        chunks, self._outgoing = self._outgoing, []
        if self._transport is not None and self.connected:
            self._transport.write(b"".join(chunks))

    @property
    def connected(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class _ServerConnection(_FrameProtocol):
    """The end at the worker that owns the sessions."""

    def __init__(
        self,
        handle_operation: OperationHandler,
        start_task: Callable[[Coroutine[Any, Any, None]], None],
        log_failure: Callable[[Exception], object],
    ) -> None:
        super().__init__()
        self._handle_operation, self._start_task, self._log_failure = handle_operation, start_task, log_failure

    def frame_received(self, frame: _Frame) -> None:
        self._start_task(self._answer(frame))

    async def _answer(self, frame: _Frame) -> None:
        request = frame.header
        header: dict[str, Any] = {"id": request["id"]}
        try:
            fields = json.loads(frame.body)
            body = await self._handle_operation(ApiKey(**request["key"]), request["operation"], request["session"], fields)
        except Exception as raised:
            error = as_service_error(raised)
            if error.code == "internal_error":
                self._log_failure(raised)
            header["error"] = {"code": error.code, "message": error.message, "retry_after": error.retry_after}
            body = JsonText("")
        with contextlib.suppress(PeerDisconnected):  # the calling worker died meanwhile
            self.send_frame(_Frame(header, body))


class _ClientConnection(_FrameProtocol):
    """The end at the worker that has the client."""

    def __init__(self) -> None:
        super().__init__()
        self._ids = itertools.count()
        self._pending: dict[int, asyncio.Future[JsonText]] = {}

    async def call(self, header: dict[str, Any], body: str) -> JsonText:
        call_id, future = next(self._ids), self._loop.create_future()
        self._pending[call_id] = future
        try:
            self.send_frame(_Frame({"id": call_id, **header}, body))
            response: JsonText = await future
            return response
        finally:
            del self._pending[call_id]

    def frame_received(self, frame: _Frame) -> None:
        future = self._pending.get(frame.header["id"])
        if future is None or future.done():
            return
        if error := frame.header.get("error"):
            future.set_exception(ServiceError(**error))
        else:
            future.set_result(JsonText(frame.body))

    def connection_lost(self, error: Exception | None) -> None:
        for future in self._pending.values():
            if not future.done():
                future.set_exception(PeerDisconnected("it closed the connection"))


class PeerServer:
    """Serves the operations that other workers forward to this one."""

    def __init__(
        self, handle_operation: OperationHandler, socket_path: Path, log_failure: Callable[[Exception], object] = lambda error: None
    ) -> None:
        self._handle_operation, self._socket_path, self._log_failure = handle_operation, socket_path, log_failure
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections: list[_ServerConnection] = []
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Start listening. The directory is closed to other users, so nobody can connect between bind and chmod."""
        self._server = await asyncio.get_running_loop().create_unix_server(self._connect, str(self._socket_path))
        os.chmod(self._socket_path, 0o600)

    async def close(self) -> None:
        """Stop listening after the calls in flight have completed."""
        if self._tasks:
            await asyncio.wait(set(self._tasks))
        if self._server is not None:
            self._server.close()
        for connection in self._connections:
            connection.close()
        self._socket_path.unlink(missing_ok=True)

    def _connect(self) -> _ServerConnection:
        connection = _ServerConnection(self._handle_operation, self._start_task, self._log_failure)
        self._connections = [*(other for other in self._connections if other.connected), connection]
        return connection

    def _start_task(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class PeerClient:
    """Calls the other workers, over one open connection to each.

    A session of a dead worker is lost. A live worker that does not answer within `timeout_seconds` is reported as `worker_lost`: whether
    it took the step is unknown, which the turn that the client sends with its next step resolves.
    """

    def __init__(
        self, shared: SharedState, directory: Path, timeout_seconds: float, count_call: Callable[[], object] = lambda: None
    ) -> None:
        self._shared, self._directory, self._timeout_seconds, self._count_call = shared, directory, timeout_seconds, count_call
        self._connections: dict[Path, _ClientConnection] = {}
        self._connect_lock = asyncio.Lock()

    async def call(self, key: ApiKey, operation: str, session_id: str, fields: dict[str, Any]) -> JsonText:
        """Run an operation in the worker that owns the session."""
        owner = parse_session_id(session_id)
        if owner is None or not self._is_alive(owner):
            raise session_lost_error()
        self._count_call()
        header = {"key": asdict(key), "operation": operation, "session": session_id}
        try:
            async with asyncio.timeout(self._timeout_seconds):
                connection = await self._connection(peer_socket_path(self._directory, owner))
                return await connection.call(header, json.dumps(fields))
        except TimeoutError:
            reason = f"it did not respond for {self._timeout_seconds:g} s"
        except (PeerDisconnected, OSError) as error:
            reason = str(error)
        for _ in range(DEATH_NOTICE_POLLS):
            if not self._is_alive(owner):
                raise session_lost_error()
            await asyncio.sleep(DEATH_NOTICE_SECONDS / DEATH_NOTICE_POLLS)
        raise ServiceError("worker_lost", f"worker {owner.worker_id}, which owns the session, failed: {reason}", retry_after=1)

    def _is_alive(self, location: SessionLocation) -> bool:
        slot = self._shared.worker_slot(location.worker_id)
        return slot.state != WorkerState.DOWN and f"{slot.incarnation:08x}" == location.incarnation

    async def _connection(self, socket_path: Path) -> _ClientConnection:
        connection = self._connections.get(socket_path)
        if connection is not None and connection.connected:
            return connection
        async with self._connect_lock:
            connection = self._connections.get(socket_path)
            if connection is not None and connection.connected:
                return connection
            _, connection = await asyncio.get_running_loop().create_unix_connection(_ClientConnection, str(socket_path))
            alive = {path: other for path, other in self._connections.items() if other.connected}
            self._connections = alive | {socket_path: connection}
            return connection

    def close(self) -> None:
        """Close the connections."""
        for connection in self._connections.values():
            connection.close()


def peer_socket_path(directory: Path, location: SessionLocation) -> Path:
    """Where a worker listens for the others."""
    return directory / f"{location.worker_id}-{location.incarnation}.sock"
