"""Calls over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import ConnectionBroke, ServiceError, Unreachable
from rlgym.serve.client.wire import authorization, base, by_proxy, http_answer, http_request


class Rest:
    """Sends calls over kept HTTP connections; may be used from many threads."""

    def __init__(self, url: str, key: str | None, timeout: float, connections: int) -> None:
        self._http = httpx.Client(**_settings(url, key, timeout, connections))

    def send(self, call: Call) -> Any:
        """The answer to a call; a ServiceError where there is none."""
        try:
            told = self._http.request(call.method, call.path, **http_request(call))
        except httpx.HTTPError as error:
            raise _failed(error, self._http.base_url) from error
        return http_answer(told.status_code, told.headers, told.content)

    def close(self) -> None:
        self._http.close()


class AsyncRest:
    """Sends calls over kept HTTP connections, many at a time."""

    def __init__(self, url: str, key: str | None, timeout: float, connections: int) -> None:
        self._http = httpx.AsyncClient(**_settings(url, key, timeout, connections))

    async def send(self, call: Call) -> Any:
        """The answer to a call; a ServiceError where there is none."""
        try:
            told = await self._http.request(call.method, call.path, **http_request(call))
        except httpx.HTTPError as error:
            raise _failed(error, self._http.base_url) from error
        return http_answer(told.status_code, told.headers, told.content)

    async def close(self) -> None:
        await self._http.aclose()


def _settings(url: str, key: str | None, timeout: float, connections: int) -> dict[str, Any]:
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    # Callers queue for a connection as long as those before them need: only the answer's own time is limited.
    times = httpx.Timeout(timeout, pool=None)
    return {"base_url": base(url), "headers": authorization(key), "timeout": times, "limits": limits, "trust_env": by_proxy(url)}


def _failed(error: httpx.HTTPError, url: httpx.URL) -> ServiceError:
    told = f"{type(error).__name__}{f': {error}' if str(error) else ''}"
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return Unreachable(f"no service can be reached at {url} ({told})", retryable=True)
    return ConnectionBroke(f"the connection to {url} ended before there was an answer ({told})", retryable=True)
