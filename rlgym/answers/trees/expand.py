"""Multiplies trees out to polynomials in one name, and takes products apart."""

from __future__ import annotations

from fractions import Fraction

from rlgym.answers.trees.build import constant
from rlgym.answers.trees.nodes import Apply, Name, Number, Tree, Undefined

MOST_BITS = 4000
Coefficients = list[Fraction]


def polynomial(tree: Tree, name: str, max_degree: int) -> Coefficients:
    """The coefficients from the constant term up, the last one not 0; Undefined where the tree is no such polynomial."""
    coefficients = _expand(tree, name, max_degree)
    while len(coefficients) > 1 and not coefficients[-1]:
        coefficients.pop()
    return coefficients


def _expand(tree: Tree, name: str, max_degree: int) -> Coefficients:
    if isinstance(tree, Number):
        return [tree.value]
    if isinstance(tree, Name):
        if tree.text != name:
            raise Undefined(f"{tree.text} is not {name}")
        return [Fraction(0), Fraction(1)]
    head = tree.head
    left = polynomial(tree.parts[0], name, max_degree)
    if head == "neg":
        return [-a for a in left]
    if head == "^":
        return _power(left, constant(tree.parts[1]), max_degree)
    if head not in ("+", "-", "*", "/"):
        raise Undefined("not a polynomial")
    right = polynomial(tree.parts[1], name, max_degree)
    if head == "*":
        return _times(left, right, max_degree)
    if head == "/":
        if len(right) > 1 or not right[0]:
            raise Undefined("not a polynomial")
        return [a / right[0] for a in left]
    size = max(len(left), len(right))
    sign = 1 if head == "+" else -1
    return [a + sign * b for a, b in zip([*left, *[Fraction(0)] * (size - len(left))], [*right, *[Fraction(0)] * (size - len(right))])]


def _power(base: Coefficients, exponent: Fraction | None, max_degree: int) -> Coefficients:
    if exponent is None or exponent.denominator != 1 or not 0 <= exponent <= 1000 or (len(base) - 1) * exponent > max_degree:
        raise Undefined("not a polynomial of that degree")
    out = [Fraction(1)]
    for _ in range(int(exponent)):
        out = _times(out, base, max_degree)
    return out


def _times(first: Coefficients, second: Coefficients, max_degree: int) -> Coefficients:
    if len(first) + len(second) - 2 > max_degree:
        raise Undefined("the degree is too high")
    out = [Fraction(0)] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        if a:
            for j, b in enumerate(second):
                out[i + j] += a * b
    if any(a.numerator.bit_length() + a.denominator.bit_length() > MOST_BITS for a in out):
        raise Undefined("a coefficient is too large")
    return out


def factors(tree: Tree, multiplicity: int = 1) -> list[tuple[Tree, int]]:
    """The factors of a product as it is written, each with its exponent; a sign is a factor of -1, a divisor has exponent -1."""
    if isinstance(tree, Apply):
        if tree.head == "neg" and not isinstance(tree.parts[0], Number):
            return [(Apply("neg", (Number(Fraction(1)),)), multiplicity), *factors(tree.parts[0], multiplicity)]
        if tree.head == "*":
            return factors(tree.parts[0], multiplicity) + factors(tree.parts[1], multiplicity)
        if tree.head == "/":
            return factors(tree.parts[0], multiplicity) + factors(tree.parts[1], -multiplicity)
        if tree.head == "^" and (exponent := constant(tree.parts[1])) is not None and exponent.denominator == 1 and abs(exponent) <= 1000:
            return factors(tree.parts[0], multiplicity * int(exponent))
    return [(tree, multiplicity)]
