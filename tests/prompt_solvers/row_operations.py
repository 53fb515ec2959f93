"""Operations on rows of coloured cells, by the words that describe them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, pairwise

Row = tuple[int, ...]


def runs(row: Row) -> list[tuple[int, int, int]]:
    """The objects of a row: first cell, end and colour."""
    found, at = [], 0
    for colour, cells in groupby(row):
        size = len(list(cells))
        found += [(at, at + size, colour)] if colour else []
        at += size
    return found


def drawn(row: Row, parts: list[tuple[int, int, int]]) -> Row:
    """A row of the same length with these objects."""
    cells = [0] * len(row)
    for start, end, colour in parts:
        cells[start:end] = [colour] * (end - start)
    return tuple(cells)


def coloured(choose: Callable[[list[tuple[int, int, int]], int], int]) -> Callable[[Row], Row]:
    """The operation that gives each object the colour chosen from all objects and its place among them."""

    def change(row: Row) -> Row:
        parts = runs(row)
        return drawn(row, [(start, end, choose(parts, i)) for i, (start, end, _) in enumerate(parts)])

    return change


def longest(parts: list[tuple[int, int, int]]) -> int:
    """The place of the first longest object."""
    return max(range(len(parts)), key=lambda i: (parts[i][1] - parts[i][0], -i))


def extended(row: Row, step: int) -> Row:
    """Each object grows by one cell into an empty cell on one side."""
    cells = list(row)
    for start, end, colour in runs(row):
        at = end if step > 0 else start - 1
        if 0 <= at < len(row) and not row[at]:
            cells[at] = colour
    return tuple(cells)


def joined(row: Row) -> Row:
    """Gaps between consecutive objects of one colour are filled."""
    parts = runs(row)
    gaps = [(a[1], b[0], a[2]) for a, b in pairwise(parts) if a[2] == b[2]]
    return drawn(row, parts + gaps)


def filled(row: Row) -> Row:
    """Empty cells take the colour of the nearest coloured cell to their left."""
    cells = list(row)
    for at in range(1, len(cells)):
        cells[at] = cells[at] or cells[at - 1]
    return tuple(cells)


ROW_OPERATIONS: dict[str, Callable[[Row], Row]] = {
    "Extend each object by one cell to the right if that cell is empty": lambda row: extended(row, 1),
    "Extend each object by one cell to the left if that cell is empty": lambda row: extended(row, -1),
    "Empty all objects except the longest one (the first one if there are several)": lambda row: drawn(
        row, [runs(row)[longest(runs(row))]] if any(row) else []
    ),
    "Empty the longest object (the first one if there are several)": lambda row: drawn(
        row, [p for i, p in enumerate(runs(row)) if i != longest(runs(row))]
    ),
    "Empty all objects that consist of one cell": lambda row: drawn(row, [p for p in runs(row) if p[1] - p[0] > 1]),
    "If two consecutive objects have the same colour, fill the empty cells between them with that colour": joined,
    "Give all objects the colour of the first one": coloured(lambda parts, i: parts[0][2]),
    "Give all objects the colour of the longest one (the first one if there are several)": coloured(
        lambda parts, i: parts[longest(parts)][2]
    ),
    "Give each object the colour whose number is the object's number of cells (9 for more than 9)": coloured(
        lambda parts, i: min(9, parts[i][1] - parts[i][0])
    ),
    "Give each object the colour of the object before it, and the first object the colour of the last": coloured(
        lambda parts, i: parts[i - 1][2]
    ),
    "Reverse the order of the objects' colours: the first object takes the colour of the last, and so on": coloured(
        lambda parts, i: parts[-1 - i][2]
    ),
    "Empty all objects that have the colour of the first one": lambda row: drawn(row, [p for p in runs(row) if p[2] != runs(row)[0][2]]),
    "Empty the last object": lambda row: drawn(row, runs(row)[:-1]),
    "Empty the first cell of each object": lambda row: drawn(row, [(start + 1, end, colour) for start, end, colour in runs(row)]),
    "Empty the inner cells of each object, all except its first and last cell": lambda row: drawn(
        row, [cell for start, end, colour in runs(row) for cell in ((start, start + 1, colour), (end - 1, end, colour))]
    ),
    "Fill every empty cell with the colour of the nearest coloured cell to its left, if there is one": filled,
}
