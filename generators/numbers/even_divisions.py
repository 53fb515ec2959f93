"""Calculations with an unknown integer n in which a division follows upon the result of the one before.

They have the form ((n * a + b) / d) * m + more, put into brackets, divided again, and so on. Whether the divisions come out even depends on the
remainder of n modulo the product of the divisors.
"""

import re
from typing import NamedTuple

_START = re.compile(r"\(*n \* (\d+) \+ (\d+)")
_STAGE = re.compile(r"\) / (\d+)\) \* (\d+) ([+-]) (n \* n|n \* \d+|\d+)")


class Stage(NamedTuple):
    """Divide by the divisor, multiply by the factor, and add or subtract a number, a multiple of n or its square."""

    divisor: int
    factor: int
    sign: str
    more: str

    def apply(self, value: int, n: int) -> int:
        first, _, second = self.more.partition(" * ")
        more = n * n if second == "n" else n * int(second) if second else int(first)
        return value // self.divisor * self.factor + (more if self.sign == "+" else -more)


class Calculation(NamedTuple):
    slope: int
    rest: int
    stages: tuple[Stage, ...]

    @property
    def text(self) -> str:
        text = f"n * {self.slope} + {self.rest}"
        for divisor, factor, sign, more in self.stages:
            text = f"(({text}) / {divisor}) * {factor} {sign} {more}"
        return text

    def value_at(self, n: int) -> int | None:
        """The value for one n; None where a division leaves a remainder."""
        value = self.slope * n + self.rest
        for stage in self.stages:
            if value % stage.divisor:
                return None
            value = stage.apply(value, n)
        return value

    def even_residues(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """For each divisor the remainders of n, and their modulus, for which the divisions up to it come out even."""
        out = list[tuple[int, int, tuple[int, ...]]]()
        residues: tuple[int, ...] = (0,)
        modulus = 1
        for place, stage in enumerate(self.stages, 1):
            part, lifted = self._replace(stages=self.stages[:place]), [r + modulus * t for t in range(stage.divisor) for r in residues]
            residues = tuple(sorted(residue for residue in lifted if part.value_at(residue) is not None))
            modulus *= stage.divisor
            out.append((stage.divisor, modulus, residues))
        return out

    def smallest(self) -> int:
        """The smallest positive n for which all divisions come out even; 0 if there is none."""
        _, modulus, residues = self.even_residues()[-1]
        return min((residue or modulus for residue in residues), default=0)


def parse(text: str) -> Calculation:
    start = _START.match(text)
    if start is None:
        raise ValueError(f"no calculation with n: {text!r}")
    stages = tuple(Stage(int(divisor), int(factor), sign, more) for divisor, factor, sign, more in _STAGE.findall(text))
    return Calculation(int(start[1]), int(start[2]), stages)


def smallest_by_trial(calculation: Calculation, most: int) -> int:
    """The same, by trying one n after another up to a bound."""
    return next((n for n in range(1, most + 1) if calculation.value_at(n) is not None), 0)
