"""Encodes calls and decodes responses, for HTTP and for a WebSocket."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import (
    ConnectionLost,
    InvalidRequest,
    InvalidResponse,
    ServiceError,
    SessionLost,
    TooLarge,
    Unauthorized,
    Unreachable,
    parse_error,
)

MAX_MESSAGE_BYTES = 64 * 2**20
"""The longest WebSocket message that a client accepts."""

Transport = Literal["rest", "ws"]

MAX_BYTES_HEADER = "x-rlgym-max-bytes"
CLOSE_POLICY_VIOLATION, CLOSE_MESSAGE_TOO_BIG = 1008, 1009


def check_transport(transport: str) -> Transport:
    """The transport; InvalidRequest if it is unknown."""
    if transport not in ("rest", "ws"):
        raise InvalidRequest(f"transport must be 'rest' or 'ws', got {transport!r}")
    return transport  # type: ignore[return-value]


def check_url(url: str) -> str:
    """The service's URL without a trailing slash; InvalidRequest if it is not an HTTP URL."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidRequest(f"the service's URL must look like http://host:8000, got {url!r}")
    return url.rstrip("/")


def websocket_url(url: str) -> str:
    """The URL of the service's WebSocket."""
    return f"ws{check_url(url).removeprefix('http')}/v1/play"


def uses_proxy(url: str) -> bool:
    """Whether the system's proxies apply to this URL; never for loopback addresses."""
    host = urlsplit(url).hostname or ""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def authorization_header(key: str | None) -> dict[str, str]:
    """The header that carries the key."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def encode_json(data: Any) -> str:
    """JSON in ASCII, which carries every Python string, including lone surrogates."""
    try:
        return json.dumps(data, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidRequest(f"the request cannot be encoded as JSON: {error}") from None


def encode_http(call: Call) -> dict[str, Any]:
    """The arguments of httpx's `request`."""
    if call.method == "GET":
        return {"params": dict(call.fields)}
    if call.method == "DELETE":
        return {}
    return {"content": encode_json(call.fields).encode(), "headers": {"Content-Type": "application/json"}}


def decode_http(status: int, headers: Mapping[str, str], content: bytes) -> Any:
    """The body of an HTTP response: JSON, text, or None if it is empty. Raises its error."""
    body: Any = None
    if "json" in headers.get("content-type", ""):
        try:
            body = json.loads(content)
        except ValueError:
            raise InvalidResponse(f"the service answered with invalid JSON: {content[:200]!r}", status=status) from None
    if status < 400:
        return content.decode("utf-8", "replace") if body is None and content else body
    retry_header = headers.get("retry-after", "")
    retry_after = float(retry_header) if retry_header.isdecimal() else None
    if isinstance(body, dict) and "error" in body:
        raise parse_error(body["error"], status, retry_after)
    if status in (502, 503, 504):  # sent by a proxy in front of the service
        message = f"a proxy answered with status {status}: {content[:200]!r}"
        raise Unreachable(message, retryable=True, retry_after=retry_after)
    raise parse_error(content[:200].decode("utf-8", "replace"), status, retry_after)


def encode_message(message_id: int, call: Call) -> str:
    """The WebSocket message of a call; InvalidRequest if the WebSocket has no such operation."""
    if not call.op:
        raise InvalidRequest(f"{call.method} {call.path} is not available over a WebSocket")
    session = {} if call.session_id is None else {"session": call.session_id}
    return encode_json({"id": message_id, "op": call.op, **session, **call.fields})


def check_message_length(message: str, handshake_headers: Mapping[str, str]) -> None:
    """TooLarge for a message above the service's limit: it would end the connection and the sessions that belong to it."""
    limit = handshake_headers.get(MAX_BYTES_HEADER, "")
    if limit.isdecimal() and len(message) > int(limit):
        raise TooLarge(f"a message may have at most {limit} bytes, got {len(message)}")


def decode_message(message: Any) -> Any:
    """The body of a WebSocket response. Raises its error."""
    if message.get("ok"):
        return message
    raise parse_error(message.get("error"))


def closed_error(code: int | None, reason: str, session_id: str | None) -> ServiceError:
    """The error for a WebSocket that closed before the response."""
    message = f"the connection was closed ({code}{': ' + reason if reason else ''})"
    if code == CLOSE_MESSAGE_TOO_BIG:
        return TooLarge(f"{message}: a message was too large")
    if code == CLOSE_POLICY_VIOLATION:
        return Unauthorized(f"{message}: the service rejected the key")
    if session_id is not None:
        return SessionLost(f"{message}, and the session with it", retryable=True)
    return ConnectionLost(f"{message} before the response", retryable=True)
