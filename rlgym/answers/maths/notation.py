"""Rewrites notations of published answers in plain arithmetic: factorials, binomials, mixed numbers, powers of ten, degrees."""

from __future__ import annotations

import math
import re

from rlgym.answers.maths.published import functions
from rlgym.core.answer import Unreadable

MOST_FACTORIAL, MOST_BINOMIAL, MOST_DIGITS, MOST_ROUNDS = 200, 1000, 400, 20

_FACTORIAL = re.compile(r"(?<![A-Za-z0-9_.])([0-9]{1,4})\s?!(?![!=])|\(\s?([0-9]{1,400})\s?\)\s?!(?![!=])")
_BINOMIAL = re.compile(
    r"\\[dt]?binom\s?(?:\{\s?([0-9]{1,4})\s?\}|([0-9]))\s?(?:\{\s?([0-9]{1,4})\s?\}|([0-9]))"
    r"|\{\s?([0-9]{1,4})\s?\\choose\s?([0-9]{1,4})\s?\}|^([0-9]{1,4})\s?\\choose\s?([0-9]{1,4})$"
)
_FRACTION = r"\\[dt]?frac\s?(?:\{\s?([0-9]{1,12})\s?\}|([0-9]))\s?(?:\{\s?([0-9]{1,12})\s?\}|([0-9]))"
_MIXED = re.compile(rf"(?<![A-Za-z0-9_.^/)}}\]])([0-9]{{1,12}})\s?{_FRACTION}(?!\s?\^)")
_MIXED_PLAIN = re.compile(r"(?<![A-Za-z0-9_.^/)}\]])(?<![0-9] )([0-9]{1,12})\s([0-9]{1,12})\s?/\s?([0-9]{1,12})(?![0-9.]|\s?[\^!/])")
_TIMES_TEN = re.compile(
    r"(?<![A-Za-z0-9_.\\])([0-9]{1,40}(?:\.[0-9]{1,40})?|\.[0-9]{1,40})(?:E([+-]?[0-9]{1,3})|e([0-9]{1,3}))(?![A-Za-z0-9_.])"
)
_SIGNED_EXPONENT = re.compile(r"(?<![A-Za-z0-9_.\\])([0-9]{1,40}(?:\.[0-9]{1,40})?|\.[0-9]{1,40})e([+-][0-9]{1,3})(?![A-Za-z0-9_.])")
_INFINITY = re.compile(r"(?<![A-Za-z\\])(?:inf|infty|Inf|Infinity)(?![A-Za-z])")
_ANGLE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?|[A-Za-z]|\)|\})\s?°")
_TRIGONOMETRIC = re.compile(r"(?:sin|cos|tan|cot|sec|csc)(?![a-z])")


def plain_arithmetic(text: str) -> str:
    """An expression without factorials and binomials of numbers, mixed numbers, powers of ten as `1e3`, and names of infinity.

    `1\\frac12` is one and a half: an integer directly before a proper fraction of digits. `2e3` is 2000, whereas `2e-3` stays an expression
    in the constant e: see `with_exponents`. Unreadable for numbers of more than 400 digits.
    """
    text = _INFINITY.sub("infinity", functions(text))
    text = _BINOMIAL.sub(_binomial, text)
    if "!" in text:
        text = _without_factorials(text)
    text = _MIXED.sub(lambda match: _mixed_number(match, match[1], match[2] or match[3], match[4] or match[5]), text)
    text = _MIXED_PLAIN.sub(lambda match: _mixed_number(match, match[1], match[2], match[3]), text)
    return _TIMES_TEN.sub(lambda match: _times_ten(match[1], match[2] or match[3]), text)


def with_exponents(text: str) -> str:
    """A text in which `1.5e-3` stands for 0.0015: a letter e between a number and a signed integer, without spaces, marks an exponent."""
    return _SIGNED_EXPONENT.sub(lambda match: _times_ten(match[1], match[2]), text)


def in_radians(text: str) -> str | None:
    """An expression of trigonometric functions with its angles in radians; None where none of them is given in degrees."""
    if "°" not in text or not _TRIGONOMETRIC.search(text):
        return None
    return _ANGLE.sub(_radians, text).replace("°", " ")


def _radians(match: re.Match[str]) -> str:
    closing = match[1] in (")", "}")
    return f"{match[1]}*(pi/180)" if closing else f"({match[1]}*pi/180)"


def _binomial(match: re.Match[str]) -> str:
    above, below = (int(part) for part in match.groups() if part is not None)
    if above > MOST_BINOMIAL:
        raise Unreadable(f"expected a binomial coefficient of at most {MOST_BINOMIAL}")
    return f" ({_digits(math.comb(above, below))}) "


def _without_factorials(text: str) -> str:
    for _ in range(MOST_ROUNDS):
        replaced = _FACTORIAL.sub(_factorial, text)
        if replaced == text:
            return text
        text = replaced
    raise Unreadable("expected fewer nested factorials")


def _factorial(match: re.Match[str]) -> str:
    value = int(match[1] or match[2])
    if value > MOST_FACTORIAL:
        raise Unreadable(f"expected a factorial of at most {MOST_FACTORIAL}")
    return f"({_digits(math.factorial(value))})"


def _digits(value: int) -> str:
    text = str(value)
    if len(text) > MOST_DIGITS:
        raise Unreadable(f"expected a number of at most {MOST_DIGITS} digits")
    return text


def _mixed_number(match: re.Match[str], whole: str, above: str, below: str) -> str:
    return f"({whole}+{above}/{below})" if 0 < int(above) < int(below) else match[0]


def _times_ten(mantissa: str, exponent: str) -> str:
    return f"({mantissa}*10^({exponent.removeprefix('+')}))"
