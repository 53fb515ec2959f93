"""Sends many concurrent calls over one WebSocket."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ConnectionLost, ServiceError, TooLarge, parse_error
from rlgym.serve.client.websocket_options import (
    connect_options,
    convert_close,
    convert_connect_error,
    handshake_headers,
    no_response_error,
    parse_message,
)
from rlgym.serve.client.wire import check_message_length, decode_message, encode_message, websocket_url


class AsyncWebSocketTransport:
    """Sends calls over one WebSocket; responses are matched to calls by id, and may arrive in any order."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        self._url, self._key, self._timeout = websocket_url(url), key, timeout
        self._last_id = 0
        self._connection: Connection | None = None
        self._connect_lock = asyncio.Lock()

    async def send(self, call: Call) -> Any:
        """The response to a call, or a ServiceError. Sessions end with the connection."""
        self._last_id += 1
        message_id, connection = self._last_id, await self._connect()
        message = encode_message(message_id, call)
        check_message_length(message, handshake_headers(connection.socket))
        response: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        connection.pending[message_id] = PendingCall(len(message), response)
        try:
            await connection.socket.send(message)
            async with asyncio.timeout(self._timeout):
                return decode_message(await response)
        except ConnectionClosed as error:
            raise convert_close(error, call) from error
        except TimeoutError:
            raise ConnectionLost(no_response_error(self._timeout), retryable=True) from None
        finally:
            connection.pending.pop(message_id, None)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _connect(self) -> Connection:
        if self._connection is not None and not self._connection.closed:
            return self._connection
        async with self._connect_lock:
            if self._connection is None or self._connection.closed:
                await self.close()
                self._connection = await Connection.open(self._url, connect_options(self._url, self._key, self._timeout))
            return self._connection


class PendingCall(NamedTuple):
    """A call that awaits its response."""

    message_chars: int
    response: asyncio.Future[Any]


class Connection:
    """One open WebSocket, the calls that await their responses, and the task that reads."""

    def __init__(self, socket: ClientConnection, exit_stack: AsyncExitStack) -> None:
        self.socket, self._exit_stack = socket, exit_stack
        self.pending: dict[int, PendingCall] = {}
        self.closed = False
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, url: str, options: dict[str, Any]) -> Connection:
        exit_stack = AsyncExitStack()
        try:
            return cls(await exit_stack.enter_async_context(connect(url, **options)), exit_stack)
        except (OSError, EOFError, WebSocketException) as error:
            raise convert_connect_error(error, url) from error

    async def close(self) -> None:
        self.closed = True
        with suppress(OSError, WebSocketException):  # it may be broken already
            await self._exit_stack.aclose()
        await self._reader

    async def _read(self) -> None:
        try:
            while True:
                message = parse_message(await self.socket.recv())
                message_id = message.get("id")
                if message_id is None and not message.get("ok"):
                    self._handle_error_without_id(parse_error(message.get("error")))
                elif message_id in self.pending:
                    _resolve(self.pending[message_id].response, message)
        except (ConnectionClosed, ServiceError) as error:
            self.closed = True
            for call in self.pending.values():
                _resolve(call.response, error)

    def _handle_error_without_id(self, error: ServiceError) -> None:
        """A message that was too long to be parsed must be the longest one; after any other error the connection closes."""
        if isinstance(error, TooLarge) and self.pending:
            _resolve(max(self.pending.values(), key=lambda call: call.message_chars).response, error)


def _resolve(response: asyncio.Future[Any], result: Any) -> None:
    if not response.done():
        response.set_exception(result) if isinstance(result, Exception) else response.set_result(result)
