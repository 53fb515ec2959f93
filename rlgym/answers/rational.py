"""One exact rational number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rlgym.answers.rounded import Rounded, decimal
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBER
from rlgym.core.layout.layers import Layers

LONG = 10**12
LONGEST_DECIMAL = 14  # characters of an exact decimal where a rounded number will do
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
    """One rational number as an integer, a fraction `a/b` (reduced or not), `\\frac{a}{b}` or a finite decimal, read exactly.

    With `digits`, decimals of at least so many significant digits equal every number that rounds to them; the instructions must say so.
    The oracle writes a fraction of long numbers as such a decimal, with two digits more.
    With `as_decimal` the oracle writes an answer that has a finite decimal as that decimal, unless it is long and a rounded one will do.
    """

    instructions: str = "one exact number, written as an integer or as a fraction a/b"
    digits: int | None = None
    as_decimal: bool = False
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "rational"

    def parse(self, text: str) -> Fraction:
        plain = text.strip().removeprefix("$").removesuffix("$").strip()
        for form in _FORMS if len(plain) < 3000 else ():
            if match := form.fullmatch(plain):
                sign, integer_part, below, decimals = match.groups()
                if below and not int(below):
                    break
                size = Fraction(int(integer_part or "0" if decimals else integer_part), int(below or 1))
                if decimals:
                    size += Fraction(int(decimals), 10 ** len(decimals))
                value = -size if sign in ("-", "−") else size
                written = (integer_part + decimals).lstrip("0")
                if self.digits and not below and len(written) >= self.digits:
                    # The closing zeros of 118400 may be digits, or only hold places.
                    places = len(decimals) if decimals or len(written.rstrip("0")) > self.digits else self.digits - len(written)
                    return Rounded(value, Fraction(10) ** -places / 2)
                return value
        raise Unreadable(f"expected one number such as -3 or 5/4, got {text[:40]!r}")

    def render(self, value: Fraction) -> str:
        if (
            self.as_decimal
            and value.denominator > 1
            and (finite := finite_decimal(value))
            and (not self.digits or len(finite) <= LONGEST_DECIMAL)
        ):
            return finite
        if self.digits and max(abs(value.numerator), value.denominator) >= LONG:
            return decimal(value, self.digits + 2)
        return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"

    def variants(self, value: Fraction) -> Iterator[str]:
        sign, top, below = "-" if value < 0 else "", abs(value.numerator), value.denominator
        yield f" {sign}{top}/{below} "
        yield f"{sign}{3 * top} / {3 * below}"
        yield f"${sign}\\frac{{{top}}}{{{below}}}$"
        yield ("−" if value < 0 else "+") + f"{top}/{below}"
        if finite := finite_decimal(value):
            yield finite

    def near_misses(self, value: Fraction) -> Iterator[Fraction]:
        near = (value + 1, value - 1, value + Fraction(1, value.denominator), value * 10)
        yield from (other for other in near if self.parse(self.render(other)) != value)
        if value:
            yield -value
            if abs(value) != 1:
                yield 1 / value


def finite_decimal(value: Fraction) -> str:
    """The decimal of a number with 1 to 18 decimals; empty where it has none."""
    places = next((k for k in range(1, 19) if (value * 10**k).denominator == 1), 0)
    if not places:
        return ""
    digits = str(int(abs(value) * 10**places)).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
