"""Polynomials in one variable with integer coefficients, as tuples from the constant term up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from rlgym.core.rng import Rng

Polynomial = tuple[int, ...]


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    out = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        if a:
            for j, b in enumerate(right):
                out[i + j] += a * b
    return tuple(out)


def product(factors: list[Polynomial]) -> Polynomial:
    expanded: Polynomial = (1,)
    for factor in factors:
        expanded = times(expanded, factor)
    return expanded


def plus(left: Polynomial, right: Polynomial) -> Polynomial:
    size = max(len(left), len(right))
    out = [a + b for a, b in zip([*left, *[0] * (size - len(left))], [*right, *[0] * (size - len(right))])]
    while len(out) > 1 and not out[-1]:
        out.pop()
    return tuple(out)


def value(polynomial: Polynomial, x: Fraction) -> Fraction:
    """The value at a rational point, by Horner's rule in integers."""
    top, scale = 0, 1
    for coefficient in reversed(polynomial):
        top = top * x.numerator + coefficient * scale
        scale *= x.denominator
    return Fraction(top * x.denominator, scale)


def divide_exactly(dividend: Polynomial, part: Polynomial) -> Polynomial | None:
    """whole / part where that is a polynomial with integer coefficients, else None."""
    rest, out = list(dividend), [0] * max(1, len(dividend) - len(part) + 1)
    for i in range(len(dividend) - len(part), -1, -1):
        out[i], remainder = divmod(rest[i + len(part) - 1], part[-1])
        if remainder:
            return None
        for j, b in enumerate(part):
            rest[i + j] -= out[i] * b
    return None if any(rest) else tuple(out)


def content(polynomial: Polynomial) -> int:
    """The greatest common divisor of the coefficients, with the sign of the leading one."""
    common = gcd(*polynomial)
    return -common if polynomial[-1] < 0 else common


def horner_text(coefficients: Polynomial) -> str:
    """A polynomial in Horner's form, such as `(2*x + 3)*x - 5`."""
    written = str(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        product = f"({written})*x" if " " in written else "x" if written == "1" else f"{written}*x"
        written = f"{product} {'-' if coefficient < 0 else '+'} {abs(coefficient)}" if coefficient else product
    return written


def text(polynomial: Sequence[Fraction | int], name: str = "x") -> str:
    """The polynomial as people write it, highest power first: `2*x^3 - x + 5`."""
    out = ""
    for power in range(len(polynomial) - 1, -1, -1):
        coefficient = polynomial[power]
        if not coefficient:
            continue
        letters = name if power == 1 else f"{name}^{power}" if power else ""
        size = "" if abs(coefficient) == 1 and power else str(abs(coefficient))
        term = "*".join(filter(None, (size, letters)))
        out += f" {'-' if coefficient < 0 else '+'} {term}" if out else f"{'-' if coefficient < 0 else ''}{term}"
    return out or "0"


def sample_unexpanded(rng: Rng, polynomial: Polynomial, products: int) -> str:
    """The polynomial as a sum of products of random polynomials and of what is then left."""
    texts = []
    for _ in range(products):
        first = (*(rng.integer(-5, 5) for _ in range(rng.integer(1, max(1, len(polynomial) - 2)))), rng.integer(1, 3))
        second = (*(rng.integer(-5, 5) for _ in range(max(0, len(polynomial) - len(first)))), rng.integer(1, 3))
        texts.append(f"({text(first)})*({text(second)})")
        polynomial = plus(polynomial, tuple(-a for a in times(first, second)))
    return join_terms([*texts, text(polynomial)] if any(polynomial) else texts)


def join_terms(texts: list[str]) -> str:
    """The terms as a sum; a minus sign in front of a term becomes a difference."""
    first, *rest = texts
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in rest)


def sample_irreducible(rng: Rng, degree: int, largest: int, leading: int) -> Polynomial:
    """A random polynomial of that degree, irreducible over the integers: it has no factor modulo some small prime."""
    while True:
        drawn = (*(rng.integer(-largest, largest) for _ in range(degree)), rng.integer(1, leading))
        if gcd(*drawn) == 1 and drawn[0] and (degree == 1 or any(drawn[-1] % p and _prime_modulo(drawn, p) for p in (5, 7, 11, 13))):
            return drawn


def _prime_modulo(polynomial: Polynomial, p: int) -> bool:
    """Rabin's test for degrees 2 to 5: no common factor with x^(p^k) - x for any k up to half the degree."""
    degree = len(polynomial) - 1
    unit = pow(polynomial[-1], -1, p)
    monic = [c * unit % p for c in polynomial]
    power = [0, 1]
    for _ in range(degree // 2):
        power = _power_modulo(power, p, monic, p)
        rest = _trim([(a - (i == 1)) % p for i, a in enumerate([*power, 0, 0])])
        if len(_common(monic, rest, p)) > 1:
            return False
    return True


def _power_modulo(base: list[int], exponent: int, modulus: list[int], p: int) -> list[int]:
    out = [1]
    while exponent:
        if exponent & 1:
            out = _rest(_times_modulo(out, base, p), modulus, p)
        base = _rest(_times_modulo(base, base, p), modulus, p)
        exponent >>= 1
    return out


def _times_modulo(left: list[int], right: list[int], p: int) -> list[int]:
    out = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            out[i + j] = (out[i + j] + a * b) % p
    return out


def _rest(dividend: list[int], part: list[int], p: int) -> list[int]:
    rest = dividend[:]
    unit = pow(part[-1], -1, p)
    while len(rest) >= len(part):
        scale = rest[-1] * unit % p
        shift = len(rest) - len(part)
        for j, b in enumerate(part):
            rest[shift + j] = (rest[shift + j] - scale * b) % p
        rest.pop()
    return _trim(rest)


def _trim(coefficients: list[int]) -> list[int]:
    out = coefficients[:]
    while out and not out[-1]:
        out.pop()
    return out


def _common(left: list[int], right: list[int], p: int) -> list[int]:
    while right:
        left, right = right, _rest(left, right, p)
    return left
