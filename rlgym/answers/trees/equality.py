"""Decides whether two expressions are the same function, soundly and in bounded time.

Rational functions are compared as elements of a large prime field, the rest in 80-digit decimal arithmetic. Both are
evaluated at points that come from a hash of the answer itself, so that no answer can be made to fit the points.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from fractions import Fraction

from rlgym.answers.trees.nodes import Name, Number, Tree, Undefined, exact, walk
from rlgym.answers.trees.series import arctan_of, cos_of, pi, sin_of
from rlgym.answers.trees.writer import write

PRIME = (1 << 127) - 1
DIGITS = 80
MOST_POWER = 10_000
LOW, HIGH = Decimal("1e-25"), Decimal("1e60")
CANCELLED = Decimal("1e-60")
AGREED = Decimal("1e-50")
RANGES = ((2, 7), (7, 13), (13, 25), (40, 90))
"""Tenths between which the points of real functions lie; the last lies far out and is left out where the values explode."""

_CONTEXT = Context(prec=DIGITS, traps=[InvalidOperation, DivisionByZero, Overflow])
_CONSTANTS = {"pi": pi(DIGITS), "e": _CONTEXT.exp(Decimal(1))}


def same(expected: Tree, answer: Tree) -> bool:
    """Whether two expressions agree wherever all their names stand for positive numbers and `expected` has a value.

    A removable gap does not count: (x^2 - 1)/(x - 1) is x + 1. An expression without a value anywhere equals nothing.
    """
    if expected == answer:
        return True
    names = sorted({node.text for tree in (expected, answer) for node in walk(tree) if isinstance(node, Name)} - set(_CONSTANTS))
    draws = _draws(answer)
    if _is_rational(expected) and _is_rational(answer):
        point = {name: next(draws) % PRIME for name in names}
        try:
            return _residue(expected, point) == _residue(answer, point)
        except Undefined:
            return False
    return _agree(expected, answer, names, draws)


def value(tree: Tree) -> Decimal:
    """A tree without variables to about 80 digits; an ArithmeticError where it has no value, or an enormous or a tiny one."""
    return _real(tree, {}, {})


def _draws(tree: Tree) -> Iterator[int]:
    """Integers below 2**256 that depend on the whole answer."""
    text = write(tree).encode()
    count = 0
    while True:
        yield int.from_bytes(hashlib.sha256(b"%d:%s" % (count, text)).digest(), "big")
        count += 1


def _is_rational(tree: Tree) -> bool:
    if isinstance(tree, Number):
        return True
    if isinstance(tree, Name):
        return tree.text not in _CONSTANTS
    if tree.head == "^":
        return _power(tree.parts[1]) is not None and _is_rational(tree.parts[0])
    return tree.head in ("+", "-", "*", "/", "neg") and all(map(_is_rational, tree.parts))


def _power(tree: Tree) -> int | None:
    """The integer that an exponent is, where it is one of a fair size."""
    if isinstance(tree, Number):
        value = tree.value
    else:
        try:
            value = exact(tree, max_bits=200)
        except Undefined:
            return None
    return int(value) if value.denominator == 1 and abs(value) <= MOST_POWER else None


def _residue(tree: Tree, point: dict[str, int]) -> int:
    """The value of a rational function in the field of PRIME elements."""
    if isinstance(tree, Number):
        value = tree.value
        return value.numerator % PRIME if value.denominator == 1 else value.numerator * _inverse(value.denominator) % PRIME
    if isinstance(tree, Name):
        return point[tree.text]
    head, parts = tree.head, tree.parts
    left = _residue(parts[0], point)
    if head == "neg":
        return -left % PRIME
    if head == "^":
        power = _power(parts[1])
        assert power is not None
        if not left and power <= 0:
            raise Undefined("zero to a power that is not positive")
        return pow(left, power, PRIME)
    right = _residue(parts[1], point)
    if head == "+":
        return (left + right) % PRIME
    if head == "-":
        return (left - right) % PRIME
    return left * (right if head == "*" else _inverse(right)) % PRIME


def _inverse(value: int) -> int:
    if not value % PRIME:
        raise Undefined("division by zero")
    return pow(value, -1, PRIME)


def _agree(expected: Tree, answer: Tree, names: list[str], draws: Iterator[int]) -> bool:
    tried = 0
    for low, high in RANGES:
        span = (high - low) * 10**11
        point = {name: _CONTEXT.scaleb(Decimal(low * 10**11 + next(draws) % span), -12) for name in names}
        known: dict[tuple[str, Decimal], Decimal] = {}
        try:
            right = _real(expected, point, known)
        except (Undefined, ArithmeticError):
            continue
        try:
            if not _is_close(right, _real(answer, point, known)):
                return False
        except (Undefined, ArithmeticError):
            # Far out, steps of another order of working out may leave the range; three points that agree are enough then.
            return tried == len(RANGES) - 1
        tried += 1
    return tried >= 2


def _is_close(first: Decimal, second: Decimal) -> bool:
    return _CONTEXT.subtract(first, second).copy_abs() <= _CONTEXT.multiply(AGREED, _larger(first, second))


def _larger(first: Decimal, second: Decimal) -> Decimal:
    # Never abs() or a minus sign: they round to the digits of the thread's own context.
    return max(first.copy_abs(), second.copy_abs())


def _real(tree: Tree, point: dict[str, Decimal], known: dict[tuple[str, Decimal], Decimal]) -> Decimal:
    """The value to about 80 digits. Only a sum may be tiny, so that no term is negligible compared with another."""
    if isinstance(tree, Name):
        if tree.text not in point and tree.text not in _CONSTANTS:
            raise Undefined(f"{tree.text} has no value")
        return point[tree.text] if tree.text in point else _CONSTANTS[tree.text]
    if isinstance(tree, Number):
        return _require_range(_quotient(tree.value), not tree.value)
    head, parts = tree.head, tree.parts
    left = _real(parts[0], point, known)
    if len(parts) == 1:
        if head == "neg":
            return left.copy_negate()
        if (value := known.get((head, left))) is None:
            value = known[head, left] = _FUNCTIONS[head](left)
        return _require_range(value, False) if head == "exp" or value.copy_abs() > CANCELLED else Decimal(0)
    if head == "^":
        return _raised(left, parts[1], point, known)
    right = _real(parts[1], point, known)
    if head == "*":
        return _require_range(_CONTEXT.multiply(left, right), not left or not right)
    if head == "/":
        return _require_range(_CONTEXT.divide(left, right), not left)
    total = _CONTEXT.add(left, right) if head == "+" else _CONTEXT.subtract(left, right)
    return Decimal(0) if total.copy_abs() < _CONTEXT.multiply(CANCELLED, _larger(left, right)) else total


def _require_range(value: Decimal, may_be_zero: bool) -> Decimal:
    if LOW <= value.copy_abs() <= HIGH or (may_be_zero and not value):
        return value
    raise Undefined("a value is too small or too large")


def _quotient(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def _raised(base: Decimal, exponent: Tree, point: dict[str, Decimal], known: dict[tuple[str, Decimal], Decimal]) -> Decimal:
    power = _power(exponent)
    if power is not None:
        if not base and power <= 0:
            raise Undefined("zero to a power that is not positive")
        return _require_range(_CONTEXT.power(base, power), not base)
    if base <= 0:
        raise Undefined("a fractional power of a number that is not positive")
    return _require_range(_CONTEXT.power(base, _real(exponent, point, known)), False)


def _tan(value: Decimal) -> Decimal:
    return _CONTEXT.divide(sin_of(value), cos_of(value))


_FUNCTIONS: dict[str, Callable[[Decimal], Decimal]] = {
    "sin": sin_of,
    "cos": cos_of,
    "tan": _tan,
    "arctan": arctan_of,
    "exp": _CONTEXT.exp,
    "ln": lambda value: _CONTEXT.ln(value) if value > 0 else _raise_undefined_logarithm(),
    "sqrt": _CONTEXT.sqrt,
    "abs": Decimal.copy_abs,
}


def _raise_undefined_logarithm() -> Decimal:
    raise Undefined("ln of a number that is not positive")
