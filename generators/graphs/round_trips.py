"""Cheap round trips by local search: what nearest neighbours lead to when places are moved and stretches are turned as long as that helps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Orders = Sequence[tuple[int, int]]
"""Pairs of places of which the first must be visited before the second."""


def local_optima(costs: Sequence[Sequence[int]], orders: Orders) -> list[int]:
    """The costs of the trips that local search ends at, one for each place that may be visited first; trips start and end at place 0."""
    before = [sum(1 << a for a, b in orders if b == place) for place in range(len(costs))]
    return [_improve(costs, before, _nearest_neighbours(costs, before, first)) for first in range(1, len(costs)) if not before[first]]


def _cost(costs: Sequence[Sequence[int]], trip: Sequence[int]) -> int:
    return sum(costs[a][b] for a, b in pairwise((0, *trip, 0)))


def _nearest_neighbours(costs: Sequence[Sequence[int]], before: Sequence[int], first: int) -> list[int]:
    trip, visited = [first], 1 << first
    while len(trip) < len(costs) - 1:
        able = [place for place in range(1, len(costs)) if not visited >> place & 1 and not before[place] & ~visited]
        trip.append(min(able, key=lambda place: (costs[trip[-1]][place], place)))
        visited |= 1 << trip[-1]
    return trip


def _improve(costs: Sequence[Sequence[int]], before: Sequence[int], trip: list[int]) -> int:
    best, improved = _cost(costs, trip), True
    while improved:
        improved = False
        for other in _neighbours(trip):
            if _cost(costs, other) < best and _keeps_orders(before, other):
                trip, best, improved = other, _cost(costs, other), True
                break
    return best


def _neighbours(trip: list[int]) -> list[list[int]]:
    """Trips in which one place is moved, or one stretch is turned round."""
    moved = [[*(rest := trip[:i] + trip[i + 1 :])[:j], trip[i], *rest[j:]] for i in range(len(trip)) for j in range(len(trip)) if i != j]
    return moved + [trip[:i] + trip[i:j][::-1] + trip[j:] for i in range(len(trip)) for j in range(i + 3, len(trip) + 1)]


def _keeps_orders(before: Sequence[int], trip: Sequence[int]) -> bool:
    visited = 0
    for place in trip:
        if before[place] & ~visited:
            return False
        visited |= 1 << place
    return True
