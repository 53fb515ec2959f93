"""Adjacency lists of graphs given as pairs of nodes, and what is reached along them."""

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def adjacency_lists(edges: Iterable[tuple[N, N]], nodes: Iterable[N] = (), directed: bool = False) -> dict[N, list[N]]:
    """The neighbours of each node in the order of the edges. `nodes` come first, in their order; they may have no edge."""
    neighbours: dict[N, list[N]] = {node: [] for node in nodes}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, [])
        if not directed:
            neighbours[b].append(a)
    return neighbours


def breadth_first_search(neighbours: Mapping[N, Iterable[N]], start: N) -> dict[N, int]:
    """The number of edges on a shortest path from the start to each node that is reachable, in the order of discovery."""
    distances, queue = {start: 0}, [start]
    for node in queue:
        for neighbour in neighbours.get(node, ()):
            if neighbour not in distances:
                distances[neighbour] = distances[node] + 1
                queue.append(neighbour)
    return distances
