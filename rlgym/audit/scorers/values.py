"""What users bring and what it returns: functions, instances and classes that are called, rewards as numbers, scalars and dictionaries."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

KEYS = ("score", "reward", "value")
LOOPS: list[asyncio.AbstractEventLoop] = []
"""The event loop of this process, once a scorer needed one."""


def as_function(found: Any, name: str) -> Callable[..., Any]:
    """What is found under a name as a function of keyword arguments that returns rewards.

    A class is instantiated without arguments; arguments that can only be given by position are; coroutines run to their end in one event loop, as the
    trainers do with them. LookupError if it cannot be called.
    """
    if inspect.isclass(found):
        try:
            found = found()
        except TypeError as error:
            raise LookupError(f"{name!r} is a class that cannot be made without arguments ({error}): name an instance of it") from None
    if not callable(found):
        raise LookupError(f"{name!r} is a {type(found).__name__}, not a function")
    function: Callable[..., Any] = found
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return function
    positional = [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY]

    @functools.wraps(function)
    def call(**arguments: Any) -> Any:
        value = function(*[arguments.pop(each) for each in positional if each in arguments], **arguments)
        return _result(value) if inspect.isawaitable(value) else value

    return call


def _result(value: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await value

    if not LOOPS:
        try:
            LOOPS.append(asyncio.new_event_loop())
        except OSError:  # the sandbox has no sockets, of which a loop needs a pair
            return _without_loop(wait())
    return LOOPS[0].run_until_complete(wait())


def _without_loop(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        while coroutine.send(None) is None:
            pass
    except StopIteration as ended:
        return ended.value
    raise RuntimeError("the coroutine waits for something, and the sandbox has no event loop")


def read_reward(value: Any) -> tuple[float | None, str]:
    """The reward as a float, NaN and infinities included, or None and what was returned instead. Nothing that a value does is raised."""
    try:
        return _read_reward(value)
    except BaseException as error:  # a value's own methods may do anything
        return None, f"returned {short(value)}, of which reading the number raises {type(error).__name__}"


def _read_reward(value: Any) -> tuple[float | None, str]:
    if isinstance(value, dict):
        found = next((value[key] for key in KEYS if key in value), None)
        missing = f"returned {short(value)}, which has no number under {', '.join(KEYS)}"
        return (None, missing) if found is None or isinstance(found, dict) else _read_reward(found)
    scalar = getattr(value, "ndim", None) == 0  # arrays and tensors without dimensions have a __len__, which raises
    if value is None or isinstance(value, str | bytes | complex) or (hasattr(value, "__len__") and not scalar):
        return None, f"returned {short(value)} instead of a number"
    try:
        return float(value), ""
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return None, f"returned {short(value)} instead of a number"


def short(value: object, width: int = 120) -> str:
    """The value as a text of limited width."""
    try:
        text = repr(value)
    except BaseException as error:
        text = f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return text if len(text) <= width else f"{text[:width]}..."


def raised(error: BaseException) -> str:
    """What a scorer raised, as a text; the text of an exception may itself raise."""
    try:
        text = str(error)
    except BaseException as failed:
        return f"raised {type(error).__name__}, whose text raises {type(failed).__name__}"
    return f"raised {type(error).__name__}: {short(text)}"
