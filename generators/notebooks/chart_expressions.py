"""Expressions of chart specifications: a small part of those of Vega, parsed and evaluated without running any code."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

Row = Mapping[str, Any]
Node = Callable[[Row], Any]
LONGEST, DEEPEST, LARGEST = 400, 40, 1e15
_TOKEN = re.compile(
    r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|'([^'\\]*)'|\"([^\"\\]*)\"|([A-Za-z_]\w*)|(===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:().,\[\]]))"
)
_LEVELS: tuple[dict[str, Callable[[Any, Any], Any]], ...] = (
    {"==": lambda a, b: a == b, "===": lambda a, b: a == b, "!=": lambda a, b: a != b, "!==": lambda a, b: a != b},
    {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
    {"+": lambda a, b: _checked(a + b), "-": lambda a, b: _checked(_number(a) - b)},
    {"*": lambda a, b: _checked(_number(a) * _number(b)), "/": lambda a, b: _number(a) / b, "%": lambda a, b: _number(a) % b},
)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "substring": lambda text, first, end: text[int(first) : int(end)],
    "slice": lambda text, first, end: text[int(first) : int(end)],
    "abs": abs, "round": lambda number: math.floor(number + 0.5), "min": min, "max": max,
    "if": lambda test, one, other: one if test else other,
}  # fmt: skip


def _number(value: Any) -> Any:
    """The value; ChartError unless it is a number. Text times a number would be a long text."""
    if not isinstance(value, int | float):
        raise ChartError("text is used as a number")
    return value


def _checked(value: Any) -> Any:
    """The value; ChartError where it is far too large or too long."""
    if (abs(value) > LARGEST) if isinstance(value, int | float) else len(value) > LONGEST:
        raise ChartError("a value is too large")
    return value


class ChartError(ValueError):
    """A specification that cannot be read, with the reason."""


def parse_expression(text: object) -> Node:
    """The expression as a function of a row; ChartError where it is none."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ChartError(f"an expression must be a text of at most {LONGEST} characters")
    tokens, at = list[tuple[str, str]](), 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise ChartError(f"an expression cannot be read at {text[at : at + 20]!r}")
        kind = ("number", "text", "text", "name", "sign")[next(place for place in range(5) if match[place + 1] is not None)]
        tokens.append((kind, next(part for part in match.groups() if part is not None)))
        at = match.end()
    return _Parser(tokens).whole()


class _Parser:
    """Recursive descent; each method reads one level of precedence."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens, self._at, self._depth = tokens, 0, 0

    def whole(self) -> Node:
        node = self._choice()
        if self._at < len(self._tokens):
            raise ChartError(f"an expression goes on with {self._tokens[self._at][1]!r}")
        return node

    def _next(self, *signs: str) -> str:
        """The next token if it is one of these signs; empty otherwise."""
        if self._at < len(self._tokens) and self._tokens[self._at][0] == "sign" and self._tokens[self._at][1] in signs:
            self._at += 1
            return self._tokens[self._at - 1][1]
        return ""

    def _require(self, sign: str) -> None:
        if not self._next(sign):
            raise ChartError(f"an expression lacks {sign!r}")

    def _choice(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ChartError("an expression is nested too deeply")
        test = self._either()
        if self._next("?"):
            one = self._choice()
            self._require(":")
            other = self._choice()
            self._depth -= 1
            return lambda row: one(row) if test(row) else other(row)
        self._depth -= 1
        return test

    def _either(self) -> Node:
        node = self._both()
        while self._next("||"):
            node = _or(node, self._both())
        return node

    def _both(self) -> Node:
        node = self._binary(0)
        while self._next("&&"):
            node = _and(node, self._binary(0))
        return node

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        node = self._binary(level + 1)
        while sign := self._next(*_LEVELS[level]):
            node = _applied(_LEVELS[level][sign], node, self._binary(level + 1))
        return node

    def _unary(self) -> Node:
        sign = self._next("-", "!", "+")
        if not sign:
            return self._primary()
        self._depth += 1
        if self._depth > DEEPEST:
            raise ChartError("an expression is nested too deeply")
        inner = self._unary()
        self._depth -= 1
        return (lambda row: not inner(row)) if sign == "!" else (lambda row: -inner(row)) if sign == "-" else inner

    def _primary(self) -> Node:
        if self._next("("):
            node = self._choice()
            self._require(")")
            return node
        kind, text = self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")
        self._at += 1
        match kind:
            case "number":
                number = float(text) if "." in text else int(text)
                return lambda row: number
            case "text":
                return lambda row: text
            case "name" if text == "datum":
                return self._field()
            case "name" if text in ("true", "false"):
                return lambda row: text == "true"
            case "name" if text in FUNCTIONS:
                return self._call(FUNCTIONS[text])
        raise ChartError(f"an expression may not have {text[:20]!r} here")

    def _field(self) -> Node:
        bracket = self._next("[")
        if not bracket:
            self._require(".")
        kind, name = self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")
        self._at += 1
        if kind != ("text" if bracket else "name"):
            raise ChartError("after datum a column is named, as in datum.units")
        if bracket:
            self._require("]")
        return lambda row: row[name]

    def _call(self, function: Callable[..., Any]) -> Node:
        self._require("(")
        arguments = [self._choice()]
        while self._next(","):
            arguments.append(self._choice())
        self._require(")")
        return lambda row: function(*(argument(row) for argument in arguments))


def _and(one: Node, other: Node) -> Node:
    return lambda row: one(row) and other(row)


def _or(one: Node, other: Node) -> Node:
    return lambda row: one(row) or other(row)


def _applied(operation: Callable[[Any, Any], Any], one: Node, other: Node) -> Node:
    return lambda row: operation(one(row), other(row))
