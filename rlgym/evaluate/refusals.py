"""What an endpoint means when it refuses a request: to try again, to ask otherwise, that a conversation is too long, or that all is in vain."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import Enum

OPTIONAL = {
    "stream_options": "without token counts in streams",
    "seed": "without a seed",
    "max_tokens": "with max_completion_tokens in place of max_tokens",
}
"""Fields of a request that some endpoints do not know, and how they are asked then."""


class Means(Enum):
    """What is to be done about a refusal."""

    AGAIN = "try again later"
    WITHOUT = "ask again without a field, or with another one"
    TOO_LONG = "the conversation is too long for the model"
    TASK = "this task will never be taken"
    REQUEST = "this request will never be taken; others neither, if none was taken so far"
    ALL = "no request will ever be taken"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: what is to be done and why.

    wait         seconds that the endpoint asks to wait
    limited      it only asks to slow down, which holds for all requests
    unreachable  there was no connection at all
    field        the field that it does not take
    """

    means: Means
    why: str
    wait: float | None = None
    limited: bool = False
    unreachable: bool = False
    field: str = ""


def read_refusal(status: int, data: bytes, headers: Mapping[str, str], sent: Mapping[str, object]) -> Refusal:
    """What an HTTP status other than 200 means, for a request with the fields `sent`."""
    said, code = _said(data)
    why = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    if status in (401, 403):
        return Refusal(Means.ALL, f"it refuses the key ({why})")
    if status == 402 or "insufficient_quota" in code:
        return Refusal(Means.ALL, f"the account has nothing left to spend ({why})")
    if status in (408, 409, 425, 429) or status >= 500:
        return Refusal(Means.AGAIN, why, wait_asked(headers), limited=status in (429, 503))
    if _CONTEXT.search(f"{code} {said}".lower()):
        return Refusal(Means.ALL if _room_alone_is_too_large(said) else Means.TOO_LONG, f"{why}; ask for fewer with --max-tokens")
    if status in (404, 405) or {"model_not_found", "invalid_model"} & set(code.split()):
        return Refusal(Means.ALL, f"it knows no such model or no such address ({why}); an address mostly ends in /v1")
    if status < 400:
        return Refusal(Means.ALL, f"it sends elsewhere ({why} {headers.get('location', '')}); give that address")
    if "content_filter" in code.split():
        return Refusal(Means.TASK, why)
    for field in OPTIONAL:
        if field in sent and re.search(rf"\b{field}\b", said) and not (field == "max_tokens" and "max_completion_tokens" not in said):
            return Refusal(Means.WITHOUT, why, field=field)
    hint = "; if it takes no tools, use --tools text" if "tools" in sent and "tool" in said.lower() else ""
    return Refusal(Means.REQUEST, why + hint)


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """The seconds that Retry-After asks for, as a number or a date, if it does."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        given = headers.get(name, "").strip()
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", given):
            return float(given) * unit
        if given and unit == 1.0:
            try:
                return max(0.0, parsedate_to_datetime(given).timestamp() - time.time())
            except ValueError:
                return None
    return None


_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size)|maximum context|prompt is too long|input is too long|too many (input )?tokens"
    r"|maximum model length|max_model_len|exceeds? .{0,40}context|input tokens exceed"
)
_LARGEST = re.compile(r"maximum context length (?:is|of) ([0-9]+)")
_READ = re.compile(r"([0-9]+) (?:in the messages|input tokens|tokens from the input messages|tokens in the prompt)")


def _room_alone_is_too_large(said: str) -> bool:
    """Whether the messages would fit, with half of the context left: then the answers' most tokens are set too large for any task."""
    largest, read = _LARGEST.search(said), _READ.search(said)
    return bool(largest and read) and 2 * int(read[1]) < int(largest[1])  # type: ignore[index]


def _said(data: bytes) -> tuple[str, str]:
    """The words of an error and its code or type, in any of the forms that endpoints use."""
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        return " ".join(data[:300].decode("utf-8", "replace").split()), ""
    error = read.get("error", read) if isinstance(read, dict) else read
    if not isinstance(error, dict):
        return str(error)[:500], ""
    said = error.get("message") or error.get("detail") or error.get("msg") or error
    code = " ".join(str(error[key]) for key in ("code", "type") if error.get(key))
    return (said if isinstance(said, str) else json.dumps(said))[:500], code
