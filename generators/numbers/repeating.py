"""Fractions, mixed numbers and decimals that may repeat, as texts: their values, and how each is worked out."""

import re
from fractions import Fraction

REPEATING = re.compile(r"(\d+)\.(\d*)\((\d+)\)")


def value_of(term: str) -> Fraction:
    """What a text says: 3/4, 2 1/3, 0.75 or 0.1(6)."""
    if found := REPEATING.fullmatch(term):
        whole, fixed, again = found.groups()
        return Fraction(int(whole + fixed + again) - int(whole + fixed), (10 ** len(again) - 1) * 10 ** len(fixed))
    return sum((Fraction(part) for part in term.split()), Fraction(0))


def formula_of(term: str) -> str:
    """A formula of whole numbers with that value."""
    if found := REPEATING.fullmatch(term):
        whole, fixed, again = found.groups()
        return f"({int(whole + fixed + again)} - {int(whole + fixed)}) / {'9' * len(again) + '0' * len(fixed)}"
    if "." in term:
        value = Fraction(term)
        return f"{value.numerator} / {value.denominator}"
    return term.replace(" ", " + ")
