"""Linear equations with exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def null_space(rows: Sequence[Sequence[Fraction | int]]) -> list[list[Fraction]]:
    """A basis of the vectors that every row gives 0."""
    width = len(rows[0])
    reduced = [[Fraction(a) for a in row] for row in rows]
    pivots: list[int] = []
    for column in range(width):
        at = len(pivots)
        pivot = next((i for i in range(at, len(reduced)) if reduced[i][column]), None)
        if pivot is None:
            continue
        reduced[at], reduced[pivot] = reduced[pivot], reduced[at]
        top = reduced[at][column]
        reduced[at] = [a / top for a in reduced[at]]
        for i, row in enumerate(reduced):
            if i != at and row[column]:
                scale = row[column]
                reduced[i] = [a - scale * b for a, b in zip(row, reduced[at])]
        pivots.append(column)
    out = []
    for free in (j for j in range(width) if j not in pivots):
        vector = [Fraction(int(j == free)) for j in range(width)]
        for i, column in enumerate(pivots):
            vector[column] = -reduced[i][free]
        out.append(vector)
    return out


def solve_linear(rows: Sequence[Sequence[Fraction | int]]) -> list[Fraction]:
    """The one solution of equations, each with the coefficients of the unknowns in order and then the right side; ValueError where there is
    none, or several."""
    basis = null_space(rows)
    if len(basis) != 1 or not basis[0][-1]:
        raise ValueError("the equations have no solution, or several")
    return [-value / basis[0][-1] for value in basis[0][:-1]]
