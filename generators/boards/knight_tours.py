"""Random tours of a piece over a board, and what guides the search for one."""

from collections.abc import Sequence
from functools import lru_cache

from rlgym.core.rng import Rng

WORK = 3000


@lru_cache(maxsize=64)
def move_graph(rows: int, columns: int, leaps: tuple[tuple[int, int], ...], holes: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    neighbours = {}
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        ends = [(row + r, column + c) for r, c in leaps if 0 <= row + r < rows and 0 <= column + c < columns]
        if cell not in holes:
            neighbours[cell] = tuple(sorted(r * columns + c for r, c in ends if r * columns + c not in holes))
    return neighbours


def breadth_first_distances(near: dict[int, tuple[int, ...]], start: int) -> dict[int, int]:
    distances, ring = {start: 0}, [start]
    for cell in ring:
        for other in near[cell]:
            if other not in distances:
                distances[other] = distances[cell] + 1
                ring.append(other)
    return distances


def is_stranded(near: dict[int, tuple[int, ...]], visited: set[int], cell: int, left: int) -> bool:
    lonely = 0
    for other in near[cell]:
        if other not in visited:
            ways = sum(third not in visited for third in near[other])
            lonely += ways == 0
    return lonely > 1 or (lonely == 1 and left > 1 and len(near[cell]) == 0)


def sample_tour(rng: Rng, near: dict[int, tuple[int, ...]], cells: Sequence[int]) -> list[int] | None:
    """A random tour of all cells, always going where fewest ways lead on; None where that fails."""
    tour = [rng.choice(cells)]
    cells_left = set(cells) - {tour[0]}
    while cells_left:
        ways = [(sum(third in cells_left for third in near[other]), rng.real(), other) for other in near[tour[-1]] if other in cells_left]
        if not ways:
            return None
        tour.append(min(ways)[2])
        cells_left.discard(tour[-1])
    return tour
