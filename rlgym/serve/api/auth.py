"""Authentication of HTTP requests and WebSockets: Host headers, origins and API keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from rlgym.serve.access.keys import ANONYMOUS, ApiKey, KeyStore
from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.settings import Settings

_PORT = re.compile(r":\d{1,5}$")


class Authenticator:
    """Decides which API key a request has. Headers are as ASGI gives them: lower-case names, bytes."""

    def __init__(self, settings: Settings, keys: KeyStore | None) -> None:
        self._allowed_hosts, self._keys = settings.allowed_hosts, keys
        self._anonymous = replace(ANONYMOUS, reveal_answers=settings.reveal_answers)

    @property
    def requires_key(self) -> bool:
        """Whether the service has a key file."""
        return self._keys is not None

    def from_header(self, header: bytes | None) -> ApiKey:
        """The key of an Authorization header; the anonymous key if there is no key file."""
        if self._keys is None:
            return self._anonymous
        return self._keys.from_header(None if header is None else header.decode("utf-8", "replace"))

    def from_secret(self, secret: str) -> ApiKey:
        """The key with this secret; the anonymous key if there is no key file."""
        return self._anonymous if self._keys is None else self._keys.find(secret)

    def check_host(self, headers: Mapping[bytes, bytes]) -> None:
        """A service without keys accepts only some Host headers, which blocks DNS-rebinding attacks by web pages."""
        if self._keys is not None or "*" in self._allowed_hosts:
            return
        host = _PORT.sub("", headers.get(b"host", b"").decode("latin-1")).lower()
        if host not in self._allowed_hosts:
            accepted = ", ".join(self._allowed_hosts)
            raise ServiceError("forbidden", f"a service without keys accepts only the Host headers {accepted}, got {host!r:.100}")


def check_same_origin(headers: Mapping[bytes, bytes]) -> None:
    """Browsers let any page open a WebSocket to any host, so those of other origins are rejected."""
    origin, host = headers.get(b"origin"), headers.get(b"host", b"")
    if origin is not None and urlsplit(origin.decode("latin-1")).netloc.lower() != host.decode("latin-1").lower():
        raise ServiceError("forbidden", "cross-origin WebSocket connections are not allowed")
