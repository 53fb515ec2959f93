"""Minimum spanning trees of towns and roads, by the algorithms of Prim and Kruskal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Road(NamedTuple):
    a: str
    b: str
    price: int


Built = Iterable[tuple[str, str]]
"""Pairs of towns that a road joins at no cost."""


def prim(roads: Sequence[Road], built: Built) -> list[Road]:
    """Prim's algorithm: one component grows from `first_town` by its cheapest outgoing road."""
    all_roads = [*(Road(a, b, 0) for a, b in built), *roads]
    piece, chosen = {first_town(all_roads)}, list[Road]()
    while leaving := [road for road in all_roads if (road.a in piece) != (road.b in piece)]:
        chosen.append(min(leaving, key=lambda road: road.price))
        piece |= set(chosen[-1][:2])
    return chosen


def first_town(roads: Iterable[Road]) -> str:
    """The first town by name."""
    return min(town for road in roads for town in road[:2])


def kruskal(roads: Iterable[Road], built: Built) -> list[Road]:
    """Kruskal's algorithm: the roads from the cheapest on that join two components."""
    parents: dict[str, str] = {}
    for a, b in built:
        union(parents, a, b)
    return [road for road in sorted(roads, key=lambda road: road.price) if union(parents, road.a, road.b)]


def union(parents: dict[str, str], a: str, b: str) -> bool:
    """Merges the components of two towns; False if they are already in the same one."""
    a, b = find_root(parents, a), find_root(parents, b)
    parents[a] = b
    return a != b


def find_root(parents: dict[str, str], town: str) -> str:
    while parents.get(town, town) != town:
        town = parents[town]
    return town
