"""Linear equations with exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def null_space(rows: Sequence[Sequence[Fraction | int]]) -> list[list[Fraction]]:
    """A basis of the vectors that every row gives 0."""
    width = len(rows[0])
    left = [[Fraction(a) for a in row] for row in rows]
    pivots: list[int] = []
    for column in range(width):
        at = len(pivots)
        pivot = next((i for i in range(at, len(left)) if left[i][column]), None)
        if pivot is None:
            continue
        left[at], left[pivot] = left[pivot], left[at]
        top = left[at][column]
        left[at] = [a / top for a in left[at]]
        for i, row in enumerate(left):
            if i != at and row[column]:
                scale = row[column]
                left[i] = [a - scale * b for a, b in zip(row, left[at])]
        pivots.append(column)
    out = []
    for free in (j for j in range(width) if j not in pivots):
        vector = [Fraction(int(j == free)) for j in range(width)]
        for i, column in enumerate(pivots):
            vector[column] = -left[i][free]
        out.append(vector)
    return out


def solve_linear(rows: Sequence[Sequence[Fraction | int]]) -> list[Fraction]:
    """The one solution of equations, each with the coefficients of the unknowns in order and then the right side; ValueError where there is
    none, or several."""
    basis = null_space(rows)
    if len(basis) != 1 or not basis[0][-1]:
        raise ValueError("the equations have no solution, or several")
    return [-value / basis[0][-1] for value in basis[0][:-1]]
