"""What both WebSocket transports share: connection options, and errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from websockets.asyncio.client import ClientConnection as AsyncConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import InvalidResponse, ServiceError, Unreachable
from rlgym.serve.client.wire import MAX_MESSAGE_BYTES, authorization_header, closed_error, decode_http, uses_proxy

CLOSE_TIMEOUT_SECONDS = 1


def connect_options(url: str, key: str | None, timeout: float) -> dict[str, Any]:
    """The arguments of websockets' `connect`."""
    return {
        "additional_headers": authorization_header(key),
        "open_timeout": timeout,
        "close_timeout": CLOSE_TIMEOUT_SECONDS,
        "max_size": MAX_MESSAGE_BYTES,
        "compression": None,  # messages are short, so compression costs more time than it saves
        "proxy": True if uses_proxy(url) else None,
    }


def handshake_headers(connection: ClientConnection | AsyncConnection) -> Mapping[str, str]:
    """The headers of the service's handshake response."""
    return {} if connection.response is None else connection.response.headers


def parse_message(text: str | bytes) -> Any:
    """A message as data."""
    try:
        message = json.loads(text)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise InvalidResponse(f"expected a JSON object from the service, got {text[:200]!r}")
    return message


def convert_close(error: ConnectionClosed, call: Call) -> ServiceError:
    """The error for a connection that closed during a call."""
    frame = error.rcvd or error.sent
    return closed_error(frame.code if frame else None, frame.reason if frame else "", call.session_id)


def convert_connect_error(error: Exception, url: str) -> ServiceError:
    """The error for a connection that could not be opened."""
    if isinstance(error, InvalidStatus):
        response = error.response
        headers = {name.lower(): value for name, value in response.headers.raw_items()}
        try:
            decode_http(response.status_code, headers, bytes(response.body or b""))
        except ServiceError as rejection:
            return rejection
    return Unreachable(f"cannot reach a service at {url} ({type(error).__name__}: {error})", retryable=True)


def no_response_error(timeout: float) -> str:
    """The message for a response that did not arrive in time."""
    return f"no response within {timeout:g} s"
