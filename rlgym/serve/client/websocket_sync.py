"""Sends calls over one WebSocket, one at a time."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack, suppress
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ConnectionLost, TooLarge, parse_error
from rlgym.serve.client.websocket_options import (
    connect_options,
    convert_close,
    convert_connect_error,
    handshake_headers,
    no_response_error,
    parse_message,
)
from rlgym.serve.client.wire import check_message_length, decode_message, encode_message, websocket_url


class WebSocketTransport:
    """Sends calls over one WebSocket, which is opened when needed and reopened after it broke; threads take turns."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        self._url, self._key, self._timeout = websocket_url(url), key, timeout
        self._lock, self._last_id = threading.Lock(), 0
        self._exit_stack: ExitStack | None = None
        self._connection: ClientConnection | None = None

    def send(self, call: Call) -> Any:
        """The response to a call, or a ServiceError. Sessions end with the connection."""
        with self._lock:
            self._last_id += 1
            message, connection = encode_message(self._last_id, call), self._connect()
            check_message_length(message, handshake_headers(connection))
            try:
                connection.send(message)
                return decode_message(self._receive(connection, self._last_id))
            except ConnectionClosed as error:
                self._disconnect()
                raise convert_close(error, call) from error

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _receive(self, connection: ClientConnection, message_id: int) -> Any:
        """The response with this id; late responses to calls that timed out are skipped."""
        deadline = time.monotonic() + self._timeout
        while True:
            try:
                message = parse_message(connection.recv(timeout=max(0.0, deadline - time.monotonic())))
            except TimeoutError:
                raise ConnectionLost(no_response_error(self._timeout), retryable=True) from None
            if message.get("id") == message_id:
                return message
            if message.get("id") is None and isinstance(parse_error(message.get("error")), TooLarge):
                return message  # the message was too long to be parsed; other errors without an id close the connection

    def _connect(self) -> ClientConnection:
        if self._connection is None:
            exit_stack = ExitStack()
            try:
                self._connection = exit_stack.enter_context(connect(self._url, **connect_options(self._url, self._key, self._timeout)))
            except (OSError, EOFError, WebSocketException) as error:
                raise convert_connect_error(error, self._url) from error
            self._exit_stack = exit_stack
        return self._connection

    def _disconnect(self) -> None:
        exit_stack, self._exit_stack, self._connection = self._exit_stack, None, None
        if exit_stack is not None:
            with suppress(OSError, WebSocketException):  # it may be broken already
                exit_stack.close()
