"""Least squares and correlations in plain arithmetic, which gives the same numbers on every machine."""

from __future__ import annotations

import math
from collections.abc import Sequence

Matrix = Sequence[Sequence[float]]


def least_squares(rows: Matrix, wanted: Sequence[float]) -> list[float] | None:
    """The coefficients with the least squared error, by the normal equations; None where they are not unique."""
    size = len(rows[0])
    system = [
        [math.fsum(row[i] * row[j] for row in rows) for j in range(size)]
        + [math.fsum(row[i] * y for row, y in zip(rows, wanted, strict=True))]
        for i in range(size)
    ]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(system[k][i]))
        if abs(system[pivot][i]) < 1e-9:
            return None
        system[i], system[pivot] = system[pivot], system[i]
        for k in range(size):
            if k != i:
                factor = system[k][i] / system[i][i]
                system[k] = [one - factor * other for one, other in zip(system[k], system[i], strict=True)]
    return [system[i][size] / system[i][i] for i in range(size)]


def predict(rows: Matrix, coefficients: Sequence[float]) -> list[float]:
    """The sum of the products of each row with the coefficients."""
    return [math.fsum(value * factor for value, factor in zip(row, coefficients, strict=True)) for row in rows]


def root_mean_squared_error(given: Sequence[float], wanted: Sequence[float]) -> float:
    return math.sqrt(math.fsum((one - other) ** 2 for one, other in zip(given, wanted, strict=True)) / len(wanted))


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Pearson's correlation; 0 where a sequence is constant."""
    first, second = math.fsum(one) / len(one), math.fsum(other) / len(other)
    a, b = [value - first for value in one], [value - second for value in other]
    scale = math.sqrt(math.fsum(value * value for value in a) * math.fsum(value * value for value in b))
    return math.fsum(x * y for x, y in zip(a, b, strict=True)) / scale if scale else 0.0


def changed_columns(train: Matrix, test: Matrix, count: int) -> list[int]:
    """The columns whose correlations with the others differ most between two tables."""
    left, right = ([list(column) for column in zip(*rows, strict=True)] for rows in (train, test))
    size = len(left)
    shifts = [
        math.fsum((correlation(left[i], left[j]) - correlation(right[i], right[j])) ** 2 for j in range(size) if j != i)
        for i in range(size)
    ]
    return sorted(sorted(range(size), key=lambda i: -shifts[i])[:count])
