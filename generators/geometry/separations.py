"""Dividing points into groups whose members are far apart: the pair that no division into so many groups can separate from closer pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rlgym.generators.geometry.scatters import Point

RankedPair = tuple[int, int, int]
"""The square of a distance, and the two points, by number."""


def rank_pairs(points: Sequence[Point]) -> list[RankedPair]:
    """All pairs of points, the closest first."""
    pairs = combinations(range(len(points)), 2)
    return sorted((sum((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True)), i, j) for i, j in pairs)


def separate(count: int, pairs: Sequence[RankedPair], groups: int) -> list[int] | None:
    """Groups, as bits, with no pair in the same group; None if there are none. The point with the fewest groups left comes next."""
    apart = [0] * count
    for _, i, j in pairs:
        apart[i] |= 1 << j
        apart[j] |= 1 << i

    def extend(divided: list[int], left: int) -> list[int] | None:
        if not left:
            return divided
        free = [i for i in range(count) if left >> i & 1]
        point = max(free, key=lambda i: (sum(group & apart[i] > 0 for group in divided), apart[i].bit_count()))
        for k, group in enumerate(divided):
            if not group & apart[point]:
                found = extend([*divided[:k], group | 1 << point, *divided[k + 1 :]], left & ~(1 << point))
                if found or not group:
                    return found
        return None

    return extend([0] * groups, (1 << count) - 1)


def count_separable(count: int, ranked: Sequence[RankedPair], groups: int) -> int:
    """How many of the closest pairs can be separated together; the next pair is then the critical one."""
    low, high = 0, len(ranked)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if separate(count, ranked[:middle], groups) else (low, middle - 1)
    return low


def closest_clique(points: Sequence[Point], ranked: Sequence[RankedPair], size: int) -> RankedPair:
    """The widest pair of the `size` points that lie closest together: a bound, as no two of them may share a group."""
    squares = {(i, j): (square, i, j) for square, i, j in ranked}
    return min(max(squares[pair] for pair in combinations(chosen, 2)) for chosen in combinations(range(len(points)), size))


def smallest_core(count: int, pairs: Sequence[RankedPair], groups: int) -> list[int]:
    """Points that cannot be divided, none of which can be left out."""
    core = list(range(count))
    for point in range(count):
        smaller = [i for i in core if i != point]
        if not separate(count, [pair for pair in pairs if pair[1] in smaller and pair[2] in smaller], groups):
            core = smaller
    return core
