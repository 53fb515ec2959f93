"""Errors of the client: one class for each error code of the service, and some for the way there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlgym import RlgymError


class ServiceError(RlgymError):
    """The service rejected a request, or could not be reached.

    `retryable` says whether retrying may help, `retry_after` after how many seconds; `status` is the HTTP status, if there was one.
    """

    code = "error"
    has_no_effect = True
    """Whether the request certainly changed nothing on the service."""

    def __init__(
        self, message: str, *, code: str | None = None, retryable: bool = False, retry_after: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code or type(self).code
        self.retryable, self.retry_after, self.status = retryable, retry_after, status


class InvalidRequest(ServiceError, ValueError):
    """A name, level, knob, seed, split or response is invalid."""

    code = "invalid_request"


class Unauthorized(ServiceError):
    """The service requires a key, and it was missing or unknown."""

    code = "unauthorized"


class Forbidden(ServiceError):
    """The key lacks the permission, for example to see answers."""

    code = "forbidden"


class NotFound(ServiceError, LookupError):
    """The environment, session, run or path does not exist."""

    code = "not_found"


class SessionGone(ServiceError):
    """The session no longer exists. Episodes are deterministic: the same responses recreate it, which `recover=True` does."""


class SessionExpired(SessionGone):
    """The session was idle for too long."""

    code = "session_expired"


class SessionLost(SessionGone):
    """The session's worker, or the connection that it belonged to, has ended."""

    code = "session_lost"
    has_no_effect = False


class SessionBusy(ServiceError):
    """Another request of the same session is in progress."""

    code = "session_busy"


class StaleTurn(ServiceError):
    """The session is at another turn than this client expects: another client stepped it."""

    code = "stale_turn"


class EpisodeOver(ServiceError):
    """The episode is over."""

    code = "episode_over"


class TooLarge(ServiceError):
    """A response or request is longer than the service accepts."""

    code = "too_large"


class QuotaExceeded(ServiceError):
    """The key's quota is used up; retry after `retry_after` seconds."""

    code = "quota_exceeded"


class Overloaded(ServiceError):
    """The service has reached its limit of sessions or of queued work."""

    code = "overloaded"


class Draining(ServiceError):
    """The service is shutting down and accepts no new sessions."""

    code = "draining"


class WorkerLost(ServiceError):
    """The worker died before it responded; whether the request took effect is unknown."""

    code = "worker_lost"
    has_no_effect = False


class InternalError(ServiceError):
    """The service failed; see its log."""

    code = "internal_error"
    has_no_effect = False


class TimedOut(ServiceError):
    """Generating the task or scoring the response exceeded the service's time limit."""

    code = "timed_out"
    has_no_effect = False


class Unreachable(ServiceError):
    """No connection could be made."""

    code = "unreachable"


class ConnectionLost(ServiceError):
    """The connection ended or timed out before the response; whether the request took effect is unknown."""

    code = "connection_lost"
    has_no_effect = False


class InvalidResponse(ServiceError):
    """The response does not follow the protocol: it came from a proxy, or from another version of the service."""

    code = "invalid_response"
    has_no_effect = False


class ReplayMismatch(ServiceError):
    """A recreated episode differs from the original: the service now has another version of the environment."""

    code = "replay_mismatch"


def _subclasses(root: type[ServiceError]) -> list[type[ServiceError]]:
    return [error for child in root.__subclasses__() for error in (child, *_subclasses(child))]


BY_CODE: Mapping[str, type[ServiceError]] = {error.code: error for error in _subclasses(ServiceError) if error is not SessionGone}


def parse_error(body: Any, status: int | None = None, retry_after: float | None = None) -> ServiceError:
    """The exception for the `error` object of a response; InvalidResponse if it is not one."""
    if not isinstance(body, Mapping) or not isinstance(body.get("code"), str):
        return InvalidResponse(f"the service answered with status {status} and no error object: {str(body)[:200]!r}", status=status)
    code, stated = body["code"], body.get("retry_after")
    return BY_CODE.get(code, ServiceError)(
        str(body.get("message", code)),
        code=code,
        retryable=bool(body.get("retryable", False)),
        retry_after=stated if isinstance(stated, int | float) else retry_after,
        status=status,
    )
