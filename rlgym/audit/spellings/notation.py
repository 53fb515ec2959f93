"""Numbers as text, and pairs of a text and whether it equals the expected answer."""

from __future__ import annotations

from fractions import Fraction

from rlgym import Rng

Pairs = tuple[str, list[tuple[str, bool]]]
"""An expected answer, and texts with whether each is equal to it."""


def rational(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def latex(value: Fraction) -> str:
    sign, size = ("-", -value) if value < 0 else ("", value)
    return f"{sign}{size.numerator}" if size.denominator == 1 else f"{sign}\\frac{{{size.numerator}}}{{{size.denominator}}}"


def small_fraction(rng: Rng, most: int = 40) -> Fraction:
    return Fraction(rng.integer(-most, most) or 7, rng.integer(1, 12))


def marked(good: list[str], bad: list[str]) -> list[tuple[str, bool]]:
    return [(text, True) for text in good] + [(text, False) for text in bad]
