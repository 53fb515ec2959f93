"""Boards cut into galaxies: connected areas that look the same when turned half round about their centres.

A centre is given in half steps: (2r, 2c) is the middle of the cell in row r, column c, and odd numbers lie between cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlgym.core.rng import Rng
from rlgym.generators.grids import layout, regions

Centre = tuple[int, int]


def opposite(cell: int, centre: Centre, height: int, width: int) -> int | None:
    """The cell that takes a cell's place when the board turns half round about the centre; None outside the board."""
    r, c = centre[0] - cell // width, centre[1] - cell % width
    return r * width + c if 0 <= r < height and 0 <= c < width else None


def core_cells(centre: Centre, width: int) -> list[int]:
    """The one, two or four cells that a centre touches."""
    rows, columns = ({x // 2, (x + 1) // 2} for x in centre)
    return [r * width + c for r in sorted(rows) for c in sorted(columns)]


def describe_centre(centre: Centre, width: int) -> str:
    cells = [layout.place(cell, width) for cell in core_cells(centre, width)]
    if len(cells) == 1:
        return f"the middle of {cells[0]}"
    return f"between {cells[0]} and {cells[1]}" if len(cells) == 2 else f"the corner common to {', '.join(cells[:-1])} and {cells[-1]}"


def sample_galaxies(rng: Rng, height: int, width: int, least: int, most: int) -> list[tuple[Centre, list[int]]]:
    """A random board of galaxies that each want `least` to `most` cells; some are smaller where no more fit."""
    near, free, galaxies = regions.neighbours_by_cell(height, width), set(range(height * width)), list[tuple[Centre, list[int]]]()
    while free:
        first = rng.choice(sorted(free))
        r, c = first // width * 2, first % width * 2
        tries = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        centres = [centre for centre in tries if 0 <= centre[0] <= 2 * height - 2 and 0 <= centre[1] <= 2 * width - 2]
        possible = [centre for centre in rng.shuffled(centres) if free.issuperset(core_cells(centre, width))]
        grown = [_grow_galaxy(rng, centre, free, near, rng.integer(least, most), height, width) for centre in possible[:4]]
        best = max(range(len(grown)), key=lambda i: len(grown[i][1]))
        galaxies.append(grown[best])
        free -= set(grown[best][1])
    return sorted(galaxies)


def _grow_galaxy(
    rng: Rng, centre: Centre, free: set[int], near: Sequence[regions.Region], size: int, height: int, width: int
) -> tuple[Centre, list[int]]:
    cells = core_cells(centre, width)
    while len(cells) < size:
        edge = sorted({other for cell in cells for other in near[cell] if other in free} - set(cells))
        edge = [cell for cell in edge if opposite(cell, centre, height, width) in free]
        if not edge:
            break
        cell = rng.choice(edge)
        cells += sorted({cell, opposite(cell, centre, height, width) or 0})
    return centre, cells


def connected_cells(can: list[int], value: int, first: int, near: Sequence[regions.Region]) -> set[int]:
    """The cells that can belong to this galaxy and are connected to its core."""
    reached, waiting = {first}, [first]
    while waiting:
        for other in near[waiting.pop()]:
            if other not in reached and can[other] >> value & 1:
                reached.add(other)
                waiting.append(other)
    return reached


def flood_solutions(centres: Sequence[Centre], givens: dict[int, int], height: int, width: int) -> Iterator[list[int]]:
    """Every cut, by floods: each galaxy spreads over free cells whose mirror images are free; the cell that fewest reach is next."""
    near, cells = regions.neighbours_by_cell(height, width), height * width
    mirror = [[opposite(cell, centre, height, width) for cell in range(cells)] for centre in centres]
    owner = dict[int, int]()
    for v, centre in enumerate(centres):
        owner.update(dict.fromkeys(core_cells(centre, width), v))

    def flooded(v: int) -> set[int]:
        start = core_cells(centres[v], width)
        reached, waiting = set(start), list(start)
        while waiting:
            for cell in near[waiting.pop()]:
                other = mirror[v][cell]
                if cell not in reached and other is not None and owner.get(cell, v) == v == owner.get(other, v):
                    reached.add(cell)
                    waiting.append(cell)
        return reached

    def going() -> Iterator[list[int]]:
        reach = [flooded(v) for v in range(len(centres))]
        if any(cell not in reach[v] for cell, v in owner.items()):
            return
        unowned = [cell for cell in range(cells) if cell not in owner]
        if not unowned:
            yield [owner[cell] for cell in range(cells)]
            return
        options = {cell: [v for v, area in enumerate(reach) if cell in area and givens.get(cell, v) == v] for cell in unowned}
        cell = min(unowned, key=lambda cell: len(options[cell]))
        for v in options[cell]:
            both = [member for member in {cell, mirror[v][cell]} if member is not None and member not in owner]
            owner.update(dict.fromkeys(both, v))
            yield from going()
            for changed in both:
                del owner[changed]

    yield from going()
