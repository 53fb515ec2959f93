"""Sums of products of letters in a Boolean ring, where x + x = 0 and x*x = x, and logical statements turned into them."""

from __future__ import annotations

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Name, Number, Tree, build
from rlgym.core.rng import Rng

CONNECTIVES = ("and", "or", "implies", "xor", "iff")
Sum = frozenset[frozenset[str]]


def sample_formula(rng: Rng, letters: str, operations: int) -> Tree:
    """A random formula of sums and products."""
    if not operations:
        return Name(rng.choice(letters)) if rng.chance(0.85) else trees.number(1)
    left = rng.integer(0, operations - 1)
    parts = sample_formula(rng, letters, left), sample_formula(rng, letters, operations - 1 - left)
    return Apply(rng.choice("+*"), parts)


def sample_statement(rng: Rng, letters: str, operations: int, count: int) -> tuple[str, Tree]:
    """A statement with the first so many connectives, and its translation."""
    if not operations:
        letter = rng.choice(letters)
        negated = rng.chance(0.3)
        return (f"not {letter}" if negated else letter), (Apply("+", (Name(letter), trees.number(1))) if negated else Name(letter))
    left = rng.integer(0, operations - 1)
    (first, p), (second, q) = sample_statement(rng, letters, left, count), sample_statement(rng, letters, operations - 1 - left, count)
    connective = rng.choice(CONNECTIVES[:count])
    both, either = Apply("*", (p, q)), Apply("+", (p, q))
    formula = {
        "and": both,
        "or": Apply("+", (either, both)),
        "implies": Apply("+", (Apply("+", (both, p)), trees.number(1))),
        "xor": either,
        "iff": Apply("+", (either, trees.number(1))),
    }[connective]
    return f"({first} {connective} {second})", formula


def value(tree: Tree) -> Sum:
    """The products that a formula comes to."""
    if isinstance(tree, Name):
        return frozenset([frozenset([tree.text])])
    if isinstance(tree, Number):
        return frozenset([frozenset[str]()]) if tree.value % 2 else frozenset()
    if tree.head not in ("+", "*"):
        raise ValueError("only sums and products are allowed")
    left, right = map(value, tree.parts)
    if tree.head == "+":
        return left ^ right
    out: Sum = frozenset()
    for part in left:
        for other_part in right:
            out ^= frozenset([part | other_part])
    return out


def read_sum(tree: Tree) -> Sum | None:
    """The sum that is written out, each product once and each letter in it once; else None."""
    if isinstance(tree, Apply) and tree.head == "+":
        first, second = map(read_sum, tree.parts)
        return first | second if first is not None and second is not None and not first & second else None
    if isinstance(tree, Apply) and tree.head == "*":
        first, second = map(read_sum, tree.parts)
        if first is None or second is None or len(first) != 1 or len(second) != 1:
            return None
        (left,), (right,) = first, second
        return frozenset([left | right]) if left and right and not left & right else None
    if isinstance(tree, Number):
        return frozenset([frozenset[str]()]) if tree.value == 1 else frozenset() if tree.value == 0 else None
    return frozenset([frozenset([tree.text])]) if isinstance(tree, Name) else None


def write_sum(polynomial: Sum) -> Tree:
    """The sum with its longest products first."""
    terms = sorted(polynomial, key=lambda product: (-len(product), sorted(product)))
    return build.total([build.product([Name(letter) for letter in sorted(product)]) for product in terms])
