"""Rounded decimals, which stand for every number that rounds to them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rlgym.core.decimals import decimal as decimal


class Rounded(Fraction):
    """A decimal as a fraction that equals every exact number that rounds to it; everything else treats it as the exact decimal.

    `slack` is half a unit of its last digit. Equality is what verifiers ask of an answer, so that they need not know how it was written.
    """

    __slots__ = ("slack",)
    slack: Fraction

    def __new__(cls, value: Fraction, slack: Fraction) -> Rounded:
        number = super().__new__(cls, value)
        number.slack = slack
        return number

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rounded) or not isinstance(other, int | Fraction):
            return Fraction.__eq__(self, other)
        return abs(Fraction(other) - Fraction(self.numerator, self.denominator)) <= self.slack

    __hash__ = Fraction.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Rounded, (Fraction(self.numerator, self.denominator), self.slack)

    def __copy__(self) -> Rounded:
        return self

    def __deepcopy__(self, memo: Any) -> Rounded:
        return self


def scaled(value: Fraction, factor: Fraction) -> Fraction:
    """A number times a factor; a rounded one stays rounded, in the new unit."""
    exact = Fraction(value.numerator, value.denominator) * factor
    return Rounded(exact, value.slack * abs(factor)) if isinstance(value, Rounded) else exact
