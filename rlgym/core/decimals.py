"""Numbers as rounded decimals."""

from __future__ import annotations

from fractions import Fraction


def decimal(value: Fraction, digits: int) -> str:
    """A number other than 0 rounded to significant digits, in plain notation."""
    places = digits - 1
    while abs(value) >= Fraction(10) ** (digits - places):
        places -= 1
    while abs(value) < Fraction(10) ** (digits - places - 1):
        places += 1
    whole = round(abs(value) * Fraction(10) ** places)
    sign = "-" if value < 0 else ""
    if places <= 0:
        return f"{sign}{whole * 10**-places}"
    text = str(whole).rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"
