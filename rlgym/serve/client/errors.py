"""What can go wrong between a client and the service: one class for each code of the service, and three for the way there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlgym import RlgymError


class ServiceError(RlgymError):
    """The service refused, or could not be asked.

    `retryable` says that asking again may help, `retry_after` after how many seconds, `status` is the HTTP status there was.
    """

    code = "error"
    nothing_done = True
    """Whether it is sure that the service did nothing of what it was asked."""

    def __init__(
        self, message: str, *, code: str | None = None, retryable: bool = False, retry_after: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code or type(self).code
        self.retryable, self.retry_after, self.status = retryable, retry_after, status


class Invalid(ServiceError, ValueError):
    """A name, level, knob, seed, split or response is not what it must be."""

    code = "invalid"


class Unauthorized(ServiceError):
    """The service wants a key, and there was none or a wrong one."""

    code = "unauthorized"


class Forbidden(ServiceError):
    """This key may not do that; answers are revealed only to keys that may reveal them."""

    code = "forbidden"


class Unknown(ServiceError, LookupError):
    """There is no such environment, session, run or page."""

    code = "unknown"


class SessionGone(ServiceError):
    """The episode is no more. Episodes are deterministic: the same responses make it again, which `recover=True` does."""


class SessionExpired(SessionGone):
    """Nobody asked for the session for too long."""

    code = "session_expired"


class SessionLost(SessionGone):
    """The session's worker, or the connection that it belonged to, has ended."""

    code = "session_lost"
    nothing_done = False


class Busy(ServiceError):
    """Another request of the same session is under way."""

    code = "busy"


class StaleTurn(ServiceError):
    """The session is at another turn than this client believes: somebody else has stepped it."""

    code = "stale_turn"


class EpisodeOver(ServiceError):
    """The episode has its score already."""

    code = "episode_over"


class TooLarge(ServiceError):
    """A response or request is longer than the service accepts."""

    code = "too_large"


class Quota(ServiceError):
    """This key has used up what it may ask for now; `retry_after` says for how long."""

    code = "quota"


class Full(ServiceError):
    """The service holds as many sessions as it may."""

    code = "full"


class Draining(ServiceError):
    """The service is about to stop, and takes nothing new."""

    code = "draining"


class WorkerLost(ServiceError):
    """The worker ended before it answered; what was asked may have been done or not."""

    code = "worker_lost"
    nothing_done = False


class Broken(ServiceError):
    """The service failed; its log says more."""

    code = "broken"
    nothing_done = False


class TooSlow(ServiceError):
    """Making the task or judging the answer took the service too long."""

    code = "too_slow"
    nothing_done = False


class Unreachable(ServiceError):
    """No connection could be made."""

    code = "unreachable"


class ConnectionBroke(ServiceError):
    """The connection ended, or the time ran out, before there was an answer; what was asked may have been done or not."""

    code = "connection_broke"
    nothing_done = False


class Garbled(ServiceError):
    """What came back is not what this service says: a proxy's page, a fault of the service, or another version of it."""

    code = "garbled"
    nothing_done = False


class Differs(ServiceError):
    """An episode made again went another way than the first time: the service has other versions of its environments now."""

    code = "differs"


def _tree(root: type[ServiceError]) -> list[type[ServiceError]]:
    return [root, *(one for child in root.__subclasses__() for one in _tree(child))]


BY_CODE: Mapping[str, type[ServiceError]] = {kind.code: kind for kind in _tree(ServiceError)[1:] if kind is not SessionGone}


def from_wire(told: Any, status: int | None = None, retry_after: float | None = None) -> ServiceError:
    """The exception for an answer's `error` object; Garbled where it is none."""
    if not isinstance(told, Mapping) or not isinstance(told.get("code"), str):
        return Garbled(f"the service answered with status {status} and no error object: {str(told)[:200]!r}", status=status)
    code, after = told["code"], told.get("retry_after")
    return BY_CODE.get(code, ServiceError)(
        str(told.get("message", code)),
        code=code,
        retryable=bool(told.get("retryable", False)),
        retry_after=after if isinstance(after, int | float) else retry_after,
        status=status,
    )
