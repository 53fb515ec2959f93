"""Operators, comparisons and builtins of the interpreted part of Python, with bounds on the size of their results."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

LARGEST, LONGEST, DEEPEST, FARTHEST = 10**30, 2000, 30, 10_000


class Stopped(Exception):
    """A run left the bounds, or the program the part of Python that is known here."""


def check_bounds(what: Any) -> Any:
    """The same value, if it is within the bounds."""
    kind = type(what)
    if kind is int:
        if not -LARGEST < what < LARGEST:
            raise Stopped("a number gets too large")
    elif kind is bool or what is None:
        return what
    elif isinstance(what, str | list | tuple | dict | set):
        if len(what) > LONGEST:
            raise Stopped("a value gets too long")
    elif isinstance(what, float | complex | bytes):
        raise Stopped("numbers are whole here")
    return what


def _times(first: Any, second: Any) -> Any:
    for holder, count in ((first, second), (second, first)):
        if isinstance(holder, str | list | tuple) and isinstance(count, int) and len(holder) * count > LONGEST:
            raise Stopped("a value gets too long")
    return first * second


def _times_in_place(first: Any, second: Any) -> Any:
    if isinstance(first, list):
        first[:] = _times(first, second)
        return first
    return _times(first, second)


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, int) or not 0 <= exponent <= 100:
        raise Stopped("exponents are from 0 to 100")
    return base**exponent


def _shift(number: Any, by: Any) -> Any:
    if isinstance(by, int) and by > 100:
        raise Stopped("shifts are up to 100")
    return number << by


def _rest(first: Any, second: Any) -> Any:
    if isinstance(first, str):
        raise Stopped("texts are not formatted by %")
    return first % second


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _times,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: _rest,
    ast.Pow: _power,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: _shift,
    ast.RShift: operator.rshift,
}
# What `+=` and its like do; on a list they change the list itself.
IN_PLACE = BINARY | {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: _times_in_place,
    ast.BitOr: operator.ior,
    ast.BitAnd: operator.iand,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda first, second: first in second,
    ast.NotIn: lambda first, second: first not in second,
}


def _range(*ends: int) -> range:
    numbers = range(*ends)
    if len(numbers) > FARTHEST:
        raise Stopped("a range is too long")
    return numbers


BUILTINS: dict[str, Any] = {
    **{function.__name__: function for function in (len, abs, min, max, sum, sorted, any, all, divmod, ord, chr, repr)},
    **{kind.__name__: kind for kind in (int, str, bool, list, tuple, set, dict, enumerate, zip, reversed)},
    "range": _range,
}
METHODS: dict[type, frozenset[str]] = {
    str: frozenset("upper lower strip split join replace startswith endswith find count isdigit isalpha index title".split()),
    list: frozenset("append pop insert extend remove index count reverse sort copy clear".split()),
    dict: frozenset("get keys values items pop setdefault update copy clear".split()),
    set: frozenset("add discard remove union copy".split()),
    tuple: frozenset(("index", "count")),
}
