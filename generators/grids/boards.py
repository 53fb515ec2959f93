"""Boards by their neighbours: squares with four or eight, hexagons in shifted rows with six, squares that go round the edges."""

from collections.abc import Iterator, Sequence
from functools import cache

from rlgym.core.rng import Rng
from rlgym.generators.grids import regions

Near = tuple[tuple[int, ...], ...]
_HEX = (((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)), ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)))
HEX_SAID = (
    "The cells are hexagons: the second row, the fourth and every other row after it is moved half a cell to the right, so that a cell "
    "has up to six neighbours, the cells left and right of it and the two nearest ones in the row above and in the row below."
)
ROUND_SAID = "The board wraps around: the right edge is joined to the left edge, and the bottom edge to the top edge."


@cache
def near(kind: str, height: int, width: int) -> Near:
    """The neighbours of each cell, on a board of squares ("square"), with diagonals ("king"), of hexagons ("hex"), or going round ("round")."""
    if kind == "square":
        return regions.neighbours_by_cell(height, width)
    if kind == "king":
        return regions.touching_neighbours(height, width)
    around = []
    for r in range(height):
        for c in range(width):
            steps = _HEX[r % 2] if kind == "hex" else ((-1, 0), (0, -1), (0, 1), (1, 0))
            places = [(r + i, c + j) for i, j in steps]
            if kind == "round":
                places = [(i % height, j % width) for i, j in places]
            around.append(tuple(sorted({i * width + j for i, j in places if 0 <= i < height and 0 <= j < width})))
    return tuple(around)


@cache
def offsets(around: Near) -> tuple[tuple[int, int], ...]:
    """How sets of cells spread: for each distance between numbers of neighbours, the cells that have such a one."""
    by_offset: dict[int, int] = {}
    for cell, others in enumerate(around):
        for other in others:
            by_offset[other - cell] = by_offset.get(other - cell, 0) | 1 << cell
    return tuple(sorted(by_offset.items()))


def neighbours_of_set(steps: tuple[tuple[int, int], ...], cells: int) -> int:
    """The neighbours of the cells of a set."""
    out = 0
    for step, having in steps:
        moved = cells & having
        out |= moved << step if step > 0 else moved >> -step
    return out


def flood_fill(steps: tuple[tuple[int, int], ...], start: int, can: int) -> int:
    """What is reached from a set of cells within `can`."""
    reached = fresh = start & can
    while fresh:
        near = 0
        for step, having in steps:
            if moved := fresh & having:
                near |= moved << step if step > 0 else moved >> -step
        fresh = near & can & ~reached
        reached |= fresh
    return reached


def sample_hamiltonian_path(rng: Rng, height: int, width: int, around: Near) -> list[int]:
    """A random path over all cells."""
    return next(sample_hamiltonian_paths(rng, height, width, around))


def sample_hamiltonian_paths(rng: Rng, height: int, width: int, around: Near) -> Iterator[list[int]]:
    """Random paths over all cells, without end: a snake whose ends are rewired again and again, more often before the first than later."""
    path = [r * width + (c if r % 2 == 0 else width - 1 - c) for r in range(height) for c in range(width)]
    at = [0] * len(path)
    turns = 8 * len(path)
    while True:
        for turn in range(turns):
            if turn % 3 == 0:
                path.reverse()
                for i, cell in enumerate(path):
                    at[cell] = i
            # The last cell is joined to another neighbour, and the path after that one is reversed.
            i = at[rng.choice(around[path[-1]])]
            path[i + 1 :] = path[: i - len(path) : -1] if i + 1 < len(path) else []
            for k in range(i + 1, len(path)):
                at[path[k]] = k
        yield list(path)
        turns = len(path)


def add_frame(around: Near, most: int) -> Near:
    """The board with one more node around it: the neighbour of all cells that have fewer than `most` neighbours."""
    rim = [cell for cell, others in enumerate(around) if len(others) < most]
    return (*((*others, len(around)) if len(others) < most else others for others in around), tuple(rim))


def sample_island(rng: Rng, around: Near, most: int, cells: int) -> int:
    """A random connected set of about that many cells, whose complement is connected to the frame."""
    size, frame = len(around), 1 << len(around)
    steps, outer = offsets(around), offsets(add_frame(around, most))
    inside = 1 << rng.integer(0, size - 1)
    all_cells = 2 * frame - 1
    stuck: set[int] = set()
    while inside.bit_count() < cells:
        edge = [cell for cell in range(size) if neighbours_of_set(steps, inside) & ~inside & 1 << cell and cell not in stuck]
        if not edge:
            break
        # Cells with few neighbours inside make a winding outline.
        weights = [(8, 8, 3, 1, 1, 1, 1)[sum(inside >> other & 1 for other in around[cell])] for cell in edge]
        cell = rng.weighted(edge, weights)
        after = inside | 1 << cell
        if flood_fill(outer, frame, all_cells & ~after) == all_cells & ~after:
            inside = after
        else:
            stuck.add(cell)
    return inside


def render_hexagons(rows: Sequence[str], wide: int = 1) -> str:
    """Rows of a board of hexagons, whose cells are `wide` and as far apart, with every other row moved half a cell."""
    return "\n".join(" " * wide * (r % 2) + row for r, row in enumerate(rows))
