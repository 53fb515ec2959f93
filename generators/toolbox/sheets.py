"""Spreadsheets: cells, the formulas of a small language, and their exact values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

Value = Fraction | str | None
FUNCTIONS = ("SUM", "COUNT", "MIN", "MAX", "AVERAGE", "SUMIF", "COUNTIF", "IF", "ROUND")
MANUAL = (
    "A formula begins with = and is made of numbers, cells such as B7, + - * / and brackets, comparisons (= <> < > <= >=) as the first argument of "
    'IF(condition, then, else), texts in double quotes, ROUND(x, digits), and of SUM, COUNT, MIN, MAX and AVERAGE of a range such as B2:B9, '
    "SUMIF(range, value, range to add up) and COUNTIF(range, value); a value is a number, a text or a cell. Empty cells count as 0 in sums and are left "
    "out of COUNT, MIN, MAX and AVERAGE, as texts are. Both values of an IF are evaluated."
)  # fmt: skip
_TOKEN = re.compile(r'\s*(?:([0-9]+(?:\.[0-9]+)?)|"([^"]{0,60})"|(\$?[A-Za-z]+\$?[0-9]*)|(<=|>=|<>|[-+*/(),:=<>]))')
_CELL = re.compile(r"\$?([A-Z])\$?([1-9][0-9]?)")
_MOVING = re.compile(r'("[^"]*")|(\$?[A-Za-z])([1-9][0-9]?)(?![0-9(])')
_MOST = 400
_DEEPEST = 80  # brackets and cells within one another
_MOST_WORK = 20_000  # cells looked at in working out a sheet


class Broken(ValueError):
    """A formula that cannot be parsed or evaluated; the message may be shown."""


class Token(NamedTuple):
    kind: str  # "number", "text", "name" or "mark"
    text: str


def at(column: int, row: int) -> str:
    """The name of a cell; both are counted from 1."""
    return f"{chr(64 + column)}{row}"


def typed(text: str) -> Value | str:
    """What is written into a cell: a number, or text; a formula stays text with its =."""
    plain = text.strip()
    if not plain:
        return None
    if re.fullmatch(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?", plain):
        return Fraction(plain)
    return plain


def values(cells: Mapping[str, str]) -> dict[str, Value]:
    """The values of all cells. A Broken says which formula fails, and why."""
    sheet = _Sheet(cells)
    return {cell: sheet.value(cell) for cell in cells}


def shown(value: Value) -> str:
    """A value as a cell shows it, with four digits after the point at most."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{float(value):.4f}".rstrip("0").rstrip(".")
    return value or ""


def spans(text: str) -> list[str]:
    """The cells of a range such as B2:C4, row by row; of a single cell, that one."""
    first, _, last = text.upper().replace(" ", "").partition(":")
    ends = [_CELL.fullmatch(end) for end in (first, last or first)]
    if not ends[0] or not ends[1]:
        raise Broken(f"{text[:20]!r} is no range of cells")
    columns, rows = sorted(ord(end[1]) - 64 for end in ends if end), sorted(int(end[2]) for end in ends if end)
    return [at(column, row) for row in range(rows[0], rows[1] + 1) for column in range(columns[0], columns[1] + 1)]


def copy(text: str, rows: int) -> str:
    """A formula copied so many rows down: the rows of its cells move along, but for those after a $, as in B$1."""
    return _MOVING.sub(lambda match: match[0] if match[1] else f"{match[2]}{int(match[3]) + rows}", text)


class _Sheet:
    def __init__(self, cells: Mapping[str, str]) -> None:
        self.cells, self.done, self.open, self.work = cells, dict[str, Value](), set[str](), 0
        self.depth = 0

    def value(self, cell: str) -> Value:
        self.work += 1
        if self.work > _MOST_WORK:
            raise Broken("the formulas look at too many cells")
        if cell in self.done:
            return self.done[cell]
        if cell in self.open:
            raise Broken(f"{cell} depends on itself")
        text = self.cells.get(cell, "")
        if not text.startswith("="):
            self.done[cell] = typed(text)
            return self.done[cell]
        self.open.add(cell)
        try:
            value = _Formula(self, text[1:]).all()
        except Broken as why:
            raise Broken(f"{cell}: {why}"[:200]) from None
        finally:
            self.open.discard(cell)
        self.done[cell] = value
        return value


class _Formula:
    def __init__(self, sheet: _Sheet, text: str) -> None:
        if len(text) > _MOST:
            raise Broken(f"the formula is longer than {_MOST} characters")
        self.sheet, self.tokens, self.here = sheet, _tokens(text), 0

    def all(self) -> Value:
        value = self.sum()
        if self.here < len(self.tokens):
            raise Broken(f"{self.tokens[self.here].text!r} is not expected")
        return value

    def sum(self) -> Value:
        value = self.product()
        while (mark := self.mark("+", "-")) is not None:
            other = _number(self.product())
            value = _number(value) + other if mark == "+" else _number(value) - other
        return _require_bounds(value)

    def product(self) -> Value:
        value = self.factor()
        while (mark := self.mark("*", "/")) is not None:
            other = _number(self.factor())
            if mark == "/" and not other:
                raise Broken("there is a division by 0")
            value = _number(value) * other if mark == "*" else _number(value) / other
        return _require_bounds(value)

    def factor(self) -> Value:
        self.sheet.depth += 1
        try:
            if self.sheet.depth > _DEEPEST:
                raise Broken("the formulas are nested too deeply")
            return self.part()
        finally:
            self.sheet.depth -= 1

    def part(self) -> Value:
        if self.mark("-") is not None:
            return -_number(self.factor())
        if self.mark("(") is not None:
            value = self.sum()
            self.expect(")")
            return value
        token = self.take()
        if token.kind == "number":
            return Fraction(token.text[:30])
        if token.kind == "text":
            return token.text
        name = token.text.upper()
        if token.kind == "name" and name in FUNCTIONS:
            self.expect("(")
            return self.called(name)
        if token.kind == "name" and _CELL.fullmatch(name):
            return self.sheet.value(name.replace("$", ""))
        raise Broken(f"{token.text!r} is not expected")

    def called(self, name: str) -> Value:
        if name == "IF":
            met = self.condition()
            self.expect(",")
            then = self.sum()
            self.expect(",")
            other = self.sum()
            self.expect(")")
            return then if met else other
        if name == "ROUND":
            value = _number(self.sum())
            self.expect(",")
            digits = _number(self.sum())
            self.expect(")")
            if digits.denominator != 1 or not 0 <= digits <= 9:
                raise Broken("ROUND takes 0 to 9 digits")
            scale = 10 ** int(digits)
            half = abs(value) * scale + Fraction(1, 2)
            return Fraction(half.numerator // half.denominator, scale) * (1 if value >= 0 else -1)
        first = [self.sheet.value(cell) for cell in self.range()]
        if name in ("SUMIF", "COUNTIF"):
            self.expect(",")
            key = self.sum()
            hits = [_equal_values(value, key) for value in first]
            if name == "COUNTIF":
                self.expect(")")
                return Fraction(sum(hits))
            self.expect(",")
            added = [self.sheet.value(cell) for cell in self.range()]
            self.expect(")")
            if len(added) != len(hits):
                raise Broken("the two ranges of SUMIF differ in size")
            return sum((value for value, hit in zip(added, hits) if hit and isinstance(value, Fraction)), Fraction(0))
        self.expect(")")
        return _fold(name, [value for value in first if isinstance(value, Fraction)])

    def condition(self) -> bool:
        left = self.sum()
        mark = self.mark("=", "<>", "<", ">", "<=", ">=")
        if mark is None:
            raise Broken("IF needs a comparison")
        right = self.sum()
        if mark in ("=", "<>"):
            return _equal_values(left, right) == (mark == "=")
        first, second = _number(left), _number(right)
        return {"<": first < second, ">": first > second, "<=": first <= second, ">=": first >= second}[mark]

    def range(self) -> list[str]:
        first = self.take()
        second = self.take() if self.mark(":") is not None else first
        return spans(f"{first.text}:{second.text}")

    def take(self) -> Token:
        if self.here >= len(self.tokens):
            raise Broken("the formula ends too early")
        self.here += 1
        return self.tokens[self.here - 1]

    def mark(self, *signs: str) -> str | None:
        if self.here < len(self.tokens) and self.tokens[self.here].kind == "mark" and self.tokens[self.here].text in signs:
            self.here += 1
            return self.tokens[self.here - 1].text
        return None

    def expect(self, expected: str) -> None:
        if self.mark(expected) is None:
            raise Broken(f"{expected!r} is expected")


@lru_cache(maxsize=2048)
def _tokens(text: str) -> tuple[Token, ...]:
    tokens, at_end = list[Token](), len(text.rstrip())
    position = 0
    while position < at_end:
        match = _TOKEN.match(text, position)
        if not match:
            raise Broken(f"{text[position:].strip()[:10]!r} cannot be read")
        kinds = ("number", "text", "name", "mark")
        tokens += [Token(kind, part) for kind, part in zip(kinds, match.groups()) if part is not None]
        position = match.end()
    return tuple(tokens)


def _fold(name: str, numbers: list[Fraction]) -> Fraction:
    match name:
        case "SUM":
            return sum(numbers, Fraction(0))
        case "COUNT":
            return Fraction(len(numbers))
    if not numbers:
        raise Broken(f"{name} finds no number")
    return {"MIN": min(numbers), "MAX": max(numbers), "AVERAGE": sum(numbers, Fraction(0)) / len(numbers)}[name]


def _require_bounds(value: Value) -> Value:
    if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) > 10**60:
        raise Broken("a number is too large")
    return value


def _number(value: Value) -> Fraction:
    if isinstance(value, str):
        raise Broken(f"{value[:20]!r} is no number")
    return value or Fraction(0)


def _equal_values(first: Value, second: Value) -> bool:
    if isinstance(first, str) and isinstance(second, str):
        return first.lower() == second.lower()
    return first == second
