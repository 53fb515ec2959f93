"""Puts trees together, leaving out what is nothing: terms of 0, factors of 1, sums and products of plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.answers.trees.nodes import Apply, Name, Number, Tree, number

ZERO, ONE = number(0), number(1)


def constant(tree: Tree) -> Fraction | None:
    """The value of a tree that is a plain number: digits, with a sign or a stroke where `number` writes one."""
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Apply):
        values = [part.value if isinstance(part, Number) else None for part in tree.parts]
        if tree.head == "/" and values[0] is not None and values[1]:
            return values[0] / values[1]
        if tree.head == "neg" and (value := constant(tree.parts[0])) is not None:
            return -value
    return None


def add(left: Tree, right: Tree) -> Tree:
    first, second = constant(left), constant(right)
    if first is not None and second is not None:
        return number(first + second)
    if first == 0:
        return right
    if second == 0:
        return left
    if isinstance(right, Apply) and right.head == "neg":
        return Apply("-", (left, right.parts[0]))
    return Apply("+", (left, right))


def minus(tree: Tree) -> Tree:
    value = constant(tree)
    if value is not None:
        return number(-value)
    if isinstance(tree, Apply):
        if tree.head == "neg":
            return tree.parts[0]
        if tree.head == "-":
            return Apply("-", tree.parts[::-1])
    return Apply("neg", (tree,))


def subtract(left: Tree, right: Tree) -> Tree:
    return add(left, minus(right))


def times(left: Tree, right: Tree) -> Tree:
    """The product, as one run of factors with one number in front and the sign outside."""
    value, rest = Fraction(1), []
    waiting = [right, left]
    while waiting:
        factor = waiting.pop()
        factor_value = constant(factor)
        if factor_value is not None:
            value *= factor_value
        elif isinstance(factor, Apply) and factor.head in ("*", "neg"):
            value = -value if factor.head == "neg" else value
            waiting += reversed(factor.parts)
        else:
            rest.append(factor)
    if not value or not rest:
        return number(value)
    tree = rest[0] if abs(value) == 1 else Apply("*", (number(abs(value)), rest[0]))
    for factor in rest[1:]:
        tree = Apply("*", (tree, factor))
    return Apply("neg", (tree,)) if value < 0 else tree


def over(top: Tree, below: Tree) -> Tree:
    first, second = constant(top), constant(below)
    if second:
        return number(first / second) if first is not None else top if second == 1 else Apply("/", (top, below))
    if first == 0:
        return ZERO
    if isinstance(top, Apply) and top.head == "neg":
        return minus(over(top.parts[0], below))
    return Apply("/", (top, below))


def power(base: Tree, exponent: Fraction | int) -> Tree:
    exponent = Fraction(exponent)
    if exponent in (0, 1):
        return base if exponent else ONE
    value = constant(base)
    if value is not None and exponent.denominator == 1 and abs(exponent) < 20 and (value or exponent > 0):
        return number(Fraction(value ** int(exponent)))
    return Apply("^", (base, number(exponent)))


def call(function: str, argument: Tree) -> Tree:
    return Apply(function, (argument,))


def total(terms: list[Tree]) -> Tree:
    """The sum of the terms, in order."""
    tree = ZERO
    for term in terms:
        tree = add(tree, term)
    return tree


def product(factors: list[Tree]) -> Tree:
    """The product of the factors, numbers first."""
    tree = ONE
    for factor in factors:
        tree = times(tree, factor)
    return tree


def ordered(terms: list[Tree]) -> Tree:
    """The sum of the terms, opened by the first one without a sign where there is one, which saves that sign."""
    plain = next((i for i, term in enumerate(terms) if term != ZERO and not (isinstance(term, Apply) and term.head == "neg")), 0)
    return total([*terms[plain : plain + 1], *terms[:plain], *terms[plain + 1 :]])


def of_coefficients(coefficients: Sequence[Fraction | int], name: str = "x") -> Tree:
    """The polynomial with these coefficients, from the constant term up, highest power first."""
    powers = range(len(coefficients) - 1, -1, -1)
    return ordered([times(number(coefficients[i]), power(Name(name), i)) for i in powers])
