"""Compiled lines of interpreted programs, which count and say where an exception was raised."""

from __future__ import annotations

from typing import Any

from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.frames import TOO_MANY_STEPS, Does, Frame, Raised

CAUGHT = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, NameError, AssertionError)


def line(number: int, does: Does, plain: bool = True) -> Does:
    """A line that counts, and tells where an exception of the program was raised."""

    def head(frame: Frame) -> Any:
        run = frame.run
        run.fuel -= 1
        if run.fuel < 0:
            raise Stopped(TOO_MANY_STEPS)
        run.counts[number] += 1
        try:
            return does(frame)
        except CAUGHT as error:
            raise Raised(type(error).__name__, number) from None

    def done(frame: Frame) -> Any:
        run = frame.run
        run.fuel -= 1
        if run.fuel < 0:
            raise Stopped(TOO_MANY_STEPS)
        run.counts[number] += 1
        try:
            signal = does(frame)
        except CAUGHT as error:
            raise Raised(type(error).__name__, number) from None
        if run.watch:
            run.watch(number, frame.names)
        return signal

    return done if plain else head


def local_assignment(number: int, name: str, read: Does) -> Does:
    """`line` of an assignment to a local name, the most frequent statement."""

    def done(frame: Frame) -> None:
        run = frame.run
        run.fuel -= 1
        if run.fuel < 0:
            raise Stopped(TOO_MANY_STEPS)
        run.counts[number] += 1
        try:
            frame.names[name] = read(frame)
        except CAUGHT as error:
            raise Raised(type(error).__name__, number) from None
        if run.watch:
            run.watch(number, frame.names)

    return done
