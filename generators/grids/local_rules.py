"""Grids of digits in which each digit follows from its left and its upper neighbour, and what is left of them once they are damaged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from rlgym.core.rng import Rng

Digits = tuple[tuple[int, ...], ...]
"""Rows of digits; -1 where a digit is not known."""
Cell = tuple[int, int]
MASKED = -1


class Rule(NamedTuple):
    """Outside the first row and column a digit is the last one of left * (digit on its left) + above * (digit above) + constant."""

    left: int
    above: int
    constant: int

    def value(self, grid: Sequence[Sequence[int]], row: int, column: int) -> int:
        """The number whose last digit belongs into a cell."""
        return self.left * grid[row][column - 1] + self.above * grid[row - 1][column] + self.constant


class Restoration(NamedTuple):
    """A grid that the rule fills, and how it was damaged: how it was moved, and which of its cells then had another digit."""

    moved: Cell
    rule: Rule
    grid: Digits
    changed: tuple[Cell, ...]


def sample_filled_grid(rng: Rng, size: int, rule: Rule) -> Digits:
    """A square grid with any digits in its first row and column, and the others by the rule."""
    grid = [[rng.integer(0, 9) for _ in range(size)] for _ in range(size)]
    for row, column in product(range(1, size), repeat=2):
        grid[row][column] = rule.value(grid, row, column) % 10
    return tuple(map(tuple, grid))


def turned(grid: Digits, quarters: int) -> Digits:
    """The grid after this many quarter turns clockwise."""
    for _ in range(quarters % 4):
        grid = tuple(zip(*grid[::-1]))
    return grid


def rolled(grid: Digits, rows: int, columns: int) -> Digits:
    """The grid after its last rows were moved to the top, and its last columns to the left."""
    size = len(grid)
    return tuple(tuple(grid[(r - rows) % size][(c - columns) % size] for c in range(size)) for r in range(size))


def moved(grid: Digits, kind: str, by: Cell) -> Digits:
    """The grid `turned` by by[0] quarters, `rolled` by both numbers, or as it is (kind `still`)."""
    return turned(grid, by[0]) if kind == "turned" else rolled(grid, *by) if kind == "rolled" else grid


def moves(kind: str, size: int) -> list[Cell]:
    """All ways to move a grid of this size, that of leaving it as it is among them."""
    first, second = {"still": (1, 1), "turned": (4, 1), "rolled": (size, size)}[kind]
    return list(product(range(first), range(second)))


def moved_back(grid: Digits, kind: str, by: Cell) -> Digits:
    """The inverse of `moved`."""
    return moved(grid, kind, (-by[0], -by[1]))


def known_places(grid: Digits) -> list[Cell]:
    """The cells that are known together with their left and their upper neighbour."""
    places = product(range(1, len(grid)), repeat=2)
    return [(r, c) for r, c in places if MASKED not in (grid[r][c], grid[r][c - 1], grid[r - 1][c])]


def restorations(shown: Digits, kind: str, factor: int, changes: int) -> Iterator[Restoration]:
    """The ways to read a damaged grid: how it was moved, a rule with factors from 1 to `factor`, and at most `changes` replaced digits.

    Every grid that needs exactly `changes` is found unless one needs fewer, and then one of those is.
    """
    for by in moves(kind, len(shown)):
        grid = moved_back(shown, kind, by)
        places = [((r, c), grid[r][c], grid[r][c - 1], grid[r - 1][c]) for r, c in known_places(grid)]
        for left, above in product(range(1, factor + 1), repeat=2):
            rests = [(digit - left * beside - above * over) % 10 for _, digit, beside, over in places]
            for constant, fitting in Counter(rests).items():
                # A replaced digit spoils three places at most: its own, the one on its right and the one below.
                if len(places) - fitting <= 3 * changes:
                    rule = Rule(left, above, constant)
                    broken = [place for (place, *_), rest in zip(places, rests, strict=True) if rest != constant]
                    for found, changed in _repaired([list(row) for row in grid], rule, changes, broken):
                        differing = tuple(cell for cell in sorted(changed) if found[cell[0]][cell[1]] != grid[cell[0]][cell[1]])
                        yield Restoration(by, rule, found, differing)


def _repaired(grid: list[list[int]], rule: Rule, changes: int, broken: Sequence[Cell]) -> Iterator[tuple[Digits, tuple[Cell, ...]]]:
    """Grids that the rule fills and that differ in at most `changes` known cells from this one, and those cells.

    `broken` are the places where the rule does not hold; one of the three cells of each was replaced.
    """
    if not broken:
        fills = list(_filled(grid, rule, [(r, c) for r, c in product(range(len(grid)), repeat=2) if grid[r][c] == MASKED]))
        for fill in fills:
            yield fill, ()
        if fills:
            return
    if not changes or len(broken) > 3 * changes:
        return
    around: Iterable[Cell] = _depends(broken[0]) if broken else [(r, c) for r in range(len(grid)) for c in range(len(grid))]
    for cell in around:
        row, column = cell
        if (digit := grid[row][column]) != MASKED:
            grid[row][column] = MASKED
            rest = [place for place in broken if cell not in _depends(place)]
            yield from ((found, (*changed, cell)) for found, changed in _repaired(grid, rule, changes - 1, rest))
            grid[row][column] = digit


def _depends(place: Cell) -> tuple[Cell, Cell, Cell]:
    """A cell, the one on its left and the one above it."""
    row, column = place
    return place, (row, column - 1), (row - 1, column)


def _filled(grid: list[list[int]], rule: Rule, unknown: Sequence[Cell]) -> Iterator[Digits]:
    """The grids without unknown cells that the rule fills; those are filled in reading order."""
    if not unknown:
        yield tuple(map(tuple, grid))
        return
    (row, column), *others = unknown
    for digit in [rule.value(grid, row, column) % 10] if row and column else range(10):
        grid[row][column] = digit
        if all(_holds(grid, rule, r, c) for r, c in ((row, column), (row, column + 1), (row + 1, column))):
            yield from _filled(grid, rule, others)
        grid[row][column] = MASKED


def _holds(grid: list[list[int]], rule: Rule, row: int, column: int) -> bool:
    """Whether the rule holds in a cell, as far as the cells it depends on are known."""
    if not (0 < row < len(grid) and 0 < column < len(grid)):
        return True
    cells = (grid[row][column], grid[row][column - 1], grid[row - 1][column])
    return MASKED in cells or rule.value(grid, row, column) % 10 == cells[0]
