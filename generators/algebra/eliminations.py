"""Row operations on matrices over the rational numbers or modulo a prime, as checkable steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from rlgym.core.rng import Rng
from rlgym.generators.algebra.polynomial_fields import residue
from rlgym.solutions import Due, Step

Row = tuple[Fraction, ...]
Rows = tuple[Row, ...]
SWAP = Step("Swap rows {i:int} and {j:int}.")
SCALE = Step("Multiply row {i:int} by {scale:fraction}: it becomes {row}.")
ADD = Step("Add {scale:fraction} times row {j:int} to row {i:int}: it becomes {row}.")


@dataclass
class RowReduction:
    """A matrix under row operations, which are recorded as steps of a solution."""

    rows: list[Row]
    prime: int = 0
    steps: list[Due] = field(default_factory=list)
    swaps: int = 0

    def normalize(self, row: Sequence[Fraction | int]) -> Row:
        """The row as fractions, modulo the prime if there is one."""
        return tuple(Fraction(residue(a, self.prime) if self.prime else a) for a in row)

    def swap(self, i: int, j: int) -> None:
        self.rows[i], self.rows[j] = self.rows[j], self.rows[i]
        self.swaps += 1
        self.steps.append(SWAP(i=i + 1, j=j + 1))

    def scale(self, i: int, by: Fraction) -> None:
        scale = self.normalize([by])[0]
        self.rows[i] = self.normalize([scale * a for a in self.rows[i]])
        self.steps.append(SCALE(i=i + 1, scale=scale, row=format_row(self.rows[i])))

    def add(self, i: int, j: int, by: Fraction) -> None:
        scale = self.normalize([by])[0]
        self.rows[i] = self.normalize([a + scale * b for a, b in zip(self.rows[i], self.rows[j])])
        self.steps.append(ADD(i=i + 1, j=j + 1, scale=scale, row=format_row(self.rows[i])))

    def gaussian_elimination(self, columns: int, full: bool = True) -> list[int]:
        """Reduces to reduced row echelon form, or only to echelon form if not `full`; returns the pivot columns."""
        pivots: list[int] = []
        for column in range(columns):
            top = len(pivots)
            candidates = [i for i in range(top, len(self.rows)) if self.rows[i][column]]
            if not candidates:
                continue
            best = min(candidates, key=lambda i: (abs(self.rows[i][column]) != 1, i))
            if best != top:
                self.swap(top, best)
            if full and self.rows[top][column] != 1:
                self.scale(top, 1 / self.rows[top][column])
            for i in range(0 if full else top + 1, len(self.rows)):
                if i != top and self.rows[i][column]:
                    self.add(i, top, -self.rows[i][column] / self.rows[top][column])
            pivots.append(column)
        return pivots

    def checks(self) -> dict[Step, Callable[..., bool]]:
        """Checks of row operations, each of which is then carried out on this matrix."""

        def swapped(i: int, j: int) -> bool:
            known = min(i, j) > 0
            self.swap(i - 1, j - 1)
            return known and i != j

        def scaled(i: int, scale: Fraction, row: str) -> bool:
            self.scale(_index(i), scale)
            return format_row(self.rows[_index(i)]) == row and scale != 0

        def added(i: int, j: int, scale: Fraction, row: str) -> bool:
            self.add(_index(i), _index(j), scale)
            return i != j and format_row(self.rows[_index(i)]) == row

        return {SWAP: swapped, SCALE: scaled, ADD: added}


def format_row(row: Sequence[Fraction | int]) -> str:
    return f"[{', '.join(map(str, row))}]"


def format_matrix(rows: Sequence[Sequence[Fraction | int | str]]) -> str:
    """A matrix as lines of text with aligned columns."""
    shown = [[str(a) for a in row] for row in rows]
    wide = [max(len(row[j]) for row in shown) for j in range(len(shown[0]))]
    return "\n".join("[" + "  ".join(entry.rjust(width) for entry, width in zip(row, wide)) + "]" for row in shown)


def exact(rows: Sequence[Sequence[Fraction | int]]) -> list[Row]:
    return [tuple(map(Fraction, row)) for row in rows]


def product(left: Sequence[Sequence[Fraction | int]], right: Sequence[Sequence[Fraction | int]], p: int = 0) -> Rows:
    columns = list(zip(*right))
    entries = [[Fraction(sum(a * b for a, b in zip(row, column))) for column in columns] for row in left]
    return tuple(tuple(Fraction(residue(a, p)) if p else a for a in row) for row in entries)


def rank(rows: Sequence[Sequence[Fraction | int]], p: int = 0) -> int:
    """The rank, by elimination in integers or modulo a prime."""
    reduced = [list(primitive_row(row)) for row in rows]
    pivots = 0
    for column in range(len(reduced[0]) if reduced else 0):
        pivot = next((row for row in reduced if (row[column] % p if p else row[column])), None)
        if pivot is None:
            continue
        reduced.remove(pivot)
        pivots += 1
        reduced = [[a * pivot[column] - b * row[column] for a, b in zip(row, pivot)] for row in reduced]
        reduced = [[a % p if p else a // (gcd(*row) or 1) for a in row] for row in reduced]
    return pivots


def primitive_row(row: Sequence[Fraction | int]) -> tuple[int, ...]:
    """A multiple of the row in integers without a common factor."""
    scale = lcm(*(Fraction(a).denominator for a in row))
    out = [int(a * scale) for a in row]
    return tuple(a // (gcd(*out) or 1) for a in out)


def null_space(rows: Sequence[Sequence[Fraction | int]], p: int = 0) -> Rows:
    """A basis of the null space: one vector for each column without a pivot."""
    reduction = RowReduction(exact(rows), p)
    reduction.rows = [reduction.normalize(row) for row in reduction.rows]
    size = len(reduction.rows[0])
    pivots = reduction.gaussian_elimination(size)
    out = []
    for free in range(size):
        if free not in pivots:
            vector = [Fraction(int(j == free)) for j in range(size)]
            for i, column in enumerate(pivots):
                vector[column] = -reduction.rows[i][free]
            out.append(reduction.normalize(vector))
    return tuple(out)


def sample_matrix(rng: Rng, rows: int, columns: int, largest: int) -> list[list[int]]:
    return [[rng.integer(-largest, largest) for _ in range(columns)] for _ in range(rows)]


def sample_unimodular(rng: Rng, size: int, mixes: int) -> tuple[list[list[int]], list[list[int]]]:
    """An integer matrix with determinant 1 or -1 and its inverse, made by adding rows to other rows."""
    forward = [[int(i == j) for j in range(size)] for i in range(size)]
    other = [row[:] for row in forward]
    for _ in range(mixes if size > 1 else 0):
        i, j = rng.sample(range(size), 2)
        by = rng.choice((-1, 1))
        forward[i] = [a + by * b for a, b in zip(forward[i], forward[j])]
        for row in other:
            row[j] -= by * row[i]
    return forward, other


def _index(number: int) -> int:
    if number < 1:
        raise ValueError("rows are numbered from 1")
    return number - 1
