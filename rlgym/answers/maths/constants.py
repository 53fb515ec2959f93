"""Exact constants: rational numbers, surds, multiples of pi, logarithms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from rlgym.answers.trees import Grammar, Tree, same, value
from rlgym.answers.trees.reader import read
from rlgym.core.answer import Unreadable
from rlgym.core.layout.approximation import approximates

CONSTANT = Grammar(functions=("sqrt", "ln", "exp", "sin", "cos", "tan", "arctan"), constants=("pi", "e"), max_characters=400, max_nodes=80)
"""How one constant may be written: digits, operators, roots, pi and e, and functions of them."""
_APPROXIMATED = re.compile(r"(.{1,300}?)\s{0,9}(?:≈|≃|\\approx(?![A-Za-z]))\s{0,9}(-?[0-9]{0,60}\.?[0-9]{1,60})")


def read_constant(text: str) -> Tree:
    """The constant that a text spells; Unreadable for anything else, and for what has no value.

    A decimal approximation may follow it, as in `sqrt(2) ≈ 1.414`, if it agrees with the constant to its last digit.
    """
    match = _APPROXIMATED.fullmatch(text.strip()) if len(text) < CONSTANT.max_characters else None
    tree = read(match[1] if match else text, CONSTANT)
    exact = value_of(tree)
    if match and not approximates(match[2], Fraction(exact)):
        raise Unreadable(f"{match[2][:40]} does not approximate {match[1][:40]!r}")
    return tree


def value_of(tree: Tree) -> Decimal:
    """A constant to about 80 digits; Unreadable where it has no value or an enormous one."""
    try:
        return value(tree)
    except ArithmeticError:
        raise Unreadable("the number has no value, or is too large or too small") from None


def below(first: Tree, second: Tree) -> bool:
    """Whether one constant is less than another; equal ones are not, however they are written."""
    return not same(first, second) and value_of(first) < value_of(second)


def same_members(expected: Sequence[Tree], answer: Sequence[Tree]) -> bool:
    """Whether two lists of constants hold the same ones, each as often, in any order."""
    if len(expected) != len(answer):
        return False
    ordered = [sorted(side, key=value_of) for side in (expected, answer)]
    return all(same(first, second) for first, second in zip(*ordered))
