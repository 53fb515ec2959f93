"""What every HTTP request passes first and last: its key, its size, its line in the log."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException

from rlgym.serve.desk import Desk
from rlgym.serve.errors import ServiceError, as_service_error
from rlgym.serve.keys import EVERYBODY, Key, Keys, spend
from rlgym.serve.logs import Log

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_REQUEST_ID = re.compile(rb"[0-9A-Za-z_.-]{1,64}")
_DEFAULT_PORTS = re.compile(r":\d{1,5}$")


class Gate:
    """Goes around the application."""

    def __init__(self, app: App, desk: Desk, keys: Keys | None, log: Log) -> None:
        self._app, self._desk, self._keys, self._log = app, desk, keys, log
        self._everybody = replace(EVERYBODY, reveal=desk.settings.reveal)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; sockets and the application's own life pass through."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, headers = time.perf_counter(), dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        request = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8).encode()
        status = 0  # until the answer has begun

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request)]
            await send(message)

        try:
            refused = self._let_in(scope, headers)
            if refused is not None:
                scope["refused"] = refused.code
                if refused.code == "too_large":
                    await _thrown_away(receive, 4 * self._desk.settings.max_body)
                await refused.reply()(scope, receive, answered)
            else:
                await self._app(scope, self._bounded(receive), answered)
        except Exception as error:
            self._log.broken(error, request=request.decode())
            if status != 0:
                raise
            scope["refused"] = "broken"
            await as_service_error(error).reply()(scope, receive, answered)
        finally:
            self._note(scope, status, time.perf_counter() - began, request.decode())

    def _let_in(self, scope: Scope, headers: dict[bytes, bytes]) -> ServiceError | None:
        """Find the key, which later parts read from the request's state; the refusal where there is none to let in."""
        key = self._everybody
        try:
            self.check_host(headers)
            if scope["path"].startswith("/v1/"):
                key = self.key(headers.get(b"authorization"))
                spend(self._desk.quotas, key, "requests")
            length = headers.get(b"content-length", b"0")
            if not length.isdigit() or int(length[:20]) > self._desk.settings.max_body:
                raise ServiceError("too_large", f"a request may have {self._desk.settings.max_body} bytes")
        except ServiceError as error:
            return error
        scope.setdefault("state", {})["key"] = key
        return None

    def key(self, header: bytes | None) -> Key:
        """The key of an Authorization header; everybody's where there is no key file."""
        return (
            self._everybody if self._keys is None else self._keys.of_header(None if header is None else header.decode("utf-8", "replace"))
        )

    @property
    def open(self) -> bool:
        """Whether everybody may do everything."""
        return self._keys is None

    def find(self, key: str) -> Key:
        """The key that this text is."""
        return self._everybody if self._keys is None else self._keys.find(key)

    def check_host(self, headers: dict[bytes, bytes]) -> None:
        """Without keys, only names of this machine are answered to: no web page of another name can then reach the service."""
        if self._keys is not None or "*" in self._desk.settings.hosts:
            return
        host = _DEFAULT_PORTS.sub("", headers.get(b"host", b"").decode("latin-1")).lower()
        if host not in self._desk.settings.hosts:
            raise ServiceError(
                "forbidden", f"a service without keys answers to {', '.join(self._desk.settings.hosts)} only, not to {host!r:.100}"
            )

    def _bounded(self, receive: Receive) -> Receive:
        """`receive` that refuses bodies above the limit while they come in, whatever their headers said."""
        left = self._desk.settings.max_body

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413, f"a request may have {self._desk.settings.max_body} bytes")
            return message

        return bounded

    def _note(self, scope: Scope, status: int, seconds: float, request: str) -> None:
        route = getattr(scope.get("route"), "path", "none")
        metrics, refused = self._desk.metrics, scope.get("refused")
        metrics.requests.labels(route, str(status)).inc()
        metrics.seconds.labels(route).observe(seconds)
        if refused is not None:
            metrics.refused.labels(refused).inc()
        key = scope.get("state", {}).get("key")
        facts = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 3), "request": request}
        self._log.line(**facts, key=key.name if key else None, session=scope.get("session"), refused=refused)


async def _thrown_away(receive: Receive, most: int) -> None:
    """Read a body that is refused, to some length: an answer in the middle of it may be lost with the connection."""
    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            more = True
            while more and most > 0:
                message = await receive()
                most -= len(message.get("body", b""))
                more = message.get("more_body", False)
