"""Row operations on matrices over the rational numbers or modulo a prime, told step by step and read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from rlgym.core.rng import Rng
from rlgym.generators.algebra.polynomial_fields import residue
from rlgym.generators.claims import Claim
from rlgym.generators.steps import Line

Row = tuple[Fraction, ...]
Rows = tuple[Row, ...]
SWAP = Line("Swap rows {i} and {j}.")
SCALE = Line("Multiply row {i} by {scale}: it becomes {row}.")
ADD = Line("Add {scale} times row {j} to row {i}: it becomes {row}.")


@dataclass
class Board:
    """A matrix under row operations; the methods `swapped`, `scaled` and `added` read a told operation and say whether it is right."""

    rows: list[Row]
    prime: int = 0
    told: list[str] = field(default_factory=list)
    swaps: int = 0

    def cut(self, row: Sequence[Fraction | int]) -> Row:
        return tuple(Fraction(residue(a, self.prime) if self.prime else a) for a in row)

    def swap(self, i: int, j: int) -> None:
        self.rows[i], self.rows[j] = self.rows[j], self.rows[i]
        self.swaps += 1
        self.told.append(SWAP.write(i=i + 1, j=j + 1))

    def scale(self, i: int, by: Fraction) -> None:
        scale = self.cut([by])[0]
        self.rows[i] = self.cut([scale * a for a in self.rows[i]])
        self.told.append(SCALE.write(i=i + 1, scale=scale, row=text(self.rows[i])))

    def add(self, i: int, j: int, by: Fraction) -> None:
        scale = self.cut([by])[0]
        self.rows[i] = self.cut([a + scale * b for a, b in zip(self.rows[i], self.rows[j])])
        self.told.append(ADD.write(i=i + 1, j=j + 1, scale=scale, row=text(self.rows[i])))

    def reduce(self, columns: int, full: bool = True) -> list[int]:
        """Down to reduced rows (not `full`: only zeros below the first entry of each row); the columns of the first entries."""
        pivots: list[int] = []
        for column in range(columns):
            top = len(pivots)
            found = [i for i in range(top, len(self.rows)) if self.rows[i][column]]
            if not found:
                continue
            best = min(found, key=lambda i: (abs(self.rows[i][column]) != 1, i))
            if best != top:
                self.swap(top, best)
            if full and self.rows[top][column] != 1:
                self.scale(top, 1 / self.rows[top][column])
            for i in range(0 if full else top + 1, len(self.rows)):
                if i != top and self.rows[i][column]:
                    self.add(i, top, -self.rows[i][column] / self.rows[top][column])
            pivots.append(column)
        return pivots

    def claims(self) -> list[Claim]:
        """What reads the operations back, with this matrix as it stands."""

        def swapped(i: str, j: str) -> bool:
            known = min(int(i), int(j)) > 0
            self.swap(int(i) - 1, int(j) - 1)
            return known and i != j

        def scaled(i: str, scale: str, row: str) -> bool:
            self.scale(_place(i), Fraction(scale))
            return text(self.rows[_place(i)]) == row and Fraction(scale) != 0

        def added(i: str, j: str, scale: str, row: str) -> bool:
            self.add(_place(i), _place(j), Fraction(scale))
            return i != j and text(self.rows[_place(i)]) == row

        return [(SWAP, swapped), (SCALE, scaled), (ADD, added)]


def text(row: Sequence[Fraction | int]) -> str:
    return f"[{', '.join(map(str, row))}]"


def layout(rows: Sequence[Sequence[Fraction | int]]) -> str:
    """A matrix in lines, its columns flush."""
    shown = [[str(a) for a in row] for row in rows]
    wide = [max(len(row[j]) for row in shown) for j in range(len(shown[0]))]
    return "\n".join("[" + "  ".join(entry.rjust(width) for entry, width in zip(row, wide)) + "]" for row in shown)


def exact(rows: Sequence[Sequence[Fraction | int]]) -> list[Row]:
    return [tuple(map(Fraction, row)) for row in rows]


def product(one: Sequence[Sequence[Fraction | int]], other: Sequence[Sequence[Fraction | int]], p: int = 0) -> Rows:
    columns = list(zip(*other))
    whole = [[Fraction(sum(a * b for a, b in zip(row, column))) for column in columns] for row in one]
    return tuple(tuple(Fraction(residue(a, p)) if p else a for a in row) for row in whole)


def rank(rows: Sequence[Sequence[Fraction | int]], p: int = 0) -> int:
    """By elimination in integers, or modulo a prime."""
    left = [list(whole(row)) for row in rows]
    found = 0
    for column in range(len(left[0]) if left else 0):
        pivot = next((row for row in left if (row[column] % p if p else row[column])), None)
        if pivot is None:
            continue
        left.remove(pivot)
        found += 1
        left = [[a * pivot[column] - b * row[column] for a, b in zip(row, pivot)] for row in left]
        left = [[a % p if p else a // (gcd(*row) or 1) for a in row] for row in left]
    return found


def whole(row: Sequence[Fraction | int]) -> tuple[int, ...]:
    """A multiple of the row in integers without a common factor."""
    scale = lcm(*(Fraction(a).denominator for a in row))
    out = [int(a * scale) for a in row]
    return tuple(a // (gcd(*out) or 1) for a in out)


def null_space(rows: Sequence[Sequence[Fraction | int]], p: int = 0) -> Rows:
    """One vector for each column without a first entry."""
    board = Board(exact(rows), p)
    board.rows = [board.cut(row) for row in board.rows]
    size = len(board.rows[0])
    pivots = board.reduce(size)
    out = []
    for free in range(size):
        if free not in pivots:
            vector = [Fraction(int(j == free)) for j in range(size)]
            for i, column in enumerate(pivots):
                vector[column] = -board.rows[i][free]
            out.append(board.cut(vector))
    return tuple(out)


def drawn(rng: Rng, rows: int, columns: int, largest: int) -> list[list[int]]:
    return [[rng.integer(-largest, largest) for _ in range(columns)] for _ in range(rows)]


def unimodular(rng: Rng, size: int, mixes: int) -> tuple[list[list[int]], list[list[int]]]:
    """An integer matrix with determinant 1 or -1, and its inverse, by adding rows to others again and again."""
    one = [[int(i == j) for j in range(size)] for i in range(size)]
    other = [row[:] for row in one]
    for _ in range(mixes if size > 1 else 0):
        i, j = rng.sample(range(size), 2)
        by = rng.choice((-1, 1))
        one[i] = [a + by * b for a, b in zip(one[i], one[j])]
        for row in other:
            row[j] -= by * row[i]
    return one, other


def _place(word: str) -> int:
    if int(word) < 1:
        raise ValueError("rows count from 1")
    return int(word) - 1
