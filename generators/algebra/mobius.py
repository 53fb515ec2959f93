"""Functions (a*x + b)/(c*x + d), put into each other and inverted, as tuples of four integers."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from rlgym.answers import trees
from rlgym.answers.trees import Tree, build
from rlgym.core.rng import Rng
from rlgym.generators.algebra import polynomial_fields

Function = tuple[int, int, int, int]
_GRAMMAR = trees.Grammar(("x",))


def sample_function(rng: Rng, largest: int, form: str) -> Function:
    """Neither the identity nor its own inverse; a linear one, a quotient, or (form mixed) either."""
    linear = form == "linear" or (form == "mixed" and rng.chance(0.5))
    while True:
        a, b, c, d = (rng.integer(-largest, largest) for _ in range(4))
        if linear:
            c, d = 0, 1
        function = (a, b, c, d)
        if a and b and (c or linear) and a * d != b * c and abs(a) + abs(c) > 1 and gcd(*function) == 1 and a + d:
            return function


def inverse(function: Function) -> Function:
    a, b, c, d = function
    return primitive((d, -b, -c, a))


def compose(outer: Function, inner: Function) -> Function:
    a, b, c, d = outer
    e, f, g, h = inner
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h


def primitive(function: Function) -> Function:
    first = next(a for a in (function[2], function[3]) if a)
    common = gcd(*function) * (-1 if first < 0 else 1)
    a, b, c, d = (a // common for a in function)
    return a, b, c, d


def to_tree(function: Function) -> Tree:
    a, b, c, d = function
    if not c:
        return build.of_coefficients([Fraction(b, d), Fraction(a, d)])
    return build.over(build.of_coefficients((b, a)), build.of_coefficients((d, c)))


def text(function: Function) -> str:
    return trees.write(to_tree(function))


def is_simple(tree: Tree) -> bool:
    """Whether a tree is a quotient of two linear expressions that are multiplied out, or one of these, perhaps times a number."""
    if isinstance(tree, trees.Apply) and tree.head == "neg":
        return is_simple(tree.parts[0])
    if isinstance(tree, trees.Apply) and tree.head == "*" and not all(trees.depends(part, "x") for part in tree.parts):
        return all(is_simple(part) for part in tree.parts)
    try:
        sides = tree.parts if isinstance(tree, trees.Apply) and tree.head == "/" else (tree,)
        return all(len(polynomial_fields.write_out(_bare(side))) < 3 for side in sides)
    except ArithmeticError:
        return False


def _bare(tree: Tree) -> Tree:
    """Without a number that the whole is multiplied by."""
    if isinstance(tree, trees.Apply) and tree.head == "*":
        rest = [part for part in tree.parts if trees.depends(part, "x")]
        return rest[0] if len(rest) == 1 else tree
    return tree.parts[0] if isinstance(tree, trees.Apply) and tree.head == "neg" else tree


def is_same(function: Function, formula: str) -> bool:
    return trees.same(to_tree(function), trees.read(formula, _GRAMMAR))
