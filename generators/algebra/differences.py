"""Newton's divided differences through points some of which have a slope too, and polynomials in the steps of Newton."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import factorial

from rlgym.generators.algebra import polynomial_fields
from rlgym.generators.algebra.polynomial_fields import Coefficients

Table = dict[tuple[int, int], Fraction]


def divided_differences(at: Sequence[int], values: Sequence[Fraction | int]) -> Table:
    """The differences from place i to place j. Where a place of `at` equals the one before, `wanted` holds the slope there."""
    table: Table = {}
    for j in range(len(at)):
        repeated = j > 0 and at[j] == at[j - 1]
        table[j, j] = table[j - 1, j - 1] if repeated else Fraction(values[j])
        for i in range(j - 1, -1, -1):
            table[i, j] = Fraction(values[j]) if at[i] == at[j] else (table[i + 1, j] - table[i, j - 1]) / (at[j] - at[i])
    return table


def newton_polynomial(at: Sequence[int], table: Table) -> Coefficients:
    """The polynomial that Newton's form of the first row stands for."""
    polynomial: Coefficients = ()
    product: Coefficients = (Fraction(1),)
    for j, place in enumerate(at):
        polynomial = polynomial_fields.plus(polynomial, product, 0, table[0, j])
        product = polynomial_fields.times(product, (Fraction(-place), Fraction(1)), 0)
    return polynomial


def forward_differences(polynomial: Sequence[int]) -> list[int]:
    """The integers c_k with p(n) = sum of c_k * binomial(n, k): the forward differences at 0."""
    row = [sum(a * n**i for i, a in enumerate(polynomial)) for n in range(len(polynomial))]
    out = []
    while row:
        out.append(row[0])
        row = [b - a for a, b in pairwise(row)]
    return out


def from_forward_differences(values: Sequence[int]) -> Coefficients:
    """The polynomial with these forward differences at 0."""
    polynomial: Coefficients = ()
    product: Coefficients = (Fraction(1),)
    for k, step in enumerate(values):
        polynomial = polynomial_fields.plus(polynomial, product, 0, Fraction(step, factorial(k)))
        product = polynomial_fields.times(product, (Fraction(-k), Fraction(1)), 0)
    return polynomial
