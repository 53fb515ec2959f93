"""Values of Python, as one would type them: numbers, strings, lists, tuples, dicts, sets, True, False and None."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isinf
from typing import Any, ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import PROGRAM
from rlgym.core.layout.layers import Layers

_TOKEN = re.compile(
    r"""\s*(?:(?P<float>[-+]?(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\d+[eE][-+]?\d+)|(?P<int>[-+]?\d+)|(?P<name>True|False|None|set\(\))"""
    r"""|(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?P<sign>[][(){},:]))""",
    re.ASCII,
)
_ESCAPED = re.compile(r"\\(?:([nrt\\'\"0])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"', "0": "\0"}
_NAMED: dict[str, Any] = {"True": True, "False": False, "None": None, "set()": frozenset()}
MOST_DIGITS, MOST_DEPTH = 400, 30
DECIMAL_BITS = 14_000  # integers of fewer bits have at most 4,300 decimal digits, which Python always spells


@dataclass(frozen=True)
class Literal(Answer[str]):
    """One Python literal, read by a parser of its own. Nothing is evaluated.

    The answer is the canonical text of the value, from `written`, so types count: 1, 1.0 and True are different answers.
    """

    instructions: str = "one value as Python's repr would write it"
    max_characters: int = 8000
    layers: ClassVar[Layers] = PROGRAM
    format: ClassVar[str] = "literal"

    def parse(self, text: str) -> str:
        plain = text.strip()
        if plain[:1] == plain[-1:] == "`" and len(plain) > 2:
            plain = plain.strip("`").strip()
        if len(plain) > self.max_characters:
            raise Unreadable(f"expected at most {self.max_characters} characters, got {len(plain)}")
        return written(value_of(plain))

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f"  {value}\n", f"`{value}`")
        if "'" not in value and '"' not in value:
            yield from (value.replace(", ", ","), value.replace(", ", ",\n  "))
            if value.startswith("[") and len(value) > 2:
                yield f"{value[:-1]},]"
        elif '"' not in value and "\\" not in value:
            yield value.replace("'", '"')

    def near_misses(self, value: str) -> Iterator[str]:
        match value_of(value):
            case bool(given):
                near: list[Any] = [not given, int(given)]
            case int(given):
                near = [given + 1, -given if given else 2, str(given)]
            case str(given):
                near = [f"{given}x", [given]]
            case list(given):
                near = [[*given, 0], given[:-1] if given else [0], tuple(given)]
            case given:
                near = [[given]]
        yield from map(written, near)


def value_of(text: str) -> Any:
    """The value that a text spells; sets come out as frozensets. Unreadable for anything else."""
    reader = _Reader(text)
    value = reader.value(0)
    if reader.rest():
        raise Unreadable(f"unexpected text after the value: {reader.rest()[:40]!r}")
    return value


def written(value: Any) -> str:
    """The canonical text of a value: its repr, with the members of sets and the entries of dicts in the order of their texts.

    Python refuses to spell very large integers in decimal digits, so they are spelled in hexadecimal.
    """
    match value:
        case list():
            return f"[{', '.join(map(written, value))}]"
        case tuple():
            return f"({', '.join(map(written, value))}{',' if len(value) == 1 else ''})"
        case set() | frozenset():
            return f"{{{', '.join(sorted(map(written, value)))}}}" if value else "set()"
        case dict():
            return f"{{{', '.join(sorted(f'{written(key)}: {written(item)}' for key, item in value.items()))}}}"
        case int() if value.bit_length() > DECIMAL_BITS:
            return hex(value)
    return repr(value)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def rest(self) -> str:
        return self._text[self._at :].strip()

    def value(self, depth: int) -> Any:
        if depth > MOST_DEPTH:
            raise Unreadable(f"the value is nested more than {MOST_DEPTH} deep")
        token = self._next()
        if token["int"]:
            if len(token["int"]) > MOST_DIGITS:
                raise Unreadable(f"a number may have at most {MOST_DIGITS} digits")
            return int(token["int"])
        if token["float"]:
            if len(token["float"]) > MOST_DIGITS:
                raise Unreadable(f"a number may have at most {MOST_DIGITS} digits")
            if isinf(float(token["float"])):
                raise Unreadable("that number is too large")
            return float(token["float"])
        if token["name"]:
            return _NAMED[token["name"]]
        if token["text"]:
            return _ESCAPED.sub(_unescape, token["text"][1:-1])
        match token["sign"]:
            case "[":
                return self._items("]", depth)[0]
            case "(":
                items, comma = self._items(")", depth)
                return items[0] if len(items) == 1 and not comma else tuple(items)
            case "{":
                return self._read_braces(depth)
        raise Unreadable(f"expected a value, got {token[0].strip()!r}")

    def _items(self, closing: str, depth: int) -> tuple[list[Any], bool]:
        items: list[Any] = []
        comma = True
        while not self._takes(closing):
            if not comma:
                raise Unreadable(f"expected a comma or {closing!r}, got {self.rest()[:20]!r}")
            items.append(self.value(depth + 1))
            comma = self._takes(",")
        return items, bool(items) and comma

    def _read_braces(self, depth: int) -> Any:
        if self._takes("}"):
            return {}
        keys, items, comma = [self.value(depth + 1)], list[Any](), True
        named = self._takes(":")
        if named:
            items.append(self.value(depth + 1))
        comma = self._takes(",")
        while not self._takes("}"):
            if not comma:
                raise Unreadable(f"expected a comma or '}}', got {self.rest()[:20]!r}")
            keys.append(self.value(depth + 1))
            if named:
                if not self._takes(":"):
                    raise Unreadable("expected a colon after a key")
                items.append(self.value(depth + 1))
            comma = self._takes(",")
        try:
            return dict(zip(keys, items, strict=True)) if named else frozenset(keys)
        except TypeError:
            raise Unreadable("a list, dict or set cannot be a key or a member of a set") from None

    def _next(self) -> re.Match[str]:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise Unreadable(f"expected a value, got {self.rest()[:40]!r}")
        self._at = match.end()
        return match

    def _takes(self, sign: str) -> bool:
        match = _TOKEN.match(self._text, self._at)
        if match is None or match["sign"] != sign:
            return False
        self._at = match.end()
        return True


def _unescape(match: re.Match[str]) -> str:
    if match[4] is not None:
        raise Unreadable(f"the escape \\{match[4]} is not supported")
    return _PLAIN[match[1]] if match[1] else chr(int(match[2] or match[3], 16))
