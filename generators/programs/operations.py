"""Operations on the values of compiled expressions, within the bounds. Most results are small integers, which are checked in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlgym.generators.programs.bounded_operators import LARGEST, check_bounds
from rlgym.generators.programs.frames import Does, Frame

Works = Callable[[Any, Any], Any]


def binary(works: Works, first: Does, second: Does) -> Does:
    def operation(frame: Frame) -> Any:
        result = works(first(frame), second(frame))
        return result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

    return operation


def with_constant(works: Works, first: Does, constant: Any) -> Does:
    def operation(frame: Frame) -> Any:
        result = works(first(frame), constant)
        return result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

    return operation


def local_with_constant(works: Works, name: str, missing: Does, constant: Any) -> Does:
    """An operation on a local name; `missing` raises what reading it raises where it has no value."""

    def operation(frame: Frame) -> Any:
        names = frame.names
        result = works(names[name] if name in names else missing(frame), constant)
        return result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

    return operation


def local_change(works: Works, name: str, missing: Does, read: Does) -> Does:
    """`+=` and its like on a local name."""

    def change(frame: Frame) -> None:
        names = frame.names
        result = works(names[name] if name in names else missing(frame), read(frame))
        names[name] = result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

    return change


def builtin(function: Callable[..., Any], given: Sequence[Does]) -> Does:
    if len(given) == 1:
        (only,) = given

        def with_one(frame: Frame) -> Any:
            result = function(only(frame))
            return result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

        return with_one
    if len(given) == 2:
        first, second = given

        def with_two(frame: Frame) -> Any:
            result = function(first(frame), second(frame))
            return result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

        return with_two
    return lambda frame: check_bounds(function(*[each(frame) for each in given]))


def boolean(both: bool, parts: Sequence[Does]) -> Does:
    def joined(frame: Frame) -> Any:
        so_far = None
        for part in parts:
            so_far = part(frame)
            if bool(so_far) != both:
                break
        return so_far

    return joined
