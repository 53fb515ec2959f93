"""Statements about remainders of which not all can hold: how many of them a number satisfies."""

from collections.abc import Sequence
from math import gcd, lcm
from typing import NamedTuple

from rlgym.generators.numbers.factors import factorize


class Remainder(NamedTuple):
    """x, or its square, leaves `rest` when divided by `modulus`."""

    rest: int
    modulus: int
    square: bool

    @property
    def residues(self) -> list[int]:
        """The residues of x for which it holds."""
        return [x for x in range(self.modulus) if (x * x if self.square else x) % self.modulus == self.rest]

    def holds(self, x: int) -> bool:
        return (x * x if self.square else x) % self.modulus == self.rest

    def __str__(self) -> str:
        return f"{'x^2' if self.square else 'x'} leaves the remainder {self.rest} when divided by {self.modulus}"


def counts(statements: Sequence[Remainder]) -> list[int]:
    """How many statements each number from 0 on satisfies, up to where this repeats."""
    period = lcm(*(statement.modulus for statement in statements))
    found = [0] * period
    for statement in statements:
        for residue in statement.residues:
            for x in range(residue, period, statement.modulus):
                found[x] += 1
    return found


def plurality_count(statements: Sequence[Remainder], found: Sequence[int]) -> int:
    """The most statements, by their `counts`, that a number satisfies whose residue modulo each prime fits as many statements as possible."""
    chosen = {}
    for prime in (prime for prime, _ in factorize(len(found))):
        fitting = [0] * prime
        for statement in statements:
            if statement.modulus % prime == 0:
                for residue in {residue % prime for residue in statement.residues}:
                    fitting[residue] += 1
        chosen[prime] = fitting.index(max(fitting))
    return max(found[x] for x in range(len(found)) if all(x % prime == residue for prime, residue in chosen.items()))


def greedy_count(statements: Sequence[Remainder]) -> int:
    """How many statements are taken if each in order is that holds together with those taken before."""
    classes, taken = {(0, 1)}, 0
    for statement in statements:
        joined = {both for one in classes for residue in statement.residues if (both := _join(one, (residue, statement.modulus)))}
        if joined:
            classes, taken = joined, taken + 1
    return taken


def smallest_with_most(statements: Sequence[Remainder]) -> int:
    """The smallest number that satisfies as many statements as possible; each is taken or left, and those taken become residue classes."""
    best = {(0, 1): 0}
    for place, statement in enumerate(statements):
        for one, count in list(best.items()):
            for residue in statement.residues:
                if both := _join(one, (residue, statement.modulus)):
                    best[both] = max(best.get(both, 0), count + 1)
        # A class that falls behind by more than the statements still to come cannot win.
        left, most = len(statements) - place - 1, max(best.values())
        best = {one: count for one, count in best.items() if count + left >= most}
    return min(x for (x, _), count in best.items() if count == max(best.values()))


def _join(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int] | None:
    """The residue class of the numbers in both classes, each a residue and its modulus."""
    (x, step), (rest, modulus) = one, other
    common = gcd(step, modulus)
    if (rest - x) % common:
        return None
    times = (rest - x) // common * pow(step // common, -1, modulus // common) % (modulus // common)
    return x + step * times, lcm(step, modulus)
