"""One exact rational number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable

_SIGN = r"([+\-−]?)\s{0,9}"
_WHOLE = r"([0-9]{1,1000})"
_FORMS = (
    re.compile(rf"{_SIGN}{_WHOLE}()()"),
    re.compile(rf"{_SIGN}{_WHOLE}\s{{0,9}}[/⁄]\s{{0,9}}{_WHOLE}()"),
    re.compile(rf"{_SIGN}\\[dt]?frac\s{{0,9}}\{{\s{{0,9}}{_WHOLE}\s{{0,9}}\}}\s{{0,9}}\{{\s{{0,9}}{_WHOLE}\s{{0,9}}\}}()"),
    re.compile(rf"{_SIGN}([0-9]{{0,1000}})()\.([0-9]{{1,1000}})"),
)


@dataclass(frozen=True)
class Rational(Answer[Fraction]):
    """One rational number as an integer, a fraction `a/b` (reduced or not), `\\frac{a}{b}` or a finite decimal, read exactly."""

    asks: str = "one exact number, written as an integer or as a fraction a/b"
    format: ClassVar[str] = "rational"

    def parse(self, text: str) -> Fraction:
        plain = text.strip().removeprefix("$").removesuffix("$").strip()
        for form in _FORMS if len(plain) < 3000 else ():
            if found := form.fullmatch(plain):
                sign, whole, below, decimals = found.groups()
                if below and not int(below):
                    break
                size = Fraction(int(whole or "0" if decimals else whole), int(below or 1))
                if decimals:
                    size += Fraction(int(decimals), 10 ** len(decimals))
                return -size if sign in ("-", "−") else size
        raise Unreadable(f"expected one number such as -3 or 5/4, got {text[:40]!r}")

    def render(self, value: Fraction) -> str:
        return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"

    def variants(self, value: Fraction) -> Iterator[str]:
        sign, top, below = "-" if value < 0 else "", abs(value.numerator), value.denominator
        yield f" {sign}{top}/{below} "
        yield f"{sign}{3 * top} / {3 * below}"
        yield f"${sign}\\frac{{{top}}}{{{below}}}$"
        yield ("−" if value < 0 else "+") + f"{top}/{below}"
        digits = next((k for k in range(1, 19) if (value * 10**k).denominator == 1), 0)
        if digits:
            shifted = str(top * 10**digits // below).rjust(digits + 1, "0")
            yield f"{sign}{shifted[:-digits]}.{shifted[-digits:]}"

    def nearby(self, value: Fraction) -> Iterator[Fraction]:
        yield from (value + 1, value - 1, value + Fraction(1, value.denominator), value * 10)
        if value:
            yield -value
            if abs(value) != 1:
                yield 1 / value
