"""Encodes plain data as text and back. Every type has a tag, so nothing is lost and decoding never runs code."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any

MOST_DEPTH = 64
MOST_BYTES = 1 << 20
MOST_ITEMS = 1 << 16  # opening brackets of a value's notation: each takes memory and time to decode
FEW_ITEMS = 1 << 10
MOST_ALIKE = 64  # keys of one hash: to tell n of them apart takes n * n comparisons, and a program can choose them

_TEXTS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')


class Unsendable(ValueError):
    """A value that is no plain data, or a text that no value was written as."""


def encode(value: Any, most: int = MOST_BYTES) -> bytes:
    """None, bool, int, float, str, bytes, list, tuple, set, frozenset and dict of such; subclasses come out as their base."""
    text = json.dumps(_tagged(value, 0), separators=(",", ":"), ensure_ascii=True).encode()
    if len(text) > most:
        raise Unsendable(f"the value takes more than {most} bytes")
    if items(text) > MOST_ITEMS:
        raise Unsendable(f"the value holds more than {MOST_ITEMS} items")
    return text


def items(text: bytes) -> int:
    """How many lists decoding a text makes, at most. Where there could be many, brackets inside texts do not count."""
    count = text.count(b"[")
    return count if count <= FEW_ITEMS else _TEXTS.sub(b"", text).count(b"[")


def decode(text: bytes) -> Any:
    """The value that a text spells; Unsendable for anything `encode` would not have written."""
    if items(text) > MOST_ITEMS:
        raise Unsendable(f"the text holds more than {MOST_ITEMS} items")
    try:
        return _value(
            json.loads(text.decode("ascii"), parse_constant=_refuse, parse_float=_refuse, parse_int=_refuse, object_pairs_hook=_refuse), 0
        )
    except (ValueError, OverflowError, RecursionError, TypeError) as error:
        raise Unsendable(f"no value is written like that: {str(error)[:80]}") from None


def _refuse(what: Any) -> Any:
    raise ValueError(f"{str(what)[:40]} stands where only tagged values may")


def _tagged(value: Any, depth: int) -> Any:
    if depth > MOST_DEPTH:
        raise Unsendable(f"the value is nested more than {MOST_DEPTH} deep")
    if value is None or value is True or value is False:
        return value
    # The base types' own methods, whatever a subclass does.
    if isinstance(value, int):
        return ["i", int.__format__(value, "x")]
    if isinstance(value, float):
        return ["f", _float(value)]
    if isinstance(value, str):
        return ["s", str.__getitem__(value, slice(None))]
    if isinstance(value, bytes | bytearray):
        return ["b", bytes(value).hex()]
    if isinstance(value, list):
        return ["l", [_tagged(item, depth + 1) for item in list.__iter__(value)]]
    if isinstance(value, tuple):
        return ["t", [_tagged(item, depth + 1) for item in tuple.__iter__(value)]]
    if isinstance(value, set | frozenset):
        items = set.__iter__(value) if isinstance(value, set) else frozenset.__iter__(value)
        return ["u", sorted((_tagged(item, depth + 1) for item in items), key=repr)]
    if isinstance(value, dict):
        return ["d", [[_tagged(key, depth + 1), _tagged(item, depth + 1)] for key, item in dict.items(value)]]
    raise Unsendable(f"a {type(value).__name__} is no plain data")


def _value(tagged: Any, depth: int) -> Any:
    if depth > MOST_DEPTH:
        raise ValueError("nested too deep")
    if tagged is None or isinstance(tagged, bool):
        return tagged
    if not (isinstance(tagged, list) and len(tagged) == 2 and isinstance(tagged[0], str)):
        raise ValueError("a value without a tag")
    tag, inside = tagged
    if tag in ("i", "f", "s", "b"):
        if not isinstance(inside, str):
            raise ValueError("a tag with the wrong contents")
        if tag == "s":
            inside.encode()  # half a surrogate pair is refused
            return inside
        if tag == "f":
            number = float.fromhex(inside)
            if _float(number) != inside:
                raise ValueError("a float in another spelling")  # a shorter one would grow when it is sent on
            return number
        return int(inside, 16) if tag == "i" else bytes.fromhex(inside)
    if not isinstance(inside, list):
        raise ValueError("a tag with the wrong contents")
    if tag == "d":
        pairs = [(_value(key, depth + 1), _value(item, depth + 1)) for key, item in inside]
        _spread([key for key, _ in pairs])
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ValueError("a key is given twice")
        return members
    items = [_value(item, depth + 1) for item in inside]
    if tag == "l":
        return items
    if tag == "t":
        return tuple(items)
    if tag == "u" and _spread(items) and len(frozenset(items)) == len(items):
        return frozenset(items)
    raise ValueError("an unknown tag")


def _float(value: float) -> str:
    return float.hex(float.__add__(value, 0.0)) if math.isfinite(value) else float.__repr__(value)


def _spread(keys: list[Any]) -> bool:
    if len(keys) > MOST_ALIKE and max(Counter(map(hash, keys)).values()) > MOST_ALIKE:
        raise ValueError("too many keys have one hash")
    return True
