"""Classifies the HTTP errors of an endpoint: retry, retry with another request body, context overflow, or stop."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import Enum

OPTIONAL_FIELDS = {
    "stream_options": "without token counts in streams",
    "seed": "without a seed",
    "max_tokens": "with max_completion_tokens instead of max_tokens",
}
"""Request fields that some endpoints reject, and how requests are sent to those endpoints."""


class ErrorAction(Enum):
    """How the client reacts to an error."""

    RETRY = "retry later"
    DROP_FIELD = "retry without a field, or with another one"
    CONTEXT_OVERFLOW = "the conversation exceeds the context length"
    FAIL_TASK = "this task can never succeed"
    FAIL_REQUEST = "this request can never succeed; if none has succeeded so far, neither can the others"
    STOP_RUN = "no request can succeed"


@dataclass(frozen=True, slots=True)
class RequestError:
    """A failed request.

    retry_after   seconds that the endpoint asks to wait
    rate_limited  the endpoint asks to slow down, which applies to all requests
    unreachable   there was no connection
    field         the field that the endpoint rejects
    """

    action: ErrorAction
    message: str
    retry_after: float | None = None
    rate_limited: bool = False
    unreachable: bool = False
    field: str = ""


def classify_error(status: int, data: bytes, headers: Mapping[str, str], sent: Mapping[str, object]) -> RequestError:
    """Classify an HTTP status other than 200, for a request with the fields `sent`."""
    text, code = _error_text_and_code(data)
    message = f"HTTP {status}: {text}" if text else f"HTTP {status}"
    if status in (401, 403):
        return RequestError(ErrorAction.STOP_RUN, f"it rejects the API key ({message})")
    if status == 402 or "insufficient_quota" in code:
        return RequestError(ErrorAction.STOP_RUN, f"the account has no credit left ({message})")
    if status in (408, 409, 425, 429) or status >= 500:
        return RequestError(ErrorAction.RETRY, message, parse_retry_after(headers), rate_limited=status in (429, 503))
    if _CONTEXT.search(f"{code} {text}".lower()):
        action = ErrorAction.STOP_RUN if _max_tokens_too_large(text) else ErrorAction.CONTEXT_OVERFLOW
        return RequestError(action, f"{message}; lower --max-tokens")
    if status in (404, 405) or {"model_not_found", "invalid_model"} & set(code.split()):
        return RequestError(ErrorAction.STOP_RUN, f"unknown model or address ({message}); a base URL usually ends in /v1")
    if status < 400:
        return RequestError(ErrorAction.STOP_RUN, f"it redirects ({message} {headers.get('location', '')}); use that address")
    if "content_filter" in code.split():
        return RequestError(ErrorAction.FAIL_TASK, message)
    for field in OPTIONAL_FIELDS:
        if field in sent and re.search(rf"\b{field}\b", text) and not (field == "max_tokens" and "max_completion_tokens" not in text):
            return RequestError(ErrorAction.DROP_FIELD, message, field=field)
    hint = "; if it supports no tools, use --tools text" if "tools" in sent and "tool" in text.lower() else ""
    return RequestError(ErrorAction.FAIL_REQUEST, message + hint)


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """The delay in seconds of a Retry-After header, given as a number or a date; None if there is none."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", value):
            return float(value) * unit
        if value and unit == 1.0:
            try:
                return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
            except ValueError:
                return None
    return None


_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size)|maximum context|prompt is too long|input is too long|too many (input )?tokens"
    r"|maximum model length|max_model_len|exceeds? .{0,40}context|input tokens exceed"
)
_CONTEXT_LENGTH = re.compile(r"maximum context length (?:is|of) ([0-9]+)")
_PROMPT_TOKENS = re.compile(r"([0-9]+) (?:in the messages|input tokens|tokens from the input messages|tokens in the prompt)")


def _max_tokens_too_large(text: str) -> bool:
    """Whether the prompt takes less than half of the context: then `max_tokens` is too large for any task."""
    context, prompt = _CONTEXT_LENGTH.search(text), _PROMPT_TOKENS.search(text)
    return context is not None and prompt is not None and 2 * int(prompt[1]) < int(context[1])


def _error_text_and_code(data: bytes) -> tuple[str, str]:
    """The message of an error, and its code and type, in any of the formats that endpoints use."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return " ".join(data[:300].decode("utf-8", "replace").split()), ""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return str(error)[:500], ""
    text = error.get("message") or error.get("detail") or error.get("msg") or error
    code = " ".join(str(error[key]) for key in ("code", "type") if error.get(key))
    return (text if isinstance(text, str) else json.dumps(text))[:500], code
