"""Polynomials modulo a prime with few terms and huge exponents."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.core.rng import Rng
from rlgym.generators.algebra import polynomial_fields
from rlgym.generators.algebra.polynomial_fields import Coefficients

Terms = tuple[tuple[int, int], ...]  # exponents and coefficients, the highest exponent first


def power_of_x(exponent: int, modulus: Coefficients, prime: int) -> Coefficients:
    """The remainder of x^exponent, by repeated squaring."""
    out: Coefficients = (Fraction(1),)
    for bit in bin(exponent)[2:]:
        out = polynomial_fields.times(out, out, prime)
        out = polynomial_fields.divide((Fraction(0), *out) if bit == "1" else out, modulus, prime)[1]
    return out


def remainder(terms: Sequence[tuple[int, int]], modulus: Coefficients, prime: int) -> Coefficients:
    total: Coefficients = ()
    for exponent, coefficient in terms:
        total = polynomial_fields.plus(total, power_of_x(exponent, modulus, prime), prime, coefficient)
    return total


def sample_irreducible(rng: Rng, degree: int, prime: int) -> Coefficients:
    while True:
        coefficients = (*(rng.integer(0, prime - 1) for _ in range(degree)), 1)
        if polynomial_fields.is_irreducible(coefficients, prime):
            return polynomial_fields.normalize(coefficients, prime)


def sample_multiple(rng: Rng, quadratic: Coefficients, prime: int, largest: int) -> Terms | None:
    """x^n + b*x^m + c with b and c not 0 that is a multiple of an irreducible quadratic; None if the exponents drawn allow none."""
    high = rng.integer(largest // 2, largest)
    low = rng.integer(largest // 10, high - 1)
    (v, u), (z, w) = ([*power_of_x(exponent, quadratic, prime), Fraction(0), Fraction(0)][:2] for exponent in (high, low))
    if not w or not u:
        return None
    b = int(-u * pow(int(w), -1, prime) % prime)
    c = int(-(v + b * z) % prime)
    return ((high, 1), (low, b), (0, c)) if c else None
