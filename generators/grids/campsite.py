"""Tents beside trees on a board."""

from rlgym.core.rng import Rng
from rlgym.generators.grids import regions


def sample_tents(rng: Rng, size: int, tent_count: int, crowded: bool) -> list[tuple[int, int]]:
    """Tents that do not touch, each next to a tree: pairs of a tent and its tree, `tent_count` of them or as many as find room.

    Where it is `crowded`, they lie round a few places.
    """
    neighbours, touching = regions.neighbours_by_cell(size, size), regions.touching_neighbours(size, size)
    pairs: list[tuple[int, int]] = []
    tents: set[int] = set()
    trees: set[int] = set()
    order = rng.shuffled(range(size * size))
    if crowded:
        middles = order[: 1 + size // 5]
        distances = {cell: min(abs(cell // size - m // size) + abs(cell % size - m % size) for m in middles) for cell in order}
        order.sort(key=distances.__getitem__)
    for cell in order:
        if len(pairs) == tent_count:
            break
        if cell in trees or not tents.isdisjoint(touching[cell]):
            continue
        free = [other for other in neighbours[cell] if other not in trees and other not in tents]
        if free:
            tree = rng.choice(free)
            tents.add(cell)
            trees.add(tree)
            pairs.append((cell, tree))
    return pairs
