"""Many calls at once over one WebSocket."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ConnectionBroke, ServiceError, TooLarge, from_wire
from rlgym.serve.client.socket_sync import closed_by, headers, not_opened, read, settings
from rlgym.serve.client.wire import check_length, socket_address, socket_answer, socket_request


class AsyncSocket:
    """Sends calls over one WebSocket; answers are told apart by the numbers of their calls, and may come in any order."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        self._url, self._key, self._timeout = socket_address(url), key, timeout
        self._number = 0
        self._link: Link | None = None
        self._opening = asyncio.Lock()

    async def send(self, call: Call) -> Any:
        """The answer to a call; a ServiceError where there is none. Sessions end with the connection."""
        self._number += 1
        number, link = self._number, await self._connection()
        request = socket_request(number, call)
        check_length(request, headers(link.connection))
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        link.waiting[number] = (len(request), answer)
        try:
            await link.connection.send(request)
            async with asyncio.timeout(self._timeout):
                return socket_answer(await answer)
        except ConnectionClosed as error:
            raise closed_by(error, call) from error
        except TimeoutError:
            raise ConnectionBroke(f"there was no answer in {self._timeout:g} seconds", retryable=True) from None
        finally:
            link.waiting.pop(number, None)

    async def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            await link.close()

    async def _connection(self) -> Link:
        if self._link is not None and not self._link.over:
            return self._link
        async with self._opening:
            if self._link is None or self._link.over:
                await self.close()
                self._link = await Link.open(self._url, settings(self._url, self._key, self._timeout))
            return self._link


class Link:
    """One open connection, the calls that wait for their answers, and the task that reads."""

    def __init__(self, connection: ClientConnection, held: AsyncExitStack) -> None:
        self.connection, self._held = connection, held
        self.waiting: dict[int, tuple[int, asyncio.Future[Any]]] = {}
        self.over = False
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, url: str, given: dict[str, Any]) -> Link:
        held = AsyncExitStack()
        try:
            return cls(await held.enter_async_context(connect(url, **given)), held)
        except (OSError, EOFError, WebSocketException) as error:
            raise not_opened(error, url) from error

    async def close(self) -> None:
        self.over = True
        with suppress(OSError, WebSocketException):  # it may be broken already
            await self._held.aclose()
        await self._reader

    async def _read(self) -> None:
        try:
            while True:
                told = read(await self.connection.recv())
                number = told.get("id")
                if number is None and not told.get("ok"):
                    self._unnamed(from_wire(told.get("error")))
                elif number in self.waiting:
                    _settle(self.waiting[number][1], told)
        except (ConnectionClosed, ServiceError) as error:
            self.over = True
            for _, answer in self.waiting.values():
                _settle(answer, error)

    def _unnamed(self, error: ServiceError) -> None:
        """A refusal that names no call: of the longest message, if it was too long to be read; else the connection is about to be closed."""
        if isinstance(error, TooLarge) and self.waiting:
            _settle(max(self.waiting.values(), key=lambda one: one[0])[1], error)


def _settle(answer: asyncio.Future[Any], told: Any) -> None:
    if not answer.done():
        answer.set_exception(told) if isinstance(told, Exception) else answer.set_result(told)
