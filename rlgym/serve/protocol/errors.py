"""Errors as clients see them: {"error": {"code", "message", "retryable", "retry_after"}}."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from rlgym import RlgymError
from rlgym.serve.protocol.encoding import JsonTextResponse, encode


class ErrorKind(NamedTuple):
    """What an error code implies."""

    status: int
    retryable: bool


CODES: dict[str, ErrorKind] = {
    "invalid_request": ErrorKind(422, False),
    "unauthorized": ErrorKind(401, False),
    "forbidden": ErrorKind(403, False),
    "not_found": ErrorKind(404, False),
    "method_not_allowed": ErrorKind(405, False),
    "session_expired": ErrorKind(410, False),
    "session_lost": ErrorKind(410, True),
    "session_busy": ErrorKind(409, True),
    "stale_turn": ErrorKind(409, False),
    "episode_over": ErrorKind(409, False),
    "too_large": ErrorKind(413, False),
    "quota_exceeded": ErrorKind(429, True),
    "internal_error": ErrorKind(500, False),
    "overloaded": ErrorKind(503, True),
    "draining": ErrorKind(503, True),
    "worker_lost": ErrorKind(503, True),
    "timed_out": ErrorKind(503, False),
}
"""HTTP status, and whether the same request may be sent again, by error code."""

MAX_MESSAGE_CHARS = 600
MAX_LISTED_PROBLEMS = 5

M = TypeVar("M", bound=BaseModel)


class ServiceError(RlgymError):
    """A request that the service rejects. `code` is one of CODES, which sets the status and whether to retry."""

    def __init__(self, code: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.retry_after = code, message, retry_after
        self.status, self.retryable = CODES[code]

    def to_dict(self) -> dict[str, Any]:
        """The `error` object of the response."""
        # Messages quote names and knobs from the request, which may have any length.
        message = self.message if len(self.message) <= MAX_MESSAGE_CHARS else f"{self.message[:MAX_MESSAGE_CHARS]} ..."
        return {"code": self.code, "message": message, "retryable": self.retryable, "retry_after": self.retry_after}

    def headers(self) -> dict[str, str]:
        """The HTTP headers that the error adds."""
        headers = {} if self.retry_after is None else {"retry-after": str(max(1, math.ceil(self.retry_after)))}
        return headers | ({"www-authenticate": "Bearer"} if self.code == "unauthorized" else {})

    def to_response(self, extra_headers: Mapping[str, str] | None = None) -> JsonTextResponse:
        """The HTTP response."""
        body = encode({"error": self.to_dict()})
        return JsonTextResponse(body, status_code=self.status, headers={**self.headers(), **(extra_headers or {})})


def as_service_error(error: Exception) -> ServiceError:
    """Convert any exception. An unexpected one becomes `internal_error` and reveals only its type."""
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, RlgymError):
        return ServiceError("not_found" if isinstance(error, LookupError) else "invalid_request", str(error))
    return ServiceError("internal_error", f"the service failed with {type(error).__name__}; see its log")


def validate(model: type[M], fields: dict[str, Any]) -> M:
    """Validate the fields of a request; ServiceError lists what is wrong with them."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        raise ServiceError("invalid_request", describe_problems(problems)) from None


def describe_problems(problems: list[Any]) -> str:
    """The first problems of a validation on one line, without the values that were sent."""
    shown = [
        f"{'.'.join(str(part) for part in problem['loc'] if part != 'body') or 'the body'}: {problem['msg']}"
        for problem in problems[:MAX_LISTED_PROBLEMS]
    ]
    more = len(problems) - MAX_LISTED_PROBLEMS
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
