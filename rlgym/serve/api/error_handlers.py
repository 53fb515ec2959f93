"""Makes the application answer every error in the service's own format."""

from __future__ import annotations

import re

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from rlgym import RlgymError
from rlgym.serve.protocol.encoding import JsonTextResponse
from rlgym.serve.protocol.errors import ServiceError, as_service_error, describe_problems

CODE_OF_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 401: "unauthorized", 403: "forbidden"}
MESSAGE_OF_STATUS = {404: "no such path", 405: "this path does not support this method"}


def install_error_handlers(app: FastAPI) -> None:
    """Register the handlers. Each notes the error code in the scope, for the request log."""

    async def handle_rlgym_error(request: Request, error: Exception) -> JsonTextResponse:
        converted = as_service_error(error)
        request.scope["error_code"] = converted.code
        return converted.to_response()

    async def handle_validation_error(request: Request, error: Exception) -> JsonTextResponse:
        assert isinstance(error, RequestValidationError)
        request.scope["error_code"] = "invalid_request"
        problems = list(error.errors())
        if any(problem["loc"] == ("body",) for problem in problems):
            message = "the body must be a JSON object, sent with the header Content-Type: application/json"
        else:
            message = describe_problems(problems)
        return ServiceError("invalid_request", message).to_response()

    async def handle_http_exception(request: Request, error: Exception) -> JsonTextResponse:
        assert isinstance(error, HTTPException)
        converted = from_status(error.status_code, str(error.detail))
        request.scope["error_code"] = converted.code
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        if converted.code == "method_not_allowed" and (allowed := _allowed_methods(app, request.url.path)):
            headers["allow"] = ", ".join(allowed)
        return converted.to_response(headers)

    app.add_exception_handler(RlgymError, handle_rlgym_error)
    app.add_exception_handler(RequestValidationError, handle_validation_error)
    app.add_exception_handler(HTTPException, handle_http_exception)


def from_status(status: int, detail: str) -> ServiceError:
    """The error for a plain HTTP error of the framework."""
    code = CODE_OF_STATUS.get(status, "invalid_request" if status < 500 else "internal_error")
    return ServiceError(code, MESSAGE_OF_STATUS.get(status, detail))


def _allowed_methods(app: FastAPI, path: str) -> list[str]:
    """The methods of all routes at a path; the framework lists those of one route only."""
    for template, methods in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return sorted(method.upper() for method in methods)
    return []
