"""Operations on square pictures of coloured cells, written as rows of digits with 0 for empty: moving them, and changing objects."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rlgym.generators.rules.chains import Operation
from rlgym.generators.rules.rows import fill_from_left

Picture = tuple[str, ...]
NOTES = (
    ("", "A picture is a square grid of digits: 0 is an empty cell, 1 to 9 are colours."),
    ("object|neighbour", "Two cells are neighbours if they share a side."),
    ("object", "An object is a maximal set of coloured cells, of any colours, that are connected through neighbours."),
    ("Shift all cells", "The picture keeps its size; what would leave it is dropped."),
)


def render_picture(picture: Picture) -> str:
    return "\n".join(" ".join(row) for row in picture)


def _rotate(p: Picture) -> Picture:
    return tuple("".join(column) for column in zip(*p[::-1]))


def _transpose(p: Picture) -> Picture:
    return tuple("".join(column) for column in zip(*p))


def _rows(change: Callable[[str], str]) -> Callable[[Picture], Picture]:
    return lambda p: tuple(map(change, p))


def _columns(change: Callable[[str], str]) -> Callable[[Picture], Picture]:
    return lambda p: _transpose(tuple(map(change, _transpose(p))))


@cache
def _adjacent_cells(size: int, cell: int) -> tuple[int, ...]:
    column = cell % size
    around = [cell - size] * (cell >= size) + [cell + size] * (cell < size * size - size)
    return (*around, *[cell - 1] * (column > 0), *[cell + 1] * (column < size - 1))


def _parts(p: Picture, empty: bool = False) -> list[list[int]]:
    """The objects, or the connected parts of what is empty, from the top left on."""
    size, cells = len(p), "".join(p)
    left = {cell for cell, colour in enumerate(cells) if (colour == "0") == empty}
    parts = []
    for start in sorted(left):
        if start in left:
            left.discard(start)
            part = [start]
            for cell in part:
                for other in _adjacent_cells(size, cell):
                    if other in left:
                        left.discard(other)
                        part.append(other)
            parts.append(part)
    return parts


def _paint(p: Picture, paint: Callable[[str, int], str]) -> Picture:
    cells, size = "".join(p), len(p)
    changed = [paint(colour, cell) for cell, colour in enumerate(cells)]
    return tuple("".join(changed[k : k + size]) for k in range(0, size * size, size))


def _keep(p: Picture, keep: Callable[[list[int]], bool]) -> Picture:
    return _only(p, {cell for part in _parts(p) if keep(part) for cell in part})


def _only(p: Picture, kept: set[int]) -> Picture:
    return _paint(p, lambda colour, cell: colour if cell in kept else "0")


def _largest(p: Picture) -> list[int]:
    return max(_parts(p), key=len, default=[])


def _count(p: Picture) -> Picture:
    sizes = {cell: str(min(9, len(part))) for part in _parts(p) for cell in part}
    return _paint(p, lambda colour, cell: sizes.get(cell, "0"))


def _fill(p: Picture) -> Picture:
    size = len(p)
    edge = {cell for cell in range(size * size) if cell < size or cell >= size * size - size or cell % size in (0, size - 1)}
    holes = {cell for part in _parts(p, empty=True) if not edge & set(part) for cell in part}
    return _paint(p, lambda colour, cell: "1" if cell in holes else colour)


def _around(p: Picture) -> Picture:
    size, cells = len(p), "".join(p)
    return _paint(p, lambda colour, cell: "2" if colour == "0" and any(cells[k] != "0" for k in _adjacent_cells(size, cell)) else colour)


def _hollow(p: Picture) -> Picture:
    size, cells = len(p), "".join(p)

    def inner(cell: int) -> bool:
        beside = _adjacent_cells(size, cell)
        return len(beside) == 4 and all(cells[k] != "0" for k in beside)

    return _paint(p, lambda colour, cell: "0" if inner(cell) else colour)


def _swap(one: str, other: str) -> Callable[[Picture], Picture]:
    return _rows(lambda row: row.translate(str.maketrans(one + other, other + one)))


MOVES: tuple[Operation[Picture], ...] = (
    Operation("Rotate the picture 90 degrees clockwise.", _rotate),
    Operation("Mirror the picture so that left and right are swapped.", _rows(lambda row: row[::-1])),
    Operation(
        "Let the coloured cells of each column fall to the bottom, keeping their order.",
        _columns(lambda row: row.replace("0", "").rjust(len(row), "0")),
    ),
    Operation("Mirror the picture so that top and bottom are swapped.", lambda p: p[::-1]),
    Operation("Shift all cells one place to the right; the first column becomes empty.", _rows(lambda row: "0" + row[:-1])),
    Operation("Swap rows and columns: the first row becomes the first column, and so on.", _transpose),
    Operation(
        "Push the coloured cells of each row to the left, keeping their order.",
        _rows(lambda row: row.replace("0", "").ljust(len(row), "0")),
    ),
    Operation("Rotate the rows down by one: the last row becomes the first.", lambda p: p[-1:] + p[:-1]),
    Operation(
        "Make the right half the mirror image of the left half; a middle column does not change.",
        _rows(lambda row: row[: (len(row) + 1) // 2] + row[: len(row) // 2][::-1]),
    ),
    Operation("Rotate the columns to the right by two: the last two become the first two.", _rows(lambda row: row[-2:] + row[:-2])),
    Operation(
        "Make the bottom half the mirror image of the top half; a middle row does not change.",
        lambda p: p[: (len(p) + 1) // 2] + p[: len(p) // 2][::-1],
    ),
    Operation("Shift all cells one place up; the last row becomes empty.", lambda p: (*p[1:], "0" * len(p))),
)
OBJECTS: tuple[Operation[Picture], ...] = (
    Operation("Empty all objects that consist of one cell.", lambda p: _keep(p, lambda part: len(part) > 1)),
    Operation("Swap the colours 1 and 2.", _swap("1", "2")),
    Operation(
        "Fill every empty cell with the colour of the nearest coloured cell to its left in its row, if there is one.", _rows(fill_from_left)
    ),
    Operation(
        "Empty all objects except the largest; if there are several, keep the one that comes first when reading row by row.",
        lambda p: _only(p, set(_largest(p))),
    ),
    Operation("Paint every empty cell that has a coloured neighbour with colour 2.", _around),
    Operation(
        "Paint with colour 1 every empty cell from which no path of neighbouring empty cells reaches the border of the picture.", _fill
    ),
    Operation("Paint each object with the colour whose number is the object's number of cells (9 for more than 9).", _count),
    Operation("Empty every cell that has four coloured neighbours.", _hollow),
    Operation("Swap the colours 1 and 3.", _swap("1", "3")),
    Operation("Empty the first object, reading row by row.", lambda p: _only(p, set().union(*_parts(p)[1:]))),
    Operation(
        "Fill every empty cell with the colour of the nearest coloured cell above it in its column, if there is one.",
        _columns(fill_from_left),
    ),
    Operation("Empty all cells of colour 3.", _rows(lambda row: row.replace("3", "0"))),
)
