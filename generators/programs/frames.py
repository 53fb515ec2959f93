"""The state of an interpreted run: its limits, frames, scopes and functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rlgym.generators.programs.bounded_operators import DEEPEST, Stopped

MISSING = object()
TOO_MANY_STEPS = "the run takes too many steps"
Does = Callable[["Frame"], Any]


class Raised(Exception):
    """An exception of the program itself: its name, and the line that raised it."""

    def __init__(self, kind: str, line: int) -> None:
        super().__init__(f"{kind} in line {line}")
        self.kind, self.line = kind, line


class Run:
    """What one run has used up and put out. `counts` says by the number of a line how often it was done."""

    __slots__ = ("counts", "depth", "fuel", "printed", "watch")

    def __init__(self, lines: int, fuel: int, watch: Callable[[int, dict[str, Any]], None] | None) -> None:
        self.fuel, self.watch, self.depth = fuel, watch, 0
        self.counts = [0] * (lines + 1)
        self.printed: list[str] = []

    def step(self, line: int) -> None:
        self.fuel -= 1
        if self.fuel < 0:
            raise Stopped(TOO_MANY_STEPS)
        self.counts[line] += 1


class Frame:
    """The variables of one call, and the frame that its function was defined in."""

    __slots__ = ("names", "outer", "run")

    def __init__(self, names: dict[str, Any], outer: Frame | None, run: Run) -> None:
        self.names, self.outer, self.run = names, outer, run


@dataclass(frozen=True)
class Scope:
    """Which names belong to a function, and the scope around it; the outermost one is the module's."""

    names: frozenset[str]
    outer: Scope | None

    def hops(self, name: str) -> int | None:
        """How many scopes further out a name belongs; None if to none of them."""
        hops, scope = 0, self
        while name not in scope.names:
            if scope.outer is None:
                return None
            hops, scope = hops + 1, scope.outer
        return hops


class Function:
    """A function of the program."""

    def __init__(self, parameters: tuple[str, ...], defaults: tuple[Any, ...], body: Does, outer: Frame) -> None:
        self._parameters, self._defaults, self._body, self._outer = parameters, defaults, body, outer

    def __call__(self, *given: Any, **named: Any) -> Any:
        missing = len(self._parameters) - len(given)
        if missing < 0:
            raise TypeError("too many arguments")
        names = dict(zip(self._parameters, given))
        if missing or named:
            if self._defaults:
                names = dict(zip(self._parameters[-len(self._defaults) :], self._defaults)) | names
            names |= named
            if names.keys() != set(self._parameters):
                raise TypeError("arguments do not fit")
        run = self._outer.run
        run.depth += 1
        if run.depth > DEEPEST:
            raise Stopped("calls are nested too deep")
        try:
            signal = self._body(Frame(names, self._outer, run))
        finally:
            run.depth -= 1
        return signal[0] if type(signal) is tuple else None
