"""Programs of eight signs that mix three unknown numbers by counting loops, modulo a prime.

A loop counts its own cell by a step other than 1, so that it runs (number times an inverse) times; a loop within it multiplies two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from rlgym.core.rng import Rng

INPUTS, SPARE, OUTPUTS = (0, 1, 2), 3, (4, 5, 6)
CELLS = 7
MOST_STEPS = 60_000
Numbers3 = tuple[int, int, int]


class Inner(NamedTuple):
    """A loop within a loop: over another input cell, whose number it keeps, adding to an output cell."""

    cell: int
    step: int
    target: int
    amount: int


class Loop(NamedTuple):
    """A loop over an input cell, whose number it uses up."""

    cell: int
    step: int
    additions: tuple[tuple[int, int], ...]
    """Cells and what one turn adds to each."""
    inner: tuple[Inner, ...]


class Mixture(NamedTuple):
    modulus: int
    first: Numbers3
    """What is added to the output cells at the beginning."""
    loops: tuple[Loop, ...]

    def outputs(self, numbers: Numbers3) -> tuple[int, ...]:
        """By formulas: how often each loop runs, and what that adds."""
        cells = [*numbers, 0, *self.first]
        for loop in self.loops:
            turns = cells[loop.cell] * pow(-loop.step, -1, self.modulus) % self.modulus
            for cell, amount in loop.additions:
                cells[cell] += turns * amount
            for inner in loop.inner:
                cells[inner.target] += turns * inner.amount * cells[inner.cell] * pow(-inner.step, -1, self.modulus)
            cells[loop.cell] = 0
        return tuple(cells[cell] % self.modulus for cell in OUTPUTS)

    def program(self) -> str:
        signs, at = [], 0

        def go(cell: int) -> None:
            nonlocal at
            signs.append(">" * (cell - at) + "<" * (at - cell))
            at = cell

        def add(cell: int, amount: int) -> None:
            go(cell)
            signs.append("+" * amount + "-" * -amount)

        def repeat(cell: int, changes: list[tuple[int, int]]) -> None:
            go(cell)
            signs.append("[")
            for other, amount in changes:
                add(other, amount)
            go(cell)
            signs.append("]")

        for cell, amount in zip(OUTPUTS, self.first, strict=True):
            add(cell, amount)
        for loop in self.loops:
            go(loop.cell)
            signs.append("[")
            for cell, amount in ((loop.cell, loop.step), *loop.additions):
                add(cell, amount)
            for inner in loop.inner:
                repeat(inner.cell, [(inner.cell, inner.step), (SPARE, -inner.step), (inner.target, inner.amount)])
                repeat(SPARE, [(SPARE, -1), (inner.cell, 1)])
            go(loop.cell)
            signs.append("]")
        for cell in OUTPUTS:
            go(cell)
            signs.append(".")
        return "".join(signs)


def sample_mixture(rng: Rng, modulus: int, *, backwards: bool) -> Mixture:
    """Three sums, each with one of the three products of two numbers; `backwards` goes from the last number to the first."""
    x, y, z = INPUTS[::-1] if backwards else INPUTS
    targets = rng.shuffled(OUTPUTS)

    def loop(cell: int, *others: tuple[int, int]) -> Loop:
        step = rng.choice((-3, -2, -2, -1, 1, 2))
        additions = tuple((output, rng.choice((-3, -2, -1, 1, 2, 3))) for output in rng.shuffled(OUTPUTS))
        inner = tuple(Inner(other, rng.choice((-1, -2)), target, rng.choice((-2, -1, 1, 2))) for other, target in others)
        return Loop(cell, step, additions, inner)

    loops = (loop(x, (y, targets[0]), (z, targets[1])), loop(y, (z, targets[2])), loop(z))
    return Mixture(modulus, (rng.integer(0, 3), rng.integer(0, 3), rng.integer(0, 3)), loops)


def execute(program: str, cells: list[int], modulus: int, most_steps: int = MOST_STEPS) -> list[int] | None:
    """What a program prints, sign by sign; None if it takes too many steps. `cells` is changed."""
    partner, opened, out = dict[int, int](), list[int](), list[int]()
    for place, sign in enumerate(program):
        if sign == "[":
            opened.append(place)
        elif sign == "]":
            partner[place] = opened.pop()
            partner[partner[place]] = place
    at = place = 0
    for _ in range(most_steps):
        if place == len(program):
            return out
        sign = program[place]
        if sign in "+-":
            cells[at] = (cells[at] + (1 if sign == "+" else -1)) % modulus
        elif sign in "<>":
            at += 1 if sign == ">" else -1
        elif sign == ".":
            out.append(cells[at])
        elif (sign == "[") == (not cells[at]):
            place = partner[place]
        place += 1
    return None


def interpolate(program: str, cells: int, modulus: int) -> list[dict[tuple[int, ...], int]]:
    """What is printed as sums of products of the three numbers, each at most once in a product: found from eight runs.

    A program of `Mixture` prints such sums, because each number only decides how often a loop runs once.
    """
    printed = {bits: execute(program, [*bits, *[0] * (cells - 3)], modulus) or [] for bits in product((0, 1), repeat=3)}
    sums: list[dict[tuple[int, ...], int]] = [{} for _ in printed[0, 0, 0]]
    for bits, values in printed.items():
        for terms, value in zip(sums, values, strict=True):
            smaller = sum(factor for other, factor in terms.items() if all(a <= b for a, b in zip(other, bits, strict=True)))
            terms[bits] = (value - smaller) % modulus
    return sums


def preimages(sums: list[dict[tuple[int, ...], int]], printed: tuple[int, ...], modulus: int) -> Iterator[Numbers3]:
    """All three numbers for which the sums have these values."""
    for x, y, z in product(range(modulus), repeat=3):
        powers = {bits: x ** bits[0] * y ** bits[1] * z ** bits[2] for bits in sums[0]}
        if all(
            sum(factor * powers[bits] for bits, factor in terms.items()) % modulus == value
            for terms, value in zip(sums, printed, strict=True)
        ):
            yield x, y, z
