"""Formulas in which each letter occurs and nothing is joined with its equal."""

from __future__ import annotations

from rlgym.core.rng import Rng
from rlgym.generators.logic import formulas

CONNECTIVES = {"basic": ("and", "or"), "all": ("and", "or", "implies", "iff", "xor")}


def sample_formula(rng: Rng, count: int, connectives: tuple[str, ...]) -> formulas.Formula:
    """A formula in which each letter occurs and nothing is joined with itself or its negation."""
    while True:
        formula = formulas.random(rng, count, count, connectives)
        words = formulas.write(formula).replace("(", " ").replace(")", " ").split()
        if set(formulas.NAMES[:count]) <= set(words) and not _joins_equal_parts(formula):
            return formula


def _joins_equal_parts(formula: formulas.Formula) -> bool:
    bare = [part.parts[0] if part.head == "not" else part for part in formula.parts]
    return (len(bare) == 2 and bare[0] == bare[1]) or any(map(_joins_equal_parts, formula.parts))


def two(rng: Rng, names: str, distinct: bool) -> tuple[str, str]:
    first, second = rng.sample(names, 2)
    return (first, first) if not distinct and rng.chance(0.25) else (first, second)
