"""Comparisons of rational functions: polynomials and quotients of them on two sides, made from the factors of their difference."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from rlgym.core.rng import Rng
from rlgym.generators.algebra import polynomials
from rlgym.generators.algebra.polynomials import Polynomial

FORMS = ("factored", "expanded", "quotient", "fractions")


@dataclass(frozen=True)
class Factor:
    """A polynomial that divides numerator and denominator this often each."""

    polynomial: Polynomial
    above: int
    below: int


def sample_linear(rng: Rng, count: int, largest: int, leading: int) -> list[Polynomial]:
    """Different polynomials of degree 1 without a common factor in their coefficients."""
    lines: list[Polynomial] = []
    while len(lines) < count:
        polynomial = (rng.integer(-largest, largest), rng.integer(1, leading))
        if gcd(*polynomial) == 1 and polynomial not in lines:
            lines.append(polynomial)
    return lines


def sample_quadratic(rng: Rng, largest: int, real: bool) -> Polynomial:
    """A monic polynomial of degree 2 with irrational roots, or with none."""
    while True:
        half, rest = rng.integer(-largest, largest), rng.integer(1, 3 * largest)
        if not real:
            return (half * half + rest, 2 * half, 1) if rng.chance(0.5) else (half * half + half + rest, 2 * half + 1, 1)
        if rest not in (1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144):
            return (half * half - rest, 2 * half, 1)


def format_product(factors: list[tuple[Polynomial, int]]) -> str:
    """The product as people write it: (x - 1)*(2*x + 3)^2."""
    shown = [f"({polynomials.text(factor)})" + (f"^{power}" if power > 1 else "") for factor, power in factors if power]
    return "*".join(shown) or "1"


def sample_sides(rng: Rng, scale: int, factors: list[Factor], form: str) -> tuple[str, str]:
    """Two expressions whose difference is scale times the product of the factors."""
    top = polynomials.product([(scale,), *(factor.polynomial for factor in factors for _ in range(factor.above))])
    parts = [factor.polynomial for factor in factors for _ in range(factor.below)]
    below = polynomials.product(parts)
    if form == "factored":
        above = format_product([(factor.polynomial, factor.above) for factor in factors])
        sign = {1: "", -1: "-"}.get(scale, f"{scale}*") + above
        divisor = format_product([(factor.polynomial, factor.below) for factor in factors])
        return f"{sign}/{divisor if len(parts) == 1 else f'({divisor})'}" if parts else sign, "0"
    if form == "fractions":
        cut = (len(parts) + 1) // 2
        left, right = polynomials.product(parts[:cut]), polynomials.product(parts[cut:])
        first, second = ((rng.integer(1, 9) * rng.choice((-1, 1)), *([rng.integer(-3, 3)] * rng.integer(0, 1))) for _ in range(2))
        numerator = polynomials.plus(top, polynomials.plus(polynomials.times(first, right), polynomials.times(second, left)))
        shown = [format_quotient(polynomials.plus(first, (0,)), left), format_quotient(polynomials.plus(second, (0,)), right)]
        return format_quotient(numerator, below), polynomials.join_terms([text for text in shown if text != "0"] or ["0"])
    rest: tuple[int, ...] = (rng.integer(-9, 9), rng.integer(-5, 5)) if form == "expanded" or rng.chance(0.5) else (0,)
    rest = polynomials.plus(rest, (0,))
    return format_quotient(polynomials.plus(top, polynomials.times(rest, below)), below), polynomials.text(rest)


def format_quotient(top: Polynomial, below: Polynomial) -> str:
    if below == (1,) or top == (0,):
        return polynomials.text(top)
    above = polynomials.text(top) if len(top) == 1 else f"({polynomials.text(top)})"
    return f"{above}/({polynomials.text(below)})"
