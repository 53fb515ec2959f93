"""Sine, cosine and arctangent of decimals, summed in fixed-point integers."""

from __future__ import annotations

from decimal import Context, Decimal
from math import isqrt

from rlgym.answers.trees.nodes import Undefined

BITS = 400
MOST_ANGLE = 10**15
_ONE = 1 << BITS
_WIDE = Context(prec=240)
_OUT = Context(prec=80)
_WHOLE = Decimal(_ONE)


def _inverse_arctan(x: int) -> int:
    """arctan(1/whole) as a fixed-point integer."""
    term = total = _ONE // x
    sign, odd = -1, 3
    while term:
        term //= x * x
        total += sign * (term // odd)
        sign, odd = -sign, odd + 2
    return total


_PI = 4 * (4 * _inverse_arctan(5) - _inverse_arctan(239))  # Machin's formula


def pi(digits: int) -> Decimal:
    """Pi, rounded."""
    return Context(prec=digits).divide(Decimal(_PI), _WHOLE)


def sin_of(angle: Decimal) -> Decimal:
    return _decimal(_sin_cos(angle)[0])


def cos_of(angle: Decimal) -> Decimal:
    return _decimal(_sin_cos(angle)[1])


def _sin_cos(angle: Decimal) -> tuple[int, int]:
    """Both, from the series of the angle's rest after whole quarter turns, halved four times for speed."""
    if abs(angle) > MOST_ANGLE:
        raise Undefined("the angle is too large")
    quarters, rest = divmod(_to_fixed_point(angle), _PI >> 1)
    small = rest >> 4
    square = small * small >> BITS
    sine, term, count = small, small, 1
    while term:
        term = (term * square >> BITS) // ((count + 1) * (count + 2))
        count += 2
        sine += -term if count % 4 == 3 else term
    cosine = isqrt(_ONE * _ONE - sine * sine)
    for _ in range(4):
        sine, cosine = sine * cosine >> (BITS - 1), (cosine * cosine - sine * sine) >> BITS
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[quarters % 4]


def arctan_of(tangent: Decimal) -> Decimal:
    """From the series of an eighth of the angle."""
    if abs(tangent) > 1:
        quarter = _WIDE.divide(Decimal(_PI), Decimal(_ONE << 1))
        rest = arctan_of(_WIDE.divide(Decimal(1), tangent))
        return _OUT.subtract(quarter.copy_sign(tangent), rest)
    value = _to_fixed_point(tangent)
    for _ in range(3):
        value = (value << BITS) // (_ONE + isqrt(_ONE * _ONE + value * value))
    square = -(value * value >> BITS)
    total, term, odd = value, value, 3
    while term not in (0, -1):
        term = term * square >> BITS
        total += term // odd
        odd += 2
    return _decimal(total << 3)


def _to_fixed_point(value: Decimal) -> int:
    return int(_WIDE.multiply(value, _WHOLE))


def _decimal(value: int) -> Decimal:
    return _OUT.divide(Decimal(value), _WHOLE)
