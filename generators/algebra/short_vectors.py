"""Shortest integer vectors that an integer matrix of two rows takes to 0."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import isqrt

Vector = tuple[int, ...]
Matrix = Sequence[Sequence[int]]


def squared_length(vector: Sequence[int]) -> int:
    return sum(a * a for a in vector)


def within(matrix: Matrix, longest: int) -> list[Vector]:
    """All nonzero integer vectors in the null space whose squared length is at most `longest`, the shortest first.

    The last two entries follow from the others by Cramer's rule; the last two columns are linearly independent.
    """
    (*first, a, b), (*second, c, d) = matrix
    determinant = a * d - b * c
    found = []
    for start in _enumerate_short_vectors(len(first), longest):
        e = -sum(x * y for x, y in zip(first, start))
        f = -sum(x * y for x, y in zip(second, start))
        y, left = divmod(e * d - b * f, determinant)
        z, rest = divmod(a * f - c * e, determinant)
        vector = (*start, y, z)
        if not left and not rest and 0 < squared_length(vector) <= longest:
            found.append(vector)
    return sorted(found, key=lambda vector: (squared_length(vector), vector))


def shortest_by_halves(matrix: Matrix, longest: int) -> list[Vector]:
    """The shortest vectors found by another route: both halves of the columns are combined to opposite sums."""
    half = len(matrix[0]) // 2
    sums = defaultdict[Vector, list[Vector]](list)
    for left in _enumerate_short_vectors(half, longest):
        sums[tuple(sum(a * x for a, x in zip(row, left)) for row in matrix)].append(left)
    found: list[Vector] = []
    for right in _enumerate_short_vectors(len(matrix[0]) - half, longest):
        opposite = tuple(-sum(a * x for a, x in zip(row[half:], right)) for row in matrix)
        found += [(*left, *right) for left in sums.get(opposite, []) if any(left) or any(right)]
    least = min(map(squared_length, found))
    return [vector for vector in found if squared_length(vector) == least]


def _enumerate_short_vectors(size: int, longest: int) -> Iterator[Vector]:
    bound = isqrt(longest)
    return (vector for vector in product(range(-bound, bound + 1), repeat=size) if squared_length(vector) <= longest)
