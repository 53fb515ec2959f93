"""JSON as the service writes it."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def encode(value: Any) -> str:
    """The value as JSON in ASCII, which carries every text, even half a surrogate pair."""
    return _ENCODER.encode(value)


class Reply(Response):
    """An HTTP answer that is JSON text already."""

    media_type = "application/json"
