"""Complex constants: expressions of numbers, i, roots of negative numbers and powers of e, compared by their real and imaginary parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from fractions import Fraction

from rlgym.answers.trees import Apply, Name, Number, Tree, Undefined, value, walk
from rlgym.answers.trees.series import cos_of, sin_of

UNIT = "i"
MOST_POWER, MOST_BITS = 1000, 8000
LARGEST, NEAR = Decimal("1e15"), Decimal("1e-40")
_CONTEXT = Context(prec=80, traps=[InvalidOperation, DivisionByZero, Overflow])

Part = Fraction | Decimal


@dataclass(frozen=True)
class Complex:
    """A complex number: exact fractions where it is rational, else decimals of about 80 digits."""

    real: Part
    imaginary: Part

    @property
    def exact(self) -> bool:
        return isinstance(self.real, Fraction) and isinstance(self.imaginary, Fraction)


def is_complex_constant(tree: Tree) -> bool:
    """Whether i, or the square root of a negative number, occurs in a tree whose only other names are pi and e."""
    nodes = list(walk(tree))
    names = {node.text for node in nodes if isinstance(node, Name)} - {"pi", "e"}
    rooted = any(isinstance(node, Apply) and node.head == "sqrt" and _is_negative(node.parts[0]) for node in nodes)
    return names == {UNIT} or (not names and rooted)


def same_complex(expected: Tree, given: Tree) -> bool:
    """Whether two complex constants are equal: exactly for rational parts, else to 40 decimal places of numbers below 1e15."""
    try:
        one, other = evaluate(expected), evaluate(given)
    except ArithmeticError:
        return False
    if one.exact and other.exact:
        return one == other
    pairs = ((one.real, other.real), (one.imaginary, other.imaginary))
    parts = [(_decimal(first), _decimal(second)) for first, second in pairs]
    if any(part.copy_abs() > LARGEST for pair in parts for part in pair):
        return False
    return all(_CONTEXT.subtract(first, second).copy_abs() < NEAR for first, second in parts)


def evaluate(tree: Tree) -> Complex:
    """The value of a complex constant; an ArithmeticError where it has none, or one out of bounds."""
    if isinstance(tree, Number):
        return Complex(tree.value, Fraction(0))
    if isinstance(tree, Name):
        return Complex(Fraction(0), Fraction(1)) if tree.text == UNIT else Complex(value(tree), Decimal(0))
    if len(tree.parts) == 1:
        return _FUNCTIONS.get(tree.head, _real_function)(tree)
    left = evaluate(tree.parts[0])
    if tree.head == "^":
        if tree.parts[0] == Name("e"):
            return _exponential(evaluate(tree.parts[1]))
        return _power(tree, left)
    right = evaluate(tree.parts[1])
    return _require_bounds(_OPERATIONS[tree.head](left, right))


def _is_negative(tree: Tree) -> bool:
    try:
        return value(tree) < 0
    except ArithmeticError:
        return False


def _decimal(part: Part) -> Decimal:
    if isinstance(part, Decimal):
        return part
    return _CONTEXT.divide(Decimal(part.numerator), Decimal(part.denominator))


def _sum(first: Part, second: Part) -> Part:
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first + second
    return _CONTEXT.add(_decimal(first), _decimal(second))


def _negate(part: Part) -> Part:
    return part.copy_negate() if isinstance(part, Decimal) else -part


def _product(first: Part, second: Part) -> Part:
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first * second
    return _CONTEXT.multiply(_decimal(first), _decimal(second))


def _add(left: Complex, right: Complex) -> Complex:
    return Complex(_sum(left.real, right.real), _sum(left.imaginary, right.imaginary))


def _subtract(left: Complex, right: Complex) -> Complex:
    return _add(left, Complex(_negate(right.real), _negate(right.imaginary)))


def _multiply(left: Complex, right: Complex) -> Complex:
    real = _sum(_product(left.real, right.real), _negate(_product(left.imaginary, right.imaginary)))
    return Complex(real, _sum(_product(left.real, right.imaginary), _product(left.imaginary, right.real)))


def _divide(left: Complex, right: Complex) -> Complex:
    square = _sum(_product(right.real, right.real), _product(right.imaginary, right.imaginary))
    if not square:
        raise Undefined("division by zero")
    above = _multiply(left, Complex(right.real, _negate(right.imaginary)))
    if above.exact and isinstance(square, Fraction):
        return Complex(Fraction(above.real) / square, Fraction(above.imaginary) / square)
    below = _decimal(square)
    return Complex(_CONTEXT.divide(_decimal(above.real), below), _CONTEXT.divide(_decimal(above.imaginary), below))


_OPERATIONS: dict[str, Callable[[Complex, Complex], Complex]] = {"+": _add, "-": _subtract, "*": _multiply, "/": _divide}


def _power(tree: Apply, base: Complex) -> Complex:
    exponent = evaluate(tree.parts[1])
    if exponent.imaginary or not isinstance(exponent.real, Fraction) or exponent.real.denominator != 1:
        if base.imaginary or exponent.imaginary:
            raise Undefined("a power of a complex number is supported for integer exponents only")
        return Complex(value(tree), Decimal(0))
    power = int(exponent.real)
    if abs(power) > MOST_POWER or (not power and not base.real and not base.imaginary):
        raise Undefined("the power has no value, or is too large")
    result, square = Complex(Fraction(1), Fraction(0)), base
    for bit in bin(abs(power))[:1:-1]:
        if bit == "1":
            result = _require_bounds(_multiply(result, square))
        square = _require_bounds(_multiply(square, square)) if abs(power) > 1 else square
    return _divide(Complex(Fraction(1), Fraction(0)), result) if power < 0 else result


def _exponential(exponent: Complex) -> Complex:
    size = value(Apply("exp", (Number(Fraction(_decimal(exponent.real))),))) if exponent.real else Decimal(1)
    angle = _decimal(exponent.imaginary)
    return Complex(_CONTEXT.multiply(size, cos_of(angle)), _CONTEXT.multiply(size, sin_of(angle)))


def _negative(tree: Apply) -> Complex:
    inner = evaluate(tree.parts[0])
    return Complex(_negate(inner.real), _negate(inner.imaginary))


def _root(tree: Apply) -> Complex:
    inner = evaluate(tree.parts[0])
    if inner.imaginary:
        raise Undefined("the square root of a complex number is not supported")
    size = _CONTEXT.sqrt(_decimal(inner.real).copy_abs())
    return Complex(Decimal(0), size) if inner.real < 0 else Complex(size, Decimal(0))


def _modulus(tree: Apply) -> Complex:
    inner = evaluate(tree.parts[0])
    square = _sum(_product(inner.real, inner.real), _product(inner.imaginary, inner.imaginary))
    return Complex(_CONTEXT.sqrt(_decimal(square)), Decimal(0))


def _real_function(tree: Apply) -> Complex:
    return Complex(value(tree), Decimal(0))


_FUNCTIONS: dict[str, Callable[[Apply], Complex]] = {
    "neg": _negative,
    "sqrt": _root,
    "abs": _modulus,
    "exp": lambda tree: _exponential(evaluate(tree.parts[0])),
}


def _require_bounds(number: Complex) -> Complex:
    for part in (number.real, number.imaginary):
        if isinstance(part, Fraction) and part.numerator.bit_length() + part.denominator.bit_length() > MOST_BITS:
            raise Undefined("the value is too large")
        if isinstance(part, Decimal) and part.copy_abs() > LARGEST:
            raise Undefined("the value is too large")
    return number
