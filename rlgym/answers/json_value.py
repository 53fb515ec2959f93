"""JSON values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.json_objects import refuse_duplicate_keys
from rlgym.core.layout import PROGRAM
from rlgym.core.layout.layers import Layers

MOST_DEPTH, MOST_DIGITS = 40, 40
WHOLE = 2.0**53


@dataclass(frozen=True)
class Json(Answer[str]):
    """One JSON value. The answer is the canonical text of the value, from `written`: layout and key order do not matter, types do.

    A number with no fraction is a whole number, however it is spelled. A key given twice, NaN and Infinity are refused.
    """

    instructions: str = "one JSON value"
    max_characters: int = 20000
    layers: ClassVar[Layers] = PROGRAM
    format: ClassVar[str] = "json"

    def parse(self, text: str) -> str:
        return written(value_of(text, self.max_characters))

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield json.dumps(value_of(value), indent=2, ensure_ascii=False)
        yield json.dumps(value_of(value), separators=(",", ":"))
        yield f"```json\n{value}\n```"

    def near_misses(self, value: str) -> Iterator[str]:
        yield from map(written, _near_values(value_of(value)))


def value_of(text: str, max_characters: int = 20000) -> Any:
    """The value that a JSON text spells, fenced or not; Unreadable for anything else."""
    plain = text.strip() if len(text) <= 2 * max_characters else ""
    if plain.startswith("```") and plain.endswith("```") and "\n" in plain:
        plain = plain[plain.index("\n") : -3].strip()
    if not 0 < len(plain) <= max_characters:
        raise Unreadable(f"expected a JSON value of 1 to {max_characters} characters, got {len(text)}")
    try:
        value = json.loads(
            plain, object_pairs_hook=refuse_duplicate_keys, parse_constant=_refuse_constant, parse_int=_parse_integer, parse_float=_number
        )
        plain.encode()
        _within(value, 0)
    except (ValueError, RecursionError) as why:
        raise Unreadable(f"expected one JSON value, got {plain[:40]!r}: {str(why)[:120]}") from None
    return value


def written(value: Any) -> str:
    """The canonical text of a value: keys sorted, one space after commas and colons."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _near_values(value: Any) -> Iterator[Any]:
    match value:
        case dict():
            yield {**value, "extra": None}
            for key in list(value)[:8]:
                yield {name: inside for name, inside in value.items() if name != key}
                for other in _near_values(value[key]):
                    yield {**value, key: other}
                    break
        case list():
            yield from ([*value, None], value[:-1] if value else [0])
            if value != value[::-1]:
                yield value[::-1]
        case bool() | None:
            yield from (not value, str(value).lower())
        case int() | float():
            yield from (value + 1, str(value))
        case _:
            yield from (f"{value}x", [value])


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _parse_integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number may have at most {MOST_DIGITS} digits")
    return int(digits)


def _number(digits: str) -> int | float:
    value = float(digits)
    if len(digits) > MOST_DIGITS or abs(value) > WHOLE:
        raise ValueError("that number is too large")
    return int(value) if value.is_integer() else value


def _within(value: Any, depth: int) -> None:
    if depth > MOST_DEPTH:
        raise ValueError(f"the value is nested more than {MOST_DEPTH} deep")
    if isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            _within(inside, depth + 1)
        if isinstance(value, dict):
            for key in value:
                key.encode()
    elif isinstance(value, str):
        value.encode()
