"""A small language of spreadsheet formulas over integers and texts, where operators and functions also take whole ranges cell by cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Scalar = int | str
Value = int | str | tuple[Scalar, ...]

MANUAL = (
    "Formulas are of integers, texts in double quotes, cells (B2), ranges in one column (B1:B9), + - * and the comparisons = <> < <= > "
    ">= (which give 1 "
    "or 0), brackets, and these functions: SUM(x), MIN(x), MAX(x), COUNT(x) (how many cells), IF(test, then, else) (a test holds unless "
    "it is 0), "
    "ABS(x), MOD(x, n) (with a result from 0 to n-1), INDEX(x, k) (the k-th, from 1), MATCH(v, x) (the place of the first cell equal to "
    "v, from 1), "
    "LARGE(x, k) (the k-th largest, from 1, equal values counted again). Operators, IF, ABS and MOD work cell by cell on ranges of the "
    "same length, and "
    "with one value and a range they use the value for every cell. There is no AND and no OR (use * and +), and no other function."
)
MOST_CHARACTERS, MOST_TOKENS, MOST_DEPTH, LARGEST = 500, 200, 25, 10**12
_TOKEN = re.compile(r'\s*(?:(?P<number>[0-9]{1,9})|"(?P<text>[^"]*)"|(?P<name>[A-Za-z]+[0-9]*)|(?P<sign><>|<=|>=|[-+*=<>(),:]))')
_CELL = re.compile(r"([A-Z])([1-9][0-9]?)")


class BadFormula(ValueError):
    """A formula cannot be read or has no value; the message may be shown to the model."""


def evaluate(text: str, cells: Mapping[str, Scalar]) -> Value:
    """The value of a formula, with or without its equals sign."""
    reader = _Reader(text.strip().removeprefix("="), cells)
    value = reader.comparison(0)
    if reader.sign():
        raise BadFormula(f"after the formula there is something more: {reader.sign()!r}")
    return value


class _Reader:
    def __init__(self, text: str, cells: Mapping[str, Scalar]) -> None:
        if len(text) > MOST_CHARACTERS:
            raise BadFormula(f"a formula has at most {MOST_CHARACTERS} characters")
        self.cells, self.at = cells, 0
        self.tokens: list[re.Match[str]] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None or len(self.tokens) == MOST_TOKENS:
                raise BadFormula(f"cannot read {text[place : place + 20]!r}")
            self.tokens.append(match)
            place = match.end()

    def sign(self) -> str:
        return self.tokens[self.at][0].strip() if self.at < len(self.tokens) else ""

    def takes(self, *signs: str) -> str:
        sign = self.sign()
        if sign in signs:
            self.at += 1
            return sign
        return ""

    def needs(self, sign: str) -> None:
        if not self.takes(sign):
            raise BadFormula(f"expected {sign!r}, got {self.sign()!r}")

    def comparison(self, depth: int) -> Value:
        if depth > MOST_DEPTH:
            raise BadFormula("the formula is nested too deep")
        left = self.sum(depth)
        while sign := self.takes("=", "<>", "<", "<=", ">", ">="):
            left = _elementwise(_COMPARE[sign], left, self.sum(depth))
        return left

    def sum(self, depth: int) -> Value:
        left = self.product(depth)
        while sign := self.takes("+", "-"):
            left = _elementwise(_ADD if sign == "+" else _LESS, left, self.product(depth))
        return left

    def product(self, depth: int) -> Value:
        left = self.part(depth)
        while self.takes("*"):
            left = _elementwise(_TIMES, left, self.part(depth))
        return left

    def part(self, depth: int) -> Value:
        if self.at >= len(self.tokens):
            raise BadFormula("the formula breaks off")
        if depth > MOST_DEPTH:
            raise BadFormula("the formula is nested too deep")
        if self.takes("-"):
            return _elementwise(_LESS, 0, self.part(depth + 1))
        if self.takes("("):
            inside = self.comparison(depth + 1)
            self.needs(")")
            return inside
        token = self.tokens[self.at]
        self.at += 1
        if token["number"] is not None:
            return int(token["number"])
        if token["text"] is not None:
            return token["text"]
        if token["name"] is None:
            raise BadFormula(f"expected a value, got {token[0].strip()!r}")
        name = token["name"].upper()
        if self.takes("("):
            given = [self.comparison(depth + 1)]
            while self.takes(","):
                given.append(self.comparison(depth + 1))
            self.needs(")")
            return _call(name, given)
        if self.takes(":"):
            last = self.tokens[self.at]["name"] if self.at < len(self.tokens) else None
            self.at += 1
            return tuple(self.cell(cell) for cell in _between(name, (last or "").upper()))
        return self.cell(name)

    def cell(self, name: str) -> Scalar:
        if name not in self.cells:
            raise BadFormula(f"there is no cell {name[:20]!r} here")
        return self.cells[name]


def _between(first: str, last: str) -> list[str]:
    one, other = _CELL.fullmatch(first), _CELL.fullmatch(last)
    if not one or not other or one[1] != other[1] or int(one[2]) > int(other[2]):
        raise BadFormula(f"{first[:9]}:{last[:9]} is no range of one column, from above to below")
    return [f"{one[1]}{row}" for row in range(int(one[2]), int(other[2]) + 1)]


def _elementwise(operation: Callable[[Any, Any], int], left: Value, right: Value) -> Value:
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) != len(right):
            raise BadFormula("two ranges are not of the same length")
        return tuple(map(operation, left, right))
    if isinstance(left, tuple):
        return tuple(operation(cell, right) for cell in left)
    if isinstance(right, tuple):
        return tuple(operation(left, cell) for cell in right)
    return operation(left, right)


def _number(value: Any) -> int:
    if not isinstance(value, int):
        raise BadFormula(f"{str(value)[:20]!r} is no number")
    if abs(value) > LARGEST:
        raise BadFormula("a number gets too large")
    return value


def _numeric_comparison(test: Callable[[int, int], bool]) -> Callable[[Any, Any], int]:
    return lambda first, second: int(test(_number(first), _number(second)))


_ADD: Callable[[Any, Any], int] = lambda first, second: _number(_number(first) + _number(second))  # noqa: E731
_LESS: Callable[[Any, Any], int] = lambda first, second: _number(_number(first) - _number(second))  # noqa: E731
_TIMES: Callable[[Any, Any], int] = lambda first, second: _number(_number(first) * _number(second))  # noqa: E731
_COMPARE: dict[str, Callable[[Any, Any], int]] = {
    "=": lambda first, second: int(first == second),
    "<>": lambda first, second: int(first != second),
    "<": _numeric_comparison(lambda first, second: first < second),
    "<=": _numeric_comparison(lambda first, second: first <= second),
    ">": _numeric_comparison(lambda first, second: first > second),
    ">=": _numeric_comparison(lambda first, second: first >= second),
}
_COUNTS = {"SUM": 1, "MIN": 1, "MAX": 1, "COUNT": 1, "ABS": 1, "MOD": 2, "INDEX": 2, "MATCH": 2, "LARGE": 2, "IF": 3}


def _call(name: str, given: list[Value]) -> Value:
    if name not in _COUNTS or (len(given) != _COUNTS[name] and not (name in ("SUM", "MIN", "MAX") and given)):
        raise BadFormula(f"there is no function {name[:20]} of {len(given)} values")
    first = given[0]
    many = first if isinstance(first, tuple) else (first,)
    match name:
        case "SUM" | "MIN" | "MAX":
            numbers = [_number(cell) for value in given for cell in (value if isinstance(value, tuple) else (value,))]
            return _number(sum(numbers) if name == "SUM" else min(numbers) if name == "MIN" else max(numbers))
        case "COUNT":
            return len(many)
        case "ABS":
            return tuple(abs(_number(cell)) for cell in first) if isinstance(first, tuple) else abs(_number(first))
        case "MOD":
            return _elementwise(_mod, first, given[1])
        case "MATCH":
            # The value comes first here, the range second.
            places = given[1] if isinstance(given[1], tuple) else (given[1],)
            if isinstance(first, tuple) or first not in places:
                raise BadFormula("MATCH finds no such cell")
            return places.index(first) + 1
        case "INDEX" | "LARGE":
            place = given[1]
            if not isinstance(place, int) or not 1 <= place <= len(many):
                raise BadFormula(f"{name} has no such place")
            return many[place - 1] if name == "INDEX" else sorted(map(_number, many), reverse=True)[place - 1]
    return _if_function(*given)


def _mod(first: Any, second: Any) -> int:
    if _number(second) < 1:
        raise BadFormula("MOD is by a positive number")
    return _number(first) % _number(second)


def _if_function(test: Value, then: Value, other: Value) -> Value:
    sizes = {len(value) for value in (test, then, other) if isinstance(value, tuple)}
    if not sizes:
        return then if test != 0 else other
    if len(sizes) > 1:
        raise BadFormula("two ranges are not of the same length")
    size = sizes.pop()
    tests, thens, others = (value if isinstance(value, tuple) else (value,) * size for value in (test, then, other))
    return tuple(yes if test != 0 else no for test, yes, no in zip(tests, thens, others, strict=True))
