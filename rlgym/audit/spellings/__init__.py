"""Pairs of answers, equal and not, by construction: what an equivalence checker must accept and refuse.

Each type of answer has a function that makes one expected answer and a list of (text, whether it is equal). Equal ones are the same value
spelled or computed in another way; unequal ones are near misses: a sign, an end, a digit, an order, a unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rlgym import Rng
from rlgym.audit.spellings.collections import intervals, matrices, sets, tuples
from rlgym.audit.spellings.discrete import booleans, choices, json_objects, lists, names
from rlgym.audit.spellings.formulas import antiderivatives, equations, expressions, polynomials
from rlgym.audit.spellings.notation import Pairs
from rlgym.audit.spellings.published import (
    angles,
    binomials,
    complex_numbers,
    factorials,
    infinities,
    mixed_numbers,
    nested_lists,
    percent_fractions,
    powers_of_ten,
)
from rlgym.audit.spellings.read_as import alternatives, logarithms, options, recurring_decimals
from rlgym.audit.spellings.scalars import assignments, fractions, integers, percentages, surds, units

Maker = Callable[[Rng], Pairs]

MATHS: dict[str, Maker] = {
    "integers": integers, "fractions": fractions, "surds": surds, "intervals": intervals, "sets": sets, "tuples": tuples, "matrices": matrices,
    "polynomials": polynomials, "expressions": expressions, "antiderivatives": antiderivatives, "units": units, "percentages": percentages,
    "equations": equations,
}  # fmt: skip
"""Types of mathematical answers."""

TYPES: dict[str, Maker] = {
    **MATHS, "assignments": assignments, "choices": choices, "booleans": booleans, "names": names, "lists": lists, "json": json_objects,
}  # fmt: skip
"""All types of answers."""

PUBLISHED: dict[str, Maker] = {
    "factorials": factorials, "binomials": binomials, "mixed_numbers": mixed_numbers, "angles": angles, "infinities": infinities,
    "powers_of_ten": powers_of_ten, "complex_numbers": complex_numbers, "nested_lists": nested_lists, "percent_fractions": percent_fractions,
    "recurring_decimals": recurring_decimals, "logarithms": logarithms, "alternatives": alternatives, "options": options,
}  # fmt: skip
"""Notations of published answers, which `rlgym.answers.maths.equivalent` reads. `percent_fractions` needs `percent_as_fraction`."""

DOMAINS = {
    **dict.fromkeys(("integers", "fractions", "percentages"), "arithmetic"),
    **dict.fromkeys(
        ("surds", "intervals", "sets", "tuples", "matrices", "polynomials", "expressions", "equations", "assignments"), "algebra"
    ),
    "antiderivatives": "calculus",
    "units": "science",
    **dict.fromkeys(("choices", "booleans", "names"), "questions"),
    **dict.fromkeys(("lists", "json"), "data"),
}
"""The domain of each type."""


def pairs(kind: str, count: int, seed: int = 0) -> Iterator[tuple[str, str, bool]]:
    """`count` triples (expected, given, whether they are equal) of a type or notation, in the order in which it makes them."""
    made, number = 0, 0
    while made < count:
        expected, others = (TYPES | PUBLISHED)[kind](Rng("spellings", kind, seed, number))
        number += 1
        for given, equal in others[: count - made]:
            made += 1
            yield expected, given, equal
