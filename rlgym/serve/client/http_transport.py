"""Sends calls over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ConnectionLost, ServiceError, Unreachable
from rlgym.serve.client.wire import authorization_header, check_url, decode_http, encode_http, uses_proxy


class HttpTransport:
    """Sends calls over pooled HTTP connections; thread-safe."""

    def __init__(self, url: str, key: str | None, timeout: float, connections: int) -> None:
        self._http = httpx.Client(**_client_options(url, key, timeout, connections))

    def send(self, call: Call) -> Any:
        """The response to a call, or a ServiceError."""
        try:
            response = self._http.request(call.method, call.path, **encode_http(call))
        except httpx.HTTPError as error:
            raise _convert_error(error, self._http.base_url) from error
        return decode_http(response.status_code, response.headers, response.content)

    def close(self) -> None:
        self._http.close()


class AsyncHttpTransport:
    """Sends calls over pooled HTTP connections, many at a time."""

    def __init__(self, url: str, key: str | None, timeout: float, connections: int) -> None:
        self._http = httpx.AsyncClient(**_client_options(url, key, timeout, connections))

    async def send(self, call: Call) -> Any:
        """The response to a call, or a ServiceError."""
        try:
            response = await self._http.request(call.method, call.path, **encode_http(call))
        except httpx.HTTPError as error:
            raise _convert_error(error, self._http.base_url) from error
        return decode_http(response.status_code, response.headers, response.content)

    async def close(self) -> None:
        await self._http.aclose()


def _client_options(url: str, key: str | None, timeout: float, connections: int) -> dict[str, Any]:
    return {
        "base_url": check_url(url),
        "headers": authorization_header(key),
        # Waiting for a pooled connection is unlimited; only the request itself has a time limit.
        "timeout": httpx.Timeout(timeout, pool=None),
        "limits": httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        "trust_env": uses_proxy(url),
    }


def _convert_error(error: httpx.HTTPError, url: httpx.URL) -> ServiceError:
    cause = f"{type(error).__name__}{f': {error}' if str(error) else ''}"
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return Unreachable(f"cannot reach a service at {url} ({cause})", retryable=True)
    return ConnectionLost(f"the connection to {url} ended before the response ({cause})", retryable=True)
