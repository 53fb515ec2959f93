"""Calls over one WebSocket, one at a time."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import Any

from websockets.asyncio.client import ClientConnection as AsyncConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ConnectionBroke, Garbled, ServiceError, TooLarge, Unreachable, from_wire
from rlgym.serve.client.wire import (
    MOST_BYTES,
    authorization,
    by_proxy,
    check_length,
    http_answer,
    socket_address,
    socket_answer,
    socket_closed,
    socket_request,
)


class Socket:
    """Sends calls over one WebSocket, opened when it is needed and opened again when it broke; threads take turns."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        self._url, self._key, self._timeout = socket_address(url), key, timeout
        self._turn, self._number = threading.Lock(), 0
        self._held: ExitStack | None = None
        self._open: ClientConnection | None = None

    def send(self, call: Call) -> Any:
        """The answer to a call; a ServiceError where there is none. Sessions end with the connection."""
        with self._turn:
            self._number += 1
            request, connection = socket_request(self._number, call), self._connection()
            check_length(request, headers(connection))
            try:
                connection.send(request)
                return socket_answer(self._answer(connection, self._number))
            except ConnectionClosed as error:
                self._drop()
                raise closed_by(error, call) from error

    def close(self) -> None:
        with self._turn:
            self._drop()

    def _answer(self, connection: ClientConnection, number: int) -> Any:
        """The answer of this number; those to calls that were given up are passed over."""
        until = time.monotonic() + self._timeout
        while True:
            try:
                told = read(connection.recv(timeout=max(0.0, until - time.monotonic())))
            except TimeoutError:
                raise ConnectionBroke(f"there was no answer in {self._timeout:g} seconds", retryable=True) from None
            if told.get("id") == number:
                return told
            if told.get("id") is None and isinstance(from_wire(told.get("error")), TooLarge):
                return told  # a message that was too long to be read; other refusals that name no call end the connection

    def _connection(self) -> ClientConnection:
        if self._open is None:
            held = ExitStack()
            try:
                self._open = held.enter_context(connect(self._url, **settings(self._url, self._key, self._timeout)))
            except (OSError, EOFError, WebSocketException) as error:
                raise not_opened(error, self._url) from error
            self._held = held
        return self._open

    def _drop(self) -> None:
        held, self._held, self._open = self._held, None, None
        if held is not None:
            with suppress(OSError, WebSocketException):  # it may be broken already
                held.close()


def settings(url: str, key: str | None, timeout: float) -> dict[str, Any]:
    """The arguments of websockets' `connect`."""
    return {
        "additional_headers": authorization(key),
        "open_timeout": timeout,
        "close_timeout": 1,
        "max_size": MOST_BYTES,
        "compression": None,  # texts are short, and time is dearer than bytes
        "proxy": True if by_proxy(url) else None,
    }


def headers(connection: ClientConnection | AsyncConnection) -> Mapping[str, str]:
    """What the service said of itself when it opened the connection."""
    return {} if connection.response is None else connection.response.headers


def read(text: str | bytes) -> Any:
    """A message as data."""
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise Garbled(f"the service sent what is no answer: {text[:200]!r}")
    return told


def closed_by(error: ConnectionClosed, call: Call) -> ServiceError:
    """The exception for a connection that closed during a call."""
    frame = error.rcvd or error.sent
    return socket_closed(frame.code if frame else None, frame.reason if frame else "", call.session)


def not_opened(error: Exception, url: str) -> ServiceError:
    """The exception for a connection that could not be made."""
    if isinstance(error, InvalidStatus):
        told = error.response
        try:
            http_answer(told.status_code, {key.lower(): value for key, value in told.headers.raw_items()}, bytes(told.body or b""))
        except ServiceError as said:
            return said
    return Unreachable(f"no service can be reached at {url} ({type(error).__name__}: {error})", retryable=True)
