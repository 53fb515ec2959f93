"""Random graphs whose nodes lie on a lattice and are joined to their neighbours on it only."""

from rlgym.core.rng import Rng
from rlgym.generators.graphs.random_graphs import Edge

Spot = tuple[int, int]


def sample_connected_graph(rng: Rng, nodes: int, extra: int) -> tuple[Edge, ...]:
    """A connected graph on 0..nodes-1, which cover a patch of the lattice: a tree and up to `extra` more edges, sorted, each (low, high)."""
    spots: dict[Spot, int] = {(0, 0): 0}
    tree, more = list[Edge](), list[Edge]()
    while len(spots) < nodes:
        free = sorted({spot for other in spots for spot in _lattice_neighbours(other) if spot not in spots})
        # Of three free spots the one with most neighbours, so that the patch is not all branches.
        spot = max((rng.choice(free) for _ in range(3)), key=lambda spot: sum(other in spots for other in _lattice_neighbours(spot)))
        neighbours = rng.shuffled([spots[other] for other in _lattice_neighbours(spot) if other in spots])
        new = spots[spot] = len(spots)
        tree.append((neighbours[0], new))
        more += [(other, new) for other in neighbours[1:]]
    return tuple(sorted(tree + rng.shuffled(more)[:extra]))


def _lattice_neighbours(spot: Spot) -> list[Spot]:
    r, c = spot
    return [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]
