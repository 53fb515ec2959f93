"""Fractions, mixed numbers and decimals that may repeat, as texts: their values, and formulas for them."""

import re
from fractions import Fraction

REPEATING = re.compile(r"(\d+)\.(\d*)\((\d+)\)")


def parse_number(term: str) -> Fraction:
    """The value of a text such as 3/4, 2 1/3, 0.75 or 0.1(6)."""
    if match := REPEATING.fullmatch(term):
        integer_part, fixed, repeating = match.groups()
        return Fraction(int(integer_part + fixed + repeating) - int(integer_part + fixed), (10 ** len(repeating) - 1) * 10 ** len(fixed))
    return sum((Fraction(part) for part in term.split()), Fraction(0))


def number_formula(term: str) -> str:
    """A formula of integers with that value."""
    if match := REPEATING.fullmatch(term):
        integer_part, fixed, repeating = match.groups()
        return f"({int(integer_part + fixed + repeating)} - {int(integer_part + fixed)}) / {'9' * len(repeating) + '0' * len(fixed)}"
    if "." in term:
        value = Fraction(term)
        return f"{value.numerator} / {value.denominator}"
    return term.replace(" ", " + ")
