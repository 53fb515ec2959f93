"""Random graphs, built from an Rng."""

from rlgym.core.rng import Rng

Edge = tuple[int, int]


def connected(rng: Rng, nodes: int, extra: int) -> tuple[Edge, ...]:
    """A connected graph on 0..nodes-1: a random tree and up to `extra` more edges, sorted, each (low, high)."""
    # An earlier node as parent keeps the graph connected and acyclic.
    edges = {(rng.integer(0, child - 1), child) for child in range(1, nodes)}
    for _ in range(extra):
        a, b = sorted((rng.integer(0, nodes - 1), rng.integer(0, nodes - 1)))
        if a != b:
            edges.add((a, b))
    return tuple(sorted(edges))
