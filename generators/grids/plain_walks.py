"""Walks through all cells of a board once more, cell by cell."""

from collections.abc import Iterator, Sequence

from rlgym.generators.grids import boards, layout, walks
from rlgym.generators.grids.bits import members
from rlgym.generators.grids.boards import Near


def plain_backtrack(board: Sequence[Sequence[str]], kind: str) -> Iterator[layout.Cells]:
    """Every solution once more: walked cell by cell from 1 up, leaving a walk that strands cells or cannot be in time."""
    trail = walks.trail_of(board, kind)
    near, at, last = trail.around, trail.at, trail.last
    known = {cell: number for number, cell in at.items()}
    distances = {number: _distances(near, trail.open_cells, cell) for number, cell in at.items()}
    ahead = {k: min((n for n in at if n > k), default=0) for k in range(1, last + 1)}
    path: list[int] = []

    def fits(cell: int, number: int) -> bool:
        goal = ahead[number]
        return known.get(cell, number) == number and at.get(number, cell) == cell and (not goal or distances[goal][cell] <= goal - number)

    def walk(cell: int, unvisited: int) -> Iterator[layout.Cells]:
        path.append(cell)
        unvisited &= ~(1 << cell)
        number = len(path)
        if number == last:
            yield walks.render_path(board, path)
        elif boards.flood_fill(
            trail.steps, boards.neighbours_of_set(trail.steps, 1 << cell) & unvisited, unvisited
        ) == unvisited and _has_at_most_one_dead_end(near, unvisited, cell):
            for other in near[cell]:
                if unvisited >> other & 1 and fits(other, number + 1):
                    yield from walk(other, unvisited)
        path.pop()

    for cell in members(trail.open_cells):
        if fits(cell, 1):
            yield from walk(cell, trail.open_cells)


def _has_at_most_one_dead_end(near: Near, unvisited: int, end: int) -> bool:
    """Whether at most one cell left has a single way in or out."""
    open_cells = unvisited | 1 << end
    return sum(sum(open_cells >> other & 1 for other in near[cell]) < 2 for cell in members(unvisited)) < 2


def _distances(near: Near, open_cells: int, start: int) -> list[int]:
    distances = [10**6] * len(near)
    distances[start], row = 0, [start]
    while row:
        after = []
        for cell in row:
            for other in near[cell]:
                if open_cells >> other & 1 and distances[other] > distances[cell] + 1:
                    distances[other] = distances[cell] + 1
                    after.append(other)
        row = after
    return distances
