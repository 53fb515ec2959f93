"""Polynomials over the rational numbers, or over the integers modulo a prime: division with remainder and common divisors.

Coefficients stand from the constant term up, without zeros at the end; the zero polynomial has none. The prime 0 stands for the rational numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

from rlgym.answers import trees
from rlgym.answers.trees import Undefined
from rlgym.core.rng import Rng

MOST_DEGREE = 40
_GRAMMAR = trees.Grammar(("x",), max_characters=20_000, max_nodes=2000)
Coefficients = tuple[Fraction, ...]
PRIMES = (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


def normalize(coefficients: Sequence[Fraction | int], p: int) -> Coefficients:
    """The same polynomial without zeros at the end; modulo p with coefficients from 0 to p - 1. ZeroDivisionError where p divides a denominator."""
    out = [Fraction(residue(a, p) if p else a) for a in coefficients]
    while out and not out[-1]:
        out.pop()
    return tuple(out)


def residue(a: Fraction | int, p: int) -> int:
    if a.denominator == 1:
        return a.numerator % p
    below = a.denominator % p
    if not below:
        raise ZeroDivisionError(f"{p} divides the denominator of {a}")
    return a.numerator * pow(below, -1, p) % p


def read(text: str, p: int = 0) -> Coefficients:
    """The polynomial in x that a text spells."""
    return of_tree(trees.read(text, _GRAMMAR), p)


def of_tree(tree: trees.Tree, p: int = 0) -> Coefficients:
    """The coefficients of a tree; an ArithmeticError where it is no polynomial in x of a fair degree."""
    return normalize(trees.polynomial(tree, "x", MOST_DEGREE), p)


def summands(tree: trees.Tree) -> Iterator[trees.Tree]:
    """The terms that are added up at the top of a tree, with their signs."""
    if isinstance(tree, trees.Apply) and tree.head in ("+", "-", "neg"):
        plain = {"+": 2, "-": 1, "neg": 0}[tree.head]
        for i, part in enumerate(tree.parts):
            yield from map(trees.build.minus, summands(part)) if i >= plain else summands(part)
    else:
        yield tree


def write_out(tree: trees.Tree, p: int = 0) -> Coefficients:
    """The coefficients of a polynomial that is multiplied out, with each power of x in one term; an ArithmeticError for any other tree."""
    powers = []
    for term in summands(tree):
        nodes = list(trees.walk(term))
        if sum(isinstance(node, trees.Name) for node in nodes) > 1 or any(
            isinstance(node, trees.Apply) and node.head in "+-" for node in nodes
        ):
            raise Undefined("the polynomial is not multiplied out")
        powers.append(len(trees.polynomial(term, "x", MOST_DEGREE)))
    if len(set(powers)) < len(powers):
        raise Undefined("a power stands in two terms")
    return of_tree(tree, p)


def sample_polynomial(rng: Rng, degree: int, largest: int, leading: int, p: int = 0) -> tuple[int, ...]:
    """A random polynomial of that degree with integer coefficients, the leading one from 1 on; its constant term is not 0."""
    free = [rng.integer(-largest, largest) for _ in range(degree - 1)]
    first = [rng.choice((-1, 1)) * rng.integer(1, min(largest, p - 1 if p else largest))] if degree else []
    return tuple(int(a) for a in normalize([*first, *free, rng.integer(1, leading)], p))


def plus(left: Coefficients, right: Coefficients, p: int, scale: Fraction | int = 1) -> Coefficients:
    """one + scale * other"""
    size = max(len(left), len(right))
    return normalize([(left[i] if i < len(left) else 0) + scale * (right[i] if i < len(right) else 0) for i in range(size)], p)


def times(left: Coefficients, right: Coefficients, p: int) -> Coefficients:
    out = [Fraction(0)] * max(0, len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            out[i + j] += a * b
    return normalize(out, p)


def divide(dividend: Coefficients, part: Coefficients, p: int) -> tuple[Coefficients, Coefficients]:
    """Quotient and remainder."""
    rest, quotient = list(dividend), [Fraction(0)] * max(0, len(dividend) - len(part) + 1)
    unit = Fraction(residue(1 / part[-1], p)) if p else 1 / part[-1]
    for shift in range(len(dividend) - len(part), -1, -1):
        scale = rest[shift + len(part) - 1] * unit
        quotient[shift] = Fraction(scale % p) if p else scale
        for j, b in enumerate(part):
            rest[shift + j] -= quotient[shift] * b
        if p:
            rest = [a % p for a in rest]
    return normalize(quotient, p), normalize(rest, p)


def derivative(coefficients: Sequence[Fraction | int], p: int) -> Coefficients:
    return normalize([i * a for i, a in enumerate(coefficients)][1:], p)


def primitive(coefficients: Coefficients, p: int) -> Coefficients:
    """A multiple without a common factor: monic modulo p, else with integers and a positive leading coefficient."""
    if p or not coefficients:
        return monic(coefficients, p)
    scale = lcm(*(a.denominator for a in coefficients))
    integers = [int(a * scale) for a in coefficients]
    common_factor = gcd(*integers) * (-1 if integers[-1] < 0 else 1)
    return tuple(Fraction(a // common_factor) for a in integers)


def monic(coefficients: Coefficients, p: int) -> Coefficients:
    return normalize([a / coefficients[-1] for a in coefficients], p) if coefficients else ()


def monic_gcd(left: Coefficients, right: Coefficients, p: int) -> Coefficients:
    """The monic greatest common divisor, by Euclid's algorithm."""
    while right:
        left, right = right, divide(left, right, p)[1]
    return monic(left, p)


def divide_modulo(left: Coefficients, right: Coefficients, modulus: Coefficients, p: int) -> Coefficients:
    """What times `other` leaves the same remainder as `one` when divided by the modulus, by the extended Euclidean algorithm."""
    above, below = modulus, divide(right, modulus, p)[1]
    first: Coefficients = ()
    second: Coefficients = (Fraction(1),)
    while len(below) > 1:
        quotient, rest = divide(above, below, p)
        above, below = below, rest
        first, second = second, plus(first, times(quotient, second, p), p, -1)
    unit = (Fraction(residue(1 / below[0], p)) if p else 1 / below[0],)
    return divide(times(times(left, second, p), unit, p), modulus, p)[1]


def is_irreducible(modulus: Sequence[Fraction | int], p: int) -> bool:
    """Rabin's test: no common factor with x^(p^k) - x for any k up to half the degree."""
    polynomial, x = normalize(modulus, p), (Fraction(0), Fraction(1))
    power: Coefficients = x
    for _ in range((len(polynomial) - 1) // 2):
        base, power = power, (Fraction(1),)
        for bit in bin(p)[2:]:
            power = divide(times(power, power, p), polynomial, p)[1]
            power = divide(times(power, base, p), polynomial, p)[1] if bit == "1" else power
        if len(monic_gcd(polynomial, plus(power, x, p, -1), p)) > 1:
            return False
    return True
