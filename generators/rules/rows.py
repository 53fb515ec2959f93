"""Operations on rows of coloured cells, written as digits with 0 for empty: moving them, and changing objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from rlgym.generators.rules.chains import Operation

NOTES = (
    ("", "A row is written as digits, one per cell: 0 is an empty cell, 1 to 9 are colours."),
    ("object", "An object is a maximal run of neighbouring cells of one colour."),
    ("Shift|with one empty cell", "The row keeps its length; what would go beyond its ends is dropped."),
)
Run = tuple[str, int, int]  # colour, first cell, cell after the last


def _runs(row: str) -> list[Run]:
    runs, at = [], 0
    for colour, cells in groupby(row):
        size = len(list(cells))
        if colour != "0":
            runs.append((colour, at, at + size))
        at += size
    return runs


def _paint(row: str, runs: Sequence[Run]) -> str:
    cells = ["0"] * len(row)
    for colour, start, end in runs:
        cells[start:end] = colour * (end - start)
    return "".join(cells)


def _grow(row: str, left: int, right: int) -> str:
    cells = list(row)
    for colour, start, end in _runs(row):
        for at in (*range(start - left, start), *range(end, end + right)):
            if 0 <= at < len(row) and row[at] == "0":
                cells[at] = colour
    return "".join(cells)


def fill_from_left(row: str) -> str:
    """The row with every empty cell in the colour of the nearest coloured cell to its left."""
    cells = list(row)
    for at in range(1, len(row)):
        if cells[at] == "0":
            cells[at] = cells[at - 1]
    return "".join(cells)


def _bridge(row: str) -> str:
    cells, runs = list(row), _runs(row)
    for (colour, _, end), (other, start, _) in pairwise(runs):
        if colour == other:
            cells[end:start] = colour * (start - end)
    return "".join(cells)


def _longest(row: str) -> Run | None:
    return max(_runs(row), key=lambda run: (run[2] - run[1], -run[1]), default=None)


def _pack(row: str, gaps: int) -> str:
    parts = [colour * (end - start) for colour, start, end in _runs(row)]
    return ("0" * gaps).join(parts)[: len(row)].ljust(len(row), "0")


def _keep(row: str, keep: Callable[[Run], bool]) -> str:
    return _paint(row, [run for run in _runs(row) if keep(run)])


def _each(row: str, change: Callable[[Run], Run]) -> str:
    return _paint(row, [change(run) for run in _runs(row)])


def _colours(row: str, order: int) -> str:
    runs = _runs(row)
    colours = [run[0] for run in runs]
    turned = colours[::-1] if order < 0 else colours[-order:] + colours[:-order] if colours else []
    return _paint(row, [(colour, start, end) for colour, (_, start, end) in zip(turned, runs)])


MOVES: tuple[Operation[str], ...] = (
    Operation("Shift all cells one place to the right; the first cell becomes empty.", lambda r: "0" + r[:-1]),
    Operation("Reverse the row.", lambda r: r[::-1]),
    Operation("Shift all cells one place to the left; the last cell becomes empty.", lambda r: r[1:] + "0"),
    Operation("Push all coloured cells to the left, keeping their order.", lambda r: r.replace("0", "").ljust(len(r), "0")),
    Operation("Rotate the row to the right by two: the last two cells come to the front.", lambda r: r[-2:] + r[:-2]),
    Operation("Push all coloured cells to the right, keeping their order.", lambda r: r.replace("0", "").rjust(len(r), "0")),
    Operation("Rotate the row to the left by three: the first three cells come to the end.", lambda r: r[3:] + r[:3]),
    Operation(
        "Make the last half the mirror image of the first half; a middle cell does not change.",
        lambda r: r[: (len(r) + 1) // 2] + r[: len(r) // 2][::-1],
    ),
    Operation("Swap the first and the last cell.", lambda r: r[-1] + r[1:-1] + r[0]),
    Operation(
        "Push all objects to the left, keeping their order, with one empty cell between neighbouring objects.", lambda r: _pack(r, 1)
    ),
    Operation(
        "Swap the first half and the last half; a middle cell does not change.",
        lambda r: r[(len(r) + 1) // 2 :] + r[len(r) // 2 : (len(r) + 1) // 2] + r[: len(r) // 2],
    ),
    Operation("Empty every second cell, starting with the second one.", lambda r: "".join("0" if k % 2 else c for k, c in enumerate(r))),
    Operation("Empty the first half; a middle cell does not change.", lambda r: "0" * (len(r) // 2) + r[len(r) // 2 :]),
    Operation("Empty the last half; a middle cell does not change.", lambda r: r[: (len(r) + 1) // 2] + "0" * (len(r) // 2)),
    Operation(
        "Make the first half the mirror image of the last half; a middle cell does not change.",
        lambda r: r[(len(r) + 1) // 2 :][::-1] + r[len(r) // 2 :],
    ),
    Operation(
        "Copy the first half onto the last half, in the same order; a middle cell does not change.",
        lambda r: r[: (len(r) + 1) // 2] + r[: len(r) // 2],
    ),
)
OBJECTS: tuple[Operation[str], ...] = (
    Operation("Empty all objects that consist of one cell.", lambda r: _keep(r, lambda run: run[2] - run[1] > 1)),
    Operation("Extend each object by one cell to the right if that cell is empty.", lambda r: _grow(r, 0, 1)),
    Operation(
        "Empty all objects except the longest one (the first one if there are several).", lambda r: _keep(r, lambda run: run == _longest(r))
    ),
    Operation("Give all objects the colour of the first one.", lambda r: _each(r, lambda run: (_runs(r)[0][0], *run[1:]))),
    Operation("If two consecutive objects have the same colour, fill the empty cells between them with that colour.", _bridge),
    Operation("Empty the longest object (the first one if there are several).", lambda r: _keep(r, lambda run: run != _longest(r))),
    Operation(
        "Empty the inner cells of each object, all except its first and last cell.",
        lambda r: "".join("0" if 0 < k < len(r) - 1 and r[k - 1] == r[k] == r[k + 1] else c for k, c in enumerate(r)),
    ),
    Operation("Extend each object by one cell to the left if that cell is empty.", lambda r: _grow(r, 1, 0)),
    Operation(
        "Reverse the order of the objects' colours: the first object takes the colour of the last, and so on.", lambda r: _colours(r, -1)
    ),
    Operation(
        "Give each object the colour whose number is the object's number of cells (9 for more than 9).",
        lambda r: _each(r, lambda run: (str(min(9, run[2] - run[1])), *run[1:])),
    ),
    Operation("Fill every empty cell with the colour of the nearest coloured cell to its left, if there is one.", fill_from_left),
    Operation("Empty the first cell of each object.", lambda r: _each(r, lambda run: (run[0], run[1] + 1, run[2]))),
    Operation(
        "Give each object the colour of the object before it, and the first object the colour of the last.", lambda r: _colours(r, 1)
    ),
    Operation("Empty all objects that have the colour of the first one.", lambda r: _keep(r, lambda run: run[0] != _runs(r)[0][0])),
    Operation("Empty the last object.", lambda r: _keep(r, lambda run: run != _runs(r)[-1])),
    Operation(
        "Give all objects the colour of the longest one (the first one if there are several).",
        lambda r: _each(r, lambda run: ((_longest(r) or run)[0], *run[1:])),
    ),
)
