"""Linear recurrences whose characteristic equation has integer roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.answers import trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomials, sequences


def characteristic(weights: Sequence[int]) -> tuple[int, ...]:
    """The characteristic polynomial, from the constant term up."""
    return (*(-weight for weight in weights[::-1]), 1)


def roots(weights: Sequence[int]) -> dict[int, int]:
    """The integer roots of the characteristic equation, and how often each is one."""
    left, found = characteristic(weights), dict[int, int]()
    for root in sorted(range(-40, 41), key=abs):
        while len(left) > 1 and (rest := polynomials.divided(left, (-root, 1))):
            left, found[root] = rest, found.get(root, 0) + 1
    return found


def free(weights: Sequence[int]) -> list[Tree]:
    """Terms in n that solve the recurrence without what is added, one for each root."""
    return [sequences.power_term(root, k) for root, times in roots(weights).items() for k in range(times)]


def added(part: Tree, weights: Sequence[int], base: int) -> str:
    """What must be added so that `part` solves the recurrence."""
    terms = [sequences.power_term(base, 0)] if base != 1 else [trees.number(1), trees.Name("n")]
    wanted = [
        sequences.value(part, n) - sum(weight * sequences.value(part, n - i) for i, weight in enumerate(weights, 1)) for n in range(9)
    ]
    return trees.write(sequences.combined(sequences.fitted(terms, wanted, 6), terms))


def following(weights: Sequence[int], added: str, before: Sequence[Fraction | int], n: int) -> Fraction:
    """The value at n after the given ones, the last one first."""
    more = sequences.value(trees.read(added, sequences.GRAMMAR), n)
    return Fraction(sum(weight * value for weight, value in zip(weights, before)) + more)


def values(weights: Sequence[int], added: str, opening: Sequence[int]) -> list[Fraction]:
    """From 0 to sequences.FAR."""
    out = [Fraction(value) for value in opening]
    while len(out) <= sequences.FAR:
        out.append(following(weights, added, out[: -len(weights) - 1 : -1], len(out)))
    return out


def solved(weights: Sequence[int], added: str, base: int, opening: Sequence[int]) -> tuple[Tree, list[Fraction], list[Tree]]:
    """What solves the recurrence as it is, and numbers times terms that solve it without what is added."""
    own = free(weights)
    special = [] if added == "0" else [sequences.power_term(base, 0)] if base != 1 else [trees.number(1), trees.Name("n")]
    numbers = sequences.fitted([*own, *special], values(weights, added, opening))
    return sequences.combined(numbers[len(own) :], special), numbers[: len(own)], own
