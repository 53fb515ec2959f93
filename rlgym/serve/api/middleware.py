"""ASGI middleware of every HTTP request: request id, authentication, rate and size limits, request log and metrics."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from starlette.exceptions import HTTPException

from rlgym.serve.access.quotas import charge
from rlgym.serve.api.auth import Authenticator
from rlgym.serve.protocol.errors import ServiceError, as_service_error
from rlgym.serve.sessions.service import SessionService
from rlgym.serve.telemetry.request_log import RequestLog

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_REQUEST_ID = re.compile(rb"[0-9A-Za-z_.-]{1,64}")
DISCARD_SECONDS = 10
DISCARDED_BODIES = 4  # how many times the size limit is read and discarded of a rejected body


class AuthMiddleware:
    """Authenticates and limits HTTP requests, and logs them. It is one class since each layer of middleware costs time."""

    def __init__(self, app: App, service: SessionService, authenticator: Authenticator, log: RequestLog) -> None:
        self._app, self._service, self._authenticator, self._log = app, service, authenticator, log
        self._max_body_bytes = service.settings.max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. WebSockets and lifespan events pass through."""
        if scope["type"] == "http":
            await self._serve_http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, headers = time.perf_counter(), dict(scope["headers"])
        client_id = headers.get(b"x-request-id", b"")
        request_id = client_id if _REQUEST_ID.fullmatch(client_id) else secrets.token_hex(8).encode()
        status = 0  # until the response has started

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id)]
            await send(message)

        try:
            error = self._admit(scope, headers)
            if error is None:
                await self._app(scope, self._limit_body(receive), send_with_id)
            else:
                scope["error_code"] = error.code
                if error.code == "too_large":
                    await _discard_body(receive, DISCARDED_BODIES * self._max_body_bytes)
                await error.to_response()(scope, receive, send_with_id)
        except Exception as raised:
            self._log.log_failure(raised, request=request_id.decode())
            if status != 0:
                raise
            scope["error_code"] = "internal_error"
            await as_service_error(raised).to_response()(scope, receive, send_with_id)
        finally:
            self._record(scope, status, time.perf_counter() - started, request_id.decode())

    def _admit(self, scope: Scope, headers: dict[bytes, bytes]) -> ServiceError | None:
        """Check host, key, quota and declared size. Stores the key in the request's state, or returns the error."""
        key = None
        try:
            self._authenticator.check_host(headers)
            if scope["path"].startswith("/v1/"):
                key = self._authenticator.from_header(headers.get(b"authorization"))
                charge(self._service.quotas, key, "requests")
            length = headers.get(b"content-length", b"0")
            if not length.isdigit() or int(length[:20]) > self._max_body_bytes:
                raise ServiceError("too_large", f"a request may have at most {self._max_body_bytes} bytes")
        except ServiceError as error:
            return error
        scope.setdefault("state", {})["key"] = key
        return None

    def _limit_body(self, receive: Receive) -> Receive:
        """A `receive` that rejects bodies above the limit as they arrive, whatever their headers declare."""
        remaining = self._max_body_bytes

        async def limited_receive() -> Message:
            nonlocal remaining
            message = await receive()
            remaining -= len(message.get("body", b""))
            if remaining < 0:
                raise HTTPException(413, f"a request may have at most {self._max_body_bytes} bytes")
            return message

        return limited_receive

    def _record(self, scope: Scope, status: int, seconds: float, request_id: str) -> None:
        route = getattr(scope.get("route"), "path", "none")
        metrics, error_code = self._service.metrics, scope.get("error_code")
        metrics.requests.labels(route, str(status)).inc()
        metrics.request_seconds.labels(route).observe(seconds)
        if error_code is not None:
            metrics.errors.labels(error_code).inc()
        key = scope.get("state", {}).get("key")
        self._log.log(
            method=scope["method"],
            route=route,
            status=status,
            ms=round(seconds * 1000, 3),
            request=request_id,
            key=key.name if key else None,
            session=scope.get("session"),
            error_code=error_code,
        )


async def _discard_body(receive: Receive, max_bytes: int) -> None:
    """Read and discard a rejected body up to a limit: a client that is still sending may never read the response."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_SECONDS):
            more = True
            while more and max_bytes > 0:
                message = await receive()
                max_bytes -= len(message.get("body", b""))
                more = message.get("more_body", False)
