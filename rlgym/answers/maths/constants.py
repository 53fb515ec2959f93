"""Exact constants: rational numbers, surds, multiples of pi, logarithms."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rlgym.answers.trees import Grammar, Tree, same, value
from rlgym.answers.trees.reader import read
from rlgym.core.answer import Unreadable

CONSTANT = Grammar(functions=("sqrt", "ln", "exp", "sin", "cos", "tan", "arctan"), constants=("pi", "e"), max_characters=400, max_nodes=80)
"""How one constant may be written: digits, operators, roots, pi and e, and functions of them."""


def read_constant(text: str) -> Tree:
    """The constant that a text spells; Unreadable for anything else, and for what has no value."""
    tree = read(text, CONSTANT)
    value_of(tree)
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
