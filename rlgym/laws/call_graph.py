"""Which functions of the environments and their generators a function can reach, found from its code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any

FOLLOWED = ("rlgym.envs.", "rlgym.generators.", "planted.")
LEAST_LINES = 8
"""A function with fewer lines of code is trivial: two authors would write the same."""
MOST_ITEMS = 60  # of a table that is searched for functions


def reachable(root: Callable[..., Any]) -> dict[str, FunctionType]:
    """The functions that a call of `root` may reach, `root` included, by their module and name.

    Names are followed through globals, modules, classes (all their methods), partial functions and tables that hold functions. A method of a
    value is not followed unless its class is named.
    """
    functions: dict[str, FunctionType] = {}
    waiting: list[Any] = [root]
    while waiting:
        for function in _functions(waiting.pop(), 0):
            name = f"{function.__module__}.{function.__qualname__}"
            if name not in functions and f"{function.__module__}.".startswith(FOLLOWED):
                functions[name] = function
                waiting += _referenced_objects(function)
    return functions


def shared_helpers(first: Callable[..., Any], second: Callable[..., Any]) -> list[str]:
    """The functions of at least LEAST_LINES lines that both may call; neither `one` nor `other` counts."""
    common = reachable(first).keys() & reachable(second).keys()
    functions = reachable(first)
    roots = {f"{root.__module__}.{root.__qualname__}" for root in (first, second)}
    return sorted(name for name in common - roots if count_lines(functions[name].__code__) >= LEAST_LINES)


def count_lines(code: CodeType) -> int:
    """The lines of source that a function's code comes from, those of nested functions included."""
    return len({line for part in _codes(code) for _, _, line in part.co_lines() if line})


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _functions(value: Any, depth: int) -> Iterator[FunctionType]:
    """The functions that a value is, wraps or holds."""
    if isinstance(value, partial):
        yield from _functions(value.func, depth)
        return
    unwrapped = inspect.unwrap(value) if callable(value) else value
    if isinstance(unwrapped, FunctionType):
        yield unwrapped
    elif isinstance(value, type):
        if f"{value.__module__}.".startswith(FOLLOWED):
            for member in vars(value).values():
                yield from _functions(getattr(member, "__func__", getattr(member, "fget", member)), depth + 2)
    elif depth < 2 and isinstance(value, tuple | list | dict) and len(value) <= MOST_ITEMS:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _functions(item, depth + 1)
    elif depth < 2 and hasattr(value, "__dataclass_fields__"):
        for field in value.__dataclass_fields__:
            yield from _functions(getattr(value, field, None), depth + 1)


def _referenced_objects(function: FunctionType) -> Iterator[Any]:
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    for value in values:
        if isinstance(value, ModuleType) and f"{value.__name__}.".startswith(FOLLOWED):
            yield from (getattr(value, name) for name in names if hasattr(value, name))
        elif not isinstance(value, ModuleType):
            yield value
    for cell in function.__closure__ or ():
        yield cell.cell_contents
