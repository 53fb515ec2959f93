"""What a program may be called with, said exactly, so that an answer can be one such input."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.drawing import Arguments


@dataclass(frozen=True)
class Domain:
    """`takes` as in Shape. Lists have `least` to `longest` values; every integer is from `low` to `high`."""

    takes: str
    least: int
    longest: int
    low: int
    high: int

    @property
    def words(self) -> str:
        integers = f"from {self.low} to {self.high}"
        if self.takes == "numbers":
            return f"two integers {integers}"
        size = f"exactly {self.least}" if self.least == self.longest else f"{self.least} to {self.longest}"
        values = f"a list of {size} integers {integers}"
        return values if self.takes == "list" else f"{values}, and an integer {integers}"

    @property
    def format(self) -> str:
        """How an answer looks."""
        return {"list": "the list, like [1, 2]", "both": "a tuple of both, like ([1, 2], 3)", "numbers": "a tuple of both, like (1, 2)"}[
            self.takes
        ]

    def drawn(self, rng: Rng) -> Arguments:
        low, high, integer = self.low, self.high, rng.integer
        if self.takes == "numbers":
            return integer(low, high), integer(low, high)
        values = [integer(low, high) for _ in range(integer(self.least, self.longest))]
        return (values, integer(low, high)) if self.takes == "both" else (values,)

    def nearby(self, rng: Rng, arguments: Arguments) -> Arguments:
        """Another input, changed in one or two places."""
        other = self.drawn(rng)
        if self.takes == "numbers":
            return rng.choice(((other[0], arguments[1]), (arguments[0], other[1])))
        values = list(arguments[0])
        for _ in range(rng.integer(1, 2)):
            values[rng.integer(0, len(values) - 1)] = rng.integer(self.low, self.high)
        return (values, *(arguments[1:] if rng.chance(0.7) else other[1:]))

    def plain(self) -> list[Arguments]:
        """Inputs that anybody would try first."""
        some = sorted({self.low, (self.low + self.high) // 2, self.high, *({0, 1, 2} & {*range(self.low, self.high)})})
        if self.takes == "numbers":
            return [*((value, value) for value in some), (self.low, self.high), (self.high, self.low), (some[1], some[2])]
        size, span = self.longest, self.high - self.low + 1
        lists = [[value] * size for value in some]
        lists += [[self.low + (start + i) % span for i in range(size)] for start in (0, -self.low if self.low < 0 else 0, 1)]
        lists += [values[::-1] for values in lists[-3:]]
        return (
            [(values,) for values in lists] if self.takes == "list" else [(values, some[i % len(some)]) for i, values in enumerate(lists)]
        )

    def guesses(self) -> list[Arguments]:
        """Inputs that one can write without reading the program: the plain ones, and lists spaced over the range."""
        if self.takes == "numbers":
            return self.plain()
        size, span = self.longest, self.high - self.low
        rising = [self.low + span * i // max(size - 1, 1) for i in range(size)]
        crowded = [self.low + span * i * i // max(size - 1, 1) ** 2 for i in range(size)]
        turns = [[(self.low, self.high)[(i + k) % 2] for i in range(size)] for k in (0, 1)]
        lists = [rising, rising[::-1], crowded, crowded[::-1], *turns]
        if self.takes == "list":
            return [*((values,) for values in lists), *self.plain()]
        return [*((values, last) for values in lists for last in (self.low, self.high)), *self.plain()]

    def everything(self) -> Iterator[Arguments]:
        """All inputs: the shortest lists first, those of one length in the order of their values."""
        values = range(self.low, self.high + 1)
        if self.takes == "numbers":
            yield from product(values, repeat=2)
            return
        for length in range(self.least, self.longest + 1):
            for items in product(values, repeat=length):
                yield from (([*items], last) for last in values) if self.takes == "both" else (([*items],),)

    def read(self, value: Any) -> Arguments | None:
        """The input that an answer with this value gives, if it is one."""
        if self.takes == "list":
            arguments: Arguments = (value,)
        elif isinstance(value, tuple | list) and len(value) == 2:
            arguments = tuple(value)
        else:
            return None
        if self.takes != "numbers" and not (isinstance(arguments[0], list) and self.least <= len(arguments[0]) <= self.longest):
            return None
        numbers = list(arguments) if self.takes == "numbers" else [*arguments[0], *arguments[1:]]
        return arguments if all(type(number) is int and self.low <= number <= self.high for number in numbers) else None

    def write(self, arguments: Arguments) -> str:
        return repr(arguments[0] if self.takes == "list" else arguments)

    def outside(self, arguments: Arguments) -> list[str]:
        """Answers near an input that are none."""
        if self.takes == "numbers":
            return [self.write((arguments[0], self.high + 1)), self.write((self.low - 1, arguments[1])), repr(arguments[0])]
        return [
            self.write(([*arguments[0], *[self.low] * (self.longest - len(arguments[0]) + 1)], *arguments[1:])),
            self.write(([*arguments[0][:-1], self.high + 1], *arguments[1:])),
            repr((arguments[0], self.low, self.low)),
        ]
