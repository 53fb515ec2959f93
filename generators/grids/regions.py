"""Grids cut into connected regions, and how a prompt shows them."""

from collections.abc import Callable, Sequence
from functools import cache
from string import ascii_letters

from rlgym.core.rng import Rng
from rlgym.generators.grids import layout

Region = tuple[int, ...]


@cache
def neighbours_by_cell(height: int, width: int) -> tuple[Region, ...]:
    """The neighbours of each cell above, below, left and right."""
    near = []
    for cell in range(height * width):
        r, c = divmod(cell, width)
        steps = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
        near.append(tuple(i * width + j for i, j in steps if 0 <= i < height and 0 <= j < width))
    return tuple(near)


@cache
def touching_neighbours(height: int, width: int) -> tuple[Region, ...]:
    """The neighbours of each cell, diagonal ones included."""
    near = []
    for cell in range(height * width):
        r, c = divmod(cell, width)
        steps = [(i, j) for i in range(r - 1, r + 2) for j in range(c - 1, c + 2) if (i, j) != (r, c)]
        near.append(tuple(i * width + j for i, j in steps if 0 <= i < height and 0 <= j < width))
    return tuple(near)


def partition(
    rng: Rng, height: int, width: int, least: int, most: int, fits: Callable[[list[int], int], bool] = lambda region, cell: True
) -> list[Region]:
    """A random cut into regions of `least` to `most` cells; some are smaller where no more fits."""
    near, taken, regions = neighbours_by_cell(height, width), [False] * (height * width), []
    for first in rng.shuffled(range(height * width)):
        if taken[first]:
            continue
        region, size = [first], rng.integer(least, most)
        taken[first] = True
        while len(region) < size:
            edge = sorted({cell for inner in region for cell in near[inner] if not taken[cell] and fits(region, cell)})
            if not edge:
                break
            cell = rng.choice(edge)
            taken[cell] = True
            region.append(cell)
        regions.append(tuple(sorted(region)))
    return sorted(regions)


def grow_region(rng: Rng, height: int, width: int, seeds: Sequence[Region]) -> list[Region]:
    """A random cut, into small and large regions, each grown from one of the seeds, all of whose cells it holds."""
    near, regions = neighbours_by_cell(height, width), [list(seed) for seed in seeds]
    eager = [rng.choice((1, 1, 1, 4, 12)) for _ in seeds]
    free = set(range(height * width)) - {cell for seed in seeds for cell in seed}
    while free:
        region = rng.weighted(regions, eager)
        edge = sorted({cell for inner in region for cell in near[inner] if cell in free})
        if edge:
            cell = rng.choice(edge)
            free.remove(cell)
            region.append(cell)
    return [tuple(sorted(region)) for region in regions]


def pieces(cells: Sequence[int], near: Sequence[Region]) -> list[Region]:
    """The connected pieces of some cells."""
    unvisited, components = set(cells), []
    for first in sorted(unvisited):
        if first in unvisited:
            unvisited.remove(first)
            piece, waiting = [first], [first]
            while waiting:
                for cell in near[waiting.pop()]:
                    if cell in unvisited:
                        unvisited.remove(cell)
                        piece.append(cell)
                        waiting.append(cell)
            components.append(tuple(sorted(piece)))
    return components


def split(regions: Sequence[Region], cell: int, near: Sequence[Region]) -> list[Region]:
    """The regions after this cell becomes a region of its own."""
    parts: list[Region] = [(cell,)]
    for region in regions:
        parts += pieces([other for other in region if other != cell], near) if cell in region else [region]
    return sorted(parts)


def in_line(region: Sequence[int], size: int) -> bool:
    """Whether the cells all lie in one row or in one column."""
    return len({cell // size for cell in region}) == 1 or len({cell % size for cell in region}) == 1


def owners(regions: Sequence[Region]) -> list[int]:
    """The number of each cell's region, where the regions cover the grid."""
    owner = [0] * sum(map(len, regions))
    for number, region in enumerate(regions):
        for cell in region:
            owner[cell] = number
    return owner


def letters(regions: Sequence[object]) -> list[str]:
    """What each region is called, in order."""
    return [ascii_letters[i % 52].swapcase() * (1 + i // 52) for i in range(len(regions))]


def letter_case(regions: Sequence[object], called: str) -> str:
    """The note of a prompt that the case of letters matters; empty where no small letters are needed."""
    return f" (capital and small letters are different {called})" if len(regions) > 26 else ""


def render_regions(regions: Sequence[Region], width: int) -> str:
    """The grid with each cell shown as its region's letter."""
    signs = [""] * sum(map(len, regions))
    for name, region in zip(letters(regions), regions, strict=True):
        for cell in region:
            signs[cell] = name
    return layout.render_grid(layout.rows_of(signs, width))


def describe_regions(cells: Sequence[int], width: int) -> str:
    """Cells by their places: r1c1, r1c2."""
    return ", ".join(layout.place(cell, width) for cell in cells)
