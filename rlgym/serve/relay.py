"""Operations on sessions of other workers, passed on over Unix sockets that only their owner may open.

Both ends speak frames: two lengths, a head in JSON, a body. Many operations share one connection, each with a number of its own, and are
answered in whatever order they finish. What is written in one turn of the event loop leaves in one piece.
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
from typing import Any, cast

from rlgym.serve.board import Board, State
from rlgym.serve.errors import ServiceError, as_service_error
from rlgym.serve.keys import Key
from rlgym.serve.sessions import lost, place_of

Asked = Callable[[Key, str, str, dict[str, Any]], Awaitable[str]]
"""(key, operation, session, fields) -> the answer as JSON; ServiceError where it is refused."""

LENGTHS = struct.Struct("!II")
MOST_BYTES = 512 * 1024 * 1024
NOTICED = 1.0  # seconds in which the supervisor sees that a worker has died


class Gone(Exception):
    """The other worker did not answer: it died, or was silent for too long."""


class _Frames(asyncio.Protocol):
    """Reads frames and hands each on; writes frames."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._leaving: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        at = 0
        while len(self._buffer) - at >= LENGTHS.size:
            head, body = LENGTHS.unpack_from(self._buffer, at)
            if head + body > MOST_BYTES:
                return self.close()
            middle, end = at + LENGTHS.size + head, at + LENGTHS.size + head + body
            if len(self._buffer) < end:
                break
            self.came(json.loads(self._buffer[at + LENGTHS.size : middle]), self._buffer[middle:end].decode())
            at = end
        del self._buffer[:at]

    def came(self, head: dict[str, Any], body: str) -> None:
        raise NotImplementedError

    def write(self, head: dict[str, Any], body: str) -> None:
        if not self.alive:
            raise Gone("the connection is closed")
        first, rest = json.dumps(head).encode(), body.encode()
        if not self._leaving:
            self._loop.call_soon(self._leave)
        self._leaving += (LENGTHS.pack(len(first), len(rest)), first, rest)

    def _leave(self) -> None:
        pieces, self._leaving = self._leaving, []
        if self._transport is not None and self.alive:
            self._transport.write(b"".join(pieces))

    @property
    def alive(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class _Answering(_Frames):
    """The end at the worker that has the session."""

    def __init__(self, asked: Asked, start: Callable[[Coroutine[Any, Any, None]], None], failed: Callable[[Exception], object]) -> None:
        super().__init__()
        self._asked, self._start, self._failed = asked, start, failed

    def came(self, head: dict[str, Any], body: str) -> None:
        self._start(self._answer(head, body))

    async def _answer(self, head: dict[str, Any], body: str) -> None:
        told: dict[str, Any] = {"id": head["id"]}
        try:
            answer = await self._asked(Key(**head["key"]), head["operation"], head["session"], json.loads(body))
        except Exception as error:
            refused = as_service_error(error)
            if refused.code == "broken":
                self._failed(error)
            answer, told["refused"] = "", {"code": refused.code, "message": refused.message, "retry_after": refused.retry_after}
        with contextlib.suppress(Gone):  # who asked has died meanwhile
            self.write(told, answer)


class _Asking(_Frames):
    """The end at the worker that has the client."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[str]] = {}

    async def ask(self, head: dict[str, Any], body: str) -> str:
        number, future = next(self._numbers), self._loop.create_future()
        self._waiting[number] = future
        try:
            self.write({"id": number, **head}, body)
            answer: str = await future
            return answer
        finally:
            del self._waiting[number]

    def came(self, head: dict[str, Any], body: str) -> None:
        future = self._waiting.get(head["id"])
        if future is None or future.done():
            return
        if refused := head.get("refused"):
            future.set_exception(ServiceError(**refused))
        else:
            future.set_result(body)

    def connection_lost(self, error: Exception | None) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Gone("it closed the connection"))


class Ear:
    """Listens for what other workers pass on, and hands it to this worker's desk."""

    def __init__(self, asked: Asked, socket: Path, failed: Callable[[Exception], object] = lambda error: None) -> None:
        self._asked, self._socket, self._failed = asked, socket, failed
        self._under_way: set[asyncio.Task[None]] = set()
        self._connections: list[_Answering] = []
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Begin to listen. The folder is closed to others, so that nobody comes between bind and chmod."""
        self._server = await asyncio.get_running_loop().create_unix_server(self._connection, str(self._socket))
        os.chmod(self._socket, 0o600)

    async def close(self) -> None:
        """Stop listening, once what is under way has finished."""
        if self._under_way:
            await asyncio.wait(set(self._under_way))
        if self._server is not None:
            self._server.close()
        for connection in self._connections:
            connection.close()
        self._socket.unlink(missing_ok=True)

    def _connection(self) -> _Answering:
        self._connections = [*(one for one in self._connections if one.alive), made := _Answering(self._asked, self._start, self._failed)]
        return made

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)


class Colleagues:
    """The other workers, as a worker's desk asks them; it keeps one connection to each open.

    A session of a worker that died is lost. A worker that lives and does not answer within `seconds` is `worker_lost`: whether it took the
    step is not known, which the turn that a client sends with the next one finds out.
    """

    def __init__(self, board: Board, folder: Path, seconds: float, count: Callable[[], object] = lambda: None) -> None:
        self._board, self._folder, self._seconds, self._count = board, folder, seconds, count
        self._connections: dict[Path, _Asking] = {}
        self._connecting = asyncio.Lock()

    async def ask(self, key: Key, operation: str, session: str, fields: dict[str, Any]) -> str:
        """The answer of the worker that has this session."""
        place = place_of(session)
        if place is None or not self._lives(place):
            raise lost()
        self._count()
        head = {"key": asdict(key), "operation": operation, "session": session}
        try:
            async with asyncio.timeout(self._seconds):
                connection = await self._connection(socket_of(self._folder, *place))
                return await connection.ask(head, json.dumps(fields))
        except TimeoutError:
            why = f"it was silent for {self._seconds:g} seconds"
        except (Gone, OSError) as error:
            why = str(error)
        for _ in range(20):
            if not self._lives(place):
                raise lost()
            await asyncio.sleep(NOTICED / 20)
        raise ServiceError("worker_lost", f"worker {place[0]}, which has the session, did not answer: {why}", retry_after=1)

    def _lives(self, place: tuple[int, str]) -> bool:
        seat = self._board.seat(place[0])
        return seat.state != State.DOWN and f"{seat.incarnation:08x}" == place[1]

    async def _connection(self, socket: Path) -> _Asking:
        kept = self._connections.get(socket)
        if kept is not None and kept.alive:
            return kept
        async with self._connecting:
            kept = self._connections.get(socket)
            if kept is not None and kept.alive:
                return kept
            _, made = await asyncio.get_running_loop().create_unix_connection(_Asking, str(socket))
            self._connections = {path: one for path, one in self._connections.items() if one.alive} | {socket: made}
            return made

    def close(self) -> None:
        """Close the connections."""
        for connection in self._connections.values():
            connection.close()


def socket_of(folder: Path, worker: int, incarnation: str) -> Path:
    """Where a worker listens for the others."""
    return folder / f"{worker}-{incarnation}.sock"
