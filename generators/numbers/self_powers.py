"""Powers x^x modulo a number, and towers base^(x^x)."""

from functools import lru_cache
from math import gcd, lcm

from rlgym.generators.numbers.factors import factorize


def period(modulus: int) -> int:
    """A number after which x^x modulo the modulus repeats, for all x that are not very small."""
    exponents = [
        1 if p == 2 and e == 1 else 2 if p == 2 and e == 2 else p ** (e - 2) if p == 2 else (p - 1) * p ** (e - 1)
        for p, e in factorize(modulus)
    ]
    return lcm(modulus, *exponents)


def tower_remainder(base: int, modulus: int, x: int) -> int:
    """base^(x^x) modulo the modulus, which has no factor in common with the base: x is multiplied by itself x times."""
    cycle = _powers(base % modulus, modulus)
    order = len(cycle)
    powers = _powers(x % order, order) if gcd(x, order) == 1 else ()
    return cycle[powers[x % len(powers)] if powers else pow(x, x, order)]


@lru_cache(maxsize=256)
def _powers(base: int, modulus: int) -> tuple[int, ...]:
    """The powers of a number that is coprime to the modulus, until they repeat."""
    out = [1 % modulus]
    while (following := out[-1] * base % modulus) != out[0]:
        out.append(following)
    return tuple(out)
