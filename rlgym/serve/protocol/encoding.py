"""JSON text: how the service writes it, and how it joins texts that are encoded already.

Parts of a response that stay the same (the tools of an environment, the task of an episode) are encoded once and joined as text,
since encoding them again would dominate the time of a short step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NewType

from starlette.responses import Response

JsonText = NewType("JsonText", str)
"""Text that is valid JSON, in ASCII and without spaces."""

_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def encode(value: Any) -> JsonText:
    """Encode a value in ASCII, which carries every Python string, including lone surrogates."""
    return JsonText(_ENCODER.encode(value))


def merge_objects(first: JsonText, second: JsonText) -> JsonText:
    """Join the fields of two encoded objects. They must not share a field name."""
    if first == "{}" or second == "{}":
        return second if first == "{}" else first
    return JsonText(f"{first[:-1]},{second[1:]}")


def encode_list_field(name: str, items: Iterable[JsonText]) -> JsonText:
    """Encode an object with one field: the list of these encoded items."""
    return JsonText(f'{{"{name}":[{",".join(items)}]}}')


def encode_field(name: str, value: JsonText) -> JsonText:
    """Encode an object with one field, whose value is encoded already."""
    return JsonText(f'{{"{name}":{value}}}')


class JsonTextResponse(Response):
    """An HTTP response whose body is already JSON text."""

    media_type = "application/json"
