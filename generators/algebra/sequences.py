"""Closed forms of sequences: whether an expression in n has the wanted values, and the combination of given terms that has them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.answers import trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra.eliminations import RowReduction

FAR = 60
"""The last place compared. A table of so many values, or a polynomial through them, is longer than an expression may be."""
GRAMMAR = trees.Grammar(("n",), max_characters=3000, max_nodes=500)
PLACES = range(FAR + 1)


def value(tree: Tree, n: int) -> Fraction:
    return trees.exact(tree, {"n": Fraction(n)})


def agrees_with(tree: Tree, terms: Sequence[Fraction | int], first: int = 0) -> bool:
    """Whether the expression has the wanted values at the places from `first` on among PLACES; `wanted` goes from 0 to FAR."""
    try:
        return all(value(tree, n) == terms[n] for n in PLACES if n >= first)
    except ArithmeticError:
        return False


def power_term(base: int, degree: int) -> Tree:
    """n^degree * base^n"""
    n = trees.Name("n")
    power = trees.Apply("^", (trees.number(base), n)) if base != 1 else trees.number(1)
    return build.times(build.power(n, degree), power)


def fit_coefficients(terms: Sequence[Tree], targets: Sequence[Fraction | int], first: int = 0) -> list[Fraction]:
    """The numbers by which the terms, added up, have the wanted values from `first` on; an ArithmeticError where there are none."""
    rows = [(*(value(term, n) for term in terms), Fraction(targets[n])) for n in range(first, first + len(terms))]
    reduction = RowReduction(rows)
    if reduction.gaussian_elimination(len(terms)) != list(range(len(terms))):
        raise ArithmeticError("the terms depend on each other")
    return [row[-1] for row in reduction.rows]


def linear_combination(numbers: Sequence[Fraction], terms: Sequence[Tree]) -> Tree:
    return build.ordered([build.times(trees.number(number), term) for number, term in zip(numbers, terms)])
