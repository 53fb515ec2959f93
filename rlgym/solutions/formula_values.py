"""The value of a formula in a text for a prover, with bounds of what it is when multiplied out.

The limits of a prover on time and resources stop its search, and not a single product of numbers or polynomials.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import Any

MOST_EXPONENT = 12
MOST_TERMS = 1_000
MOST_BITS = 2_000
"""A formula with a higher degree, more terms or more bits in a coefficient when it is multiplied out is no claim."""


class NoFormula(Exception):
    """The tokens are no formula, or one that is too large."""


@dataclass(frozen=True)
class FormulaValue:
    """An expression of the prover, None where only the form is checked, with bounds of what it is when multiplied out."""

    expression: Any
    degree: int = 0
    terms: int = 1
    bits: int = 1

    def __post_init__(self) -> None:
        if self.degree > MOST_EXPONENT or self.terms > MOST_TERMS or self.bits > MOST_BITS:
            raise NoFormula

    def plus(self, other: FormulaValue, sign: str) -> FormulaValue:
        """The sum, or the difference. The bits of fractions add up, since their denominators are multiplied."""
        bounds = max(self.degree, other.degree), self.terms + other.terms, self.bits + other.bits + 1
        if self.expression is None:
            return FormulaValue(None, *bounds)
        return FormulaValue(self.expression + other.expression if sign == "+" else self.expression - other.expression, *bounds)

    def times(self, other: FormulaValue, sign: str = "*") -> FormulaValue:
        """The product, or the quotient."""
        terms = self.terms * other.terms
        bounds = self.degree + other.degree, terms, self.bits + other.bits + min(self.terms, other.terms).bit_length()
        if self.expression is None:
            return FormulaValue(None, *bounds)
        return FormulaValue(self.expression / other.expression if sign == "/" else self.expression * other.expression, *bounds)

    def power(self, exponent: int) -> FormulaValue:
        """A power of n times itself, which has as many terms as there are ways to choose n of the terms."""
        terms = comb(exponent + self.terms - 1, exponent)
        bounds = self.degree * exponent, terms, max(1, (self.bits + self.terms.bit_length()) * exponent)
        out = FormulaValue(None, *bounds)
        if self.expression is None:
            return out
        product = self.expression
        for _ in range(exponent - 1):
            product = product * self.expression
        return replace(out, expression=product if exponent else product * 0 + 1)
