"""How calls and answers are written, over HTTP and over a WebSocket."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import (
    ConnectionBroke,
    Garbled,
    Invalid,
    ServiceError,
    SessionLost,
    TooLarge,
    Unauthorized,
    Unreachable,
    from_wire,
)

MOST_BYTES = 64 * 2**20
"""The longest message that a client takes."""


def base(url: str) -> str:
    """The service's address without a slash at its end; Invalid where it is none of http or https."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Invalid(f"the service's address must look like http://host:8000, got {url!r}")
    return url.rstrip("/")


def socket_address(url: str) -> str:
    """The address of the WebSocket beside an HTTP address."""
    return f"ws{base(url).removeprefix('http')}/v1/play"


def by_proxy(url: str) -> bool:
    """Whether the proxies that the system names are for this address; never for this machine's own."""
    host = urlsplit(url).hostname or ""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def authorization(key: str | None) -> dict[str, str]:
    """The header that shows the key."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def dumped(data: Any) -> str:
    """JSON in ASCII, which holds any string of Python's, lone surrogates too."""
    try:
        return json.dumps(data, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Invalid(f"this cannot be sent as JSON: {error}") from None


def http_request(call: Call) -> dict[str, Any]:
    """The arguments of httpx's `request`."""
    if call.method == "GET":
        return {"params": dict(call.fields)}
    if call.method == "DELETE":
        return {}
    return {"content": dumped(call.fields).encode(), "headers": {"Content-Type": "application/json"}}


def http_answer(status: int, headers: Mapping[str, str], content: bytes) -> Any:
    """What an HTTP answer says: JSON, text, or None for nothing; its error raised."""
    told: Any = None
    if "json" in headers.get("content-type", ""):
        try:
            told = json.loads(content)
        except ValueError:
            raise Garbled(f"the service answered with broken JSON: {content[:200]!r}", status=status) from None
    if status < 400:
        return content.decode("utf-8", "replace") if told is None and content else told
    after = headers.get("retry-after", "")
    wait = float(after) if after.isdecimal() else None
    if isinstance(told, dict) and "error" in told:
        raise from_wire(told["error"], status, wait)
    if status in (502, 503, 504):  # a proxy before the service
        raise Unreachable(f"the service could not be reached behind {status}: {content[:200]!r}", retryable=True, retry_after=wait)
    raise from_wire(content[:200].decode("utf-8", "replace"), status, wait)


def socket_request(number: int, call: Call) -> str:
    """The message of a call; Invalid where the WebSocket has no such operation."""
    if not call.op:
        raise Invalid(f"{call.method} {call.path} cannot be asked over a WebSocket")
    own = {} if call.session is None else {"session": call.session}
    return dumped({"id": number, "op": call.op, **own, **call.fields})


def check_length(request: str, headers: Mapping[str, str]) -> None:
    """TooLarge for a message above what the service said that it takes: sent all the same, it would end the connection and its sessions."""
    most = headers.get("rlgym-max-bytes", "")
    if most.isdecimal() and len(request) > int(most):
        raise TooLarge(f"a message may have {most} bytes, this one has {len(request)}")


def socket_answer(told: Any) -> Any:
    """What an answer over a WebSocket says; its error raised."""
    if told.get("ok"):
        return told
    raise from_wire(told.get("error"))


def socket_closed(code: int | None, reason: str, session: str | None) -> ServiceError:
    """The exception for a WebSocket that was closed before there was an answer."""
    told = f"the connection was closed ({code}{': ' + reason if reason else ''})"
    if code == 1009:
        return TooLarge(f"{told}: a message was too large")
    if code == 1008:
        return Unauthorized(f"{told}: the service does not allow it")
    if session is not None:
        return SessionLost(f"{told}, and the session with it", retryable=True)
    return ConnectionBroke(f"{told} before there was an answer", retryable=True)
