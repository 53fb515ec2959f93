"""Linear recurrences whose characteristic equation has integer roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from rlgym.answers import trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomials, sequences


def characteristic(weights: Sequence[int]) -> tuple[int, ...]:
    """The characteristic polynomial, from the constant term up."""
    return (*(-weight for weight in weights[::-1]), 1)


def roots(weights: Sequence[int]) -> dict[int, int]:
    """The integer roots of the characteristic equation, and how often each is one."""
    polynomial, multiplicities = characteristic(weights), dict[int, int]()
    for root in sorted(range(-40, 41), key=abs):
        while len(polynomial) > 1 and (rest := polynomials.divide_exactly(polynomial, (-root, 1))):
            polynomial, multiplicities[root] = rest, multiplicities.get(root, 0) + 1
    return multiplicities


def homogeneous_terms(weights: Sequence[int]) -> list[Tree]:
    """Terms in n that solve the homogeneous recurrence, one for each root."""
    return [sequences.power_term(root, k) for root, times in roots(weights).items() for k in range(times)]


def forcing_term(part: Tree, weights: Sequence[int], base: int) -> str:
    """What must be added to the recurrence so that `part` solves it."""
    terms = [sequences.power_term(base, 0)] if base != 1 else [trees.number(1), trees.Name("n")]
    forcing_values = [
        sequences.value(part, n) - sum(weight * sequences.value(part, n - i) for i, weight in enumerate(weights, 1)) for n in range(9)
    ]
    return trees.write(sequences.linear_combination(sequences.fit_coefficients(terms, forcing_values, 6), terms))


def next_value(weights: Sequence[int], forcing: str, before: Sequence[Fraction | int], n: int) -> Fraction:
    """The value at n after the given ones, the last one first."""
    return _next_value(weights, trees.read(forcing, sequences.GRAMMAR), before, n)


def _next_value(weights: Sequence[int], forcing: Tree, before: Sequence[Fraction | int], n: int) -> Fraction:
    return Fraction(sum(weight * value for weight, value in zip(weights, before)) + sequences.value(forcing, n))


@lru_cache(maxsize=256)
def sequence_values(weights: tuple[int, ...], forcing: str, opening: tuple[int, ...]) -> Sequence[Fraction]:
    """The values from 0 to sequences.FAR."""
    out, added = [Fraction(value) for value in opening], trees.read(forcing, sequences.GRAMMAR)
    while len(out) <= sequences.FAR:
        out.append(_next_value(weights, added, out[: -len(weights) - 1 : -1], len(out)))
    return tuple(out)


def solve_recurrence(
    weights: tuple[int, ...], forcing: str, base: int, opening: tuple[int, ...]
) -> tuple[Tree, list[Fraction], list[Tree]]:
    """A particular solution, and the terms of the homogeneous solution with their coefficients."""
    own = homogeneous_terms(weights)
    special = [] if forcing == "0" else [sequences.power_term(base, 0)] if base != 1 else [trees.number(1), trees.Name("n")]
    numbers = sequences.fit_coefficients([*own, *special], sequence_values(weights, forcing, opening))
    return sequences.linear_combination(numbers[len(own) :], special), numbers[: len(own)], own
