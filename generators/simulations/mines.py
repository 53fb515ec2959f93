"""Mine fields, what opening a cell shows, and what follows from what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rlgym.core.rng import Rng
from rlgym.generators.simulations.boards import around

Cells = frozenset[int]
Clue = tuple[Cells, int]  # closed cells and how many of them are mined


def cells_opened(start: int, mines: Cells, width: int, height: int) -> list[int]:
    """The cells that opening a cell without a mine opens: where no neighbour is mined, all neighbours too, and so on."""
    opened_cells, queue = {start: None}, [start]
    for cell in queue:
        near = around(cell, width, height)
        if mines.isdisjoint(near):
            for other in near:
                if other not in opened_cells:
                    opened_cells[other] = None
                    queue.append(other)
    return list(opened_cells)


def numbers(cells: Cells, mines: Cells, width: int, height: int) -> dict[int, int]:
    """How many neighbours of each cell are mined."""
    return {cell: len(mines.intersection(around(cell, width, height))) for cell in sorted(cells)}


def surely(shown: Mapping[int, int], width: int, height: int, pairs: bool) -> tuple[Cells, Cells]:
    """Closed cells that are surely free, and surely mined, by the clues one by one, or also by one inside another."""
    safe, mined = frozenset[int](), frozenset[int]()
    while True:
        clues = _clues(shown, safe, mined, width, height)
        free = {cell for cells, count in clues if count == 0 for cell in cells}
        full = {cell for cells, count in clues if count == len(cells) for cell in cells}
        if pairs and not free and not full:
            for small, few in clues:
                for large, many in clues:
                    if small < large and many - few in (0, len(large - small)):
                        (free if many == few else full).update(large - small)
        if not free and not full:
            return safe, mined
        safe, mined = safe | free, mined | full
        if free:
            return safe, mined


@lru_cache(512)
def rounds(mines: Cells, first: int, width: int, height: int, pairs: bool) -> int:
    """Turns in which the field is opened without guessing; 0 where that is not possible."""
    shown, count = frozenset(cells_opened(first, mines, width, height)), 0
    while len(shown) < width * height - len(mines):
        safe, _ = surely(numbers(shown, mines, width, height), width, height, pairs)
        if not safe:
            return 0
        count += 1
        shown = shown.union(*(cells_opened(cell, mines, width, height) for cell in safe))
    return count


def field(rng: Rng, width: int, height: int, mines: int, pairs: bool) -> tuple[Cells, int]:
    """Mines and a first cell next to none of them, solvable without guessing in two turns or more; with `pairs` not by single clues alone."""
    while True:
        for _ in range(60):
            first = rng.integer(0, width * height - 1)
            others = [cell for cell in range(width * height) if cell != first and cell not in around(first, width, height)]
            mined = frozenset(rng.sample(others, min(mines, len(others) - 1)))
            if rounds(mined, first, width, height, pairs) > 1 and not (pairs and rounds(mined, first, width, height, False)):
                return mined, first
        # So small or full a field has hardly any that are as asked.
        mines, pairs = max(mines - 1, 2), pairs and mines > 4


def _clues(shown: Mapping[int, int], safe: Cells, mined: Cells, width: int, height: int) -> list[Clue]:
    known = safe | mined | frozenset(shown)
    clues: dict[Clue, None] = {}
    for cell, count in shown.items():
        near = around(cell, width, height)
        if closed := frozenset(near) - known:
            clues[closed, count - len(mined.intersection(near))] = None
    return list(clues)
