"""What the service refuses, and how it says so: {"error": {"code", "message", "retryable", "retry_after"}}."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from rlgym import RlgymError
from rlgym.serve.reply import Reply, encode

CODES: dict[str, tuple[int, bool]] = {
    "invalid": (422, False),
    "unauthorized": (401, False),
    "forbidden": (403, False),
    "unknown": (404, False),
    "method": (405, False),
    "session_expired": (410, False),
    "session_lost": (410, True),
    "busy": (409, True),
    "stale_turn": (409, False),
    "episode_over": (409, False),
    "too_large": (413, False),
    "quota": (429, True),
    "broken": (500, False),
    "full": (503, True),
    "draining": (503, True),
    "worker_lost": (503, True),
    "too_slow": (503, False),
}
"""Status and whether the same request may be sent again, by code."""

LONGEST = 600

M = TypeVar("M", bound=BaseModel)


class ServiceError(RlgymError):
    """A request that the service refuses; `code` is one of CODES, which fixes the status and whether to try again."""

    def __init__(self, code: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.retry_after = code, message, retry_after
        self.status, self.retryable = CODES[code]

    def to_dict(self) -> dict[str, Any]:
        """The error as clients read it."""
        # A name or knob that was sent may be of any length, and is quoted in the message.
        said = self.message if len(self.message) <= LONGEST else f"{self.message[:LONGEST]} ..."
        return {"code": self.code, "message": said, "retryable": self.retryable, "retry_after": self.retry_after}

    def headers(self) -> dict[str, str]:
        """The HTTP headers that belong to it."""
        found = {} if self.retry_after is None else {"retry-after": str(max(1, math.ceil(self.retry_after)))}
        return found | ({"www-authenticate": "Bearer"} if self.code == "unauthorized" else {})

    def reply(self, extra: Mapping[str, str] | None = None) -> Reply:
        """The whole HTTP answer."""
        return Reply(encode({"error": self.to_dict()}), status_code=self.status, headers={**self.headers(), **(extra or {})})


def as_service_error(error: Exception) -> ServiceError:
    """The refusal that an exception amounts to; what nobody asked for is `broken`, with nothing said of its insides."""
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, RlgymError):
        return ServiceError("unknown" if isinstance(error, LookupError) else "invalid", str(error))
    return ServiceError("broken", f"the service failed with {type(error).__name__}; its log says more")


def read(shape: type[M], fields: dict[str, Any]) -> M:
    """The fields as a request of this shape; ServiceError where they are not."""
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        raise ServiceError("invalid", problems(found)) from None


def problems(found: list[Any]) -> str:
    """The first complaints of a validation, in one line and without what was sent."""
    said = [f"{'.'.join(str(part) for part in problem['loc'] if part != 'body') or 'the body'}: {problem['msg']}" for problem in found[:5]]
    return "; ".join(said) + (f"; and {len(found) - 5} more" if len(found) > 5 else "")


def of_status(status: int, detail: str) -> ServiceError:
    """The refusal for a plain HTTP error of the framework."""
    codes = {404: "unknown", 405: "method", 413: "too_large", 401: "unauthorized", 403: "forbidden"}
    said = {404: "there is nothing at this address", 405: "this address does not take this method"}
    code = codes.get(status, "invalid" if status < 500 else "broken")
    return ServiceError(code, said.get(status, detail))


def _allowed(app: FastAPI, path: str) -> list[str]:
    """The methods of all routes at an address; the framework names those of one route only."""
    for template, methods in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return sorted(method.upper() for method in methods)
    return []


def install(app: FastAPI) -> None:
    """Make an application answer all its errors in this form."""

    async def service(request: Request, error: Exception) -> Reply:
        found = as_service_error(error)
        request.scope["refused"] = found.code
        return found.reply()

    async def shape(request: Request, error: Exception) -> Reply:
        assert isinstance(error, RequestValidationError)
        request.scope["refused"] = "invalid"
        found = list(error.errors())
        if any(problem["loc"] == ("body",) for problem in found):
            return ServiceError("invalid", "the body must be a JSON object, sent with the header Content-Type: application/json").reply()
        return ServiceError("invalid", problems(found)).reply()

    async def plain(request: Request, error: Exception) -> Reply:
        assert isinstance(error, HTTPException)
        found = of_status(error.status_code, str(error.detail))
        request.scope["refused"] = found.code
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        if found.code == "method" and (allowed := _allowed(app, request.url.path)):
            headers["allow"] = ", ".join(allowed)
        return found.reply(headers)

    app.add_exception_handler(RlgymError, service)
    app.add_exception_handler(RequestValidationError, shape)
    app.add_exception_handler(HTTPException, plain)
