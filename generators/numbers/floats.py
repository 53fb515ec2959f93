"""Floating-point numbers with any number of exponent and fraction bits, as exact fractions."""

from fractions import Fraction

from rlgym.core.rng import Rng


def binary_exponent(value: Fraction, e: int) -> int:
    """The exponent of the largest power of two that is not above the number, but not below the least of normal floats."""
    size = abs(value)
    power = size.numerator.bit_length() - size.denominator.bit_length()
    power -= Fraction(2) ** power > size
    return max(power, 2 - (1 << e - 1))


def decode_magnitude(code: int, e: int, f: int) -> Fraction:
    """The value of the exponent and fraction bits, read as one number."""
    field, fraction = code >> f, code & 2**f - 1
    bias = 2 ** (e - 1) - 1
    value: Fraction = (2**f * bool(field) + fraction) * Fraction(2) ** (max(field, 1) - bias - f)
    return value


def decode_float(bits: str, e: int, f: int) -> Fraction:
    """The value of a float."""
    return decode_magnitude(int(bits[1:], 2), e, f) * (-1 if bits[0] == "1" else 1)


def sample_bits(rng: Rng, e: int, f: int, low: int, high: int) -> str:
    """A random float whose exponent field lies in a range."""
    return f"{rng.integer(0, 1)}{rng.integer(low, high):0{e}b}{rng.integer(1, 2**f - 1):0{f}b}"
