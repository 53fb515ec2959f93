"""Ingredients of recipes, with the units in which they are measured."""

from collections.abc import Mapping
from fractions import Fraction

UNITS: Mapping[str, str] = {
    "flour": "g", "sugar": "g", "butter": "g", "milk": "ml", "water": "ml", "honey": "spoons", "oil": "spoons", "salt": "drops",
    "rice": "g", "beans": "g", "cream": "ml", "vinegar": "spoons", "raisins": "g", "oats": "g", "juice": "ml", "nuts": "g",
}  # fmt: skip


def pantry_amount(name: str, amount: Fraction) -> int:
    """The nearest amount that a pantry may hold: tens of grams and millilitres, whole spoons and drops."""
    step = 10 if UNITS[name] in ("g", "ml") else 1
    return step * max(1, round(amount / step))


def written_unit(name: str, amount: Fraction) -> str:
    """The unit as it is written after an amount: 1 spoon, 1/2 spoon, 3/2 spoons."""
    return UNITS[name].removesuffix("s") if amount <= 1 else UNITS[name]
