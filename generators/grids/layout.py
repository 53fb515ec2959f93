"""Grids as text, and what is wrong with one at first sight."""

from collections.abc import Sequence

Cells = tuple[tuple[str, ...], ...]


def place(cell: int, columns: int) -> str:
    """The short name of a cell, rows and columns counted from 1: r2c3."""
    return f"r{cell // columns + 1}c{cell % columns + 1}"


def list_numbers(mask: int, separator: str = ", ") -> str:
    """The numbers of a mask, counted from 1."""
    return separator.join(str(i + 1) for i in range(mask.bit_length()) if mask >> i & 1)


def rows_of(letters: Sequence[str], columns: int) -> Cells:
    """The cells, read row by row, as rows."""
    return tuple(tuple(letters[i : i + columns]) for i in range(0, len(letters), columns))


def render_grid(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as a prompt shows them, with spaces between the cells."""
    return "\n".join(" ".join(row) for row in rows)


def find_misfit(answer: Cells, given: Sequence[Sequence[str]], letters: Sequence[str], unknown: str = ".") -> str:
    """Why an answer is no filling of a grid at all: its shape, a foreign sign, a changed given. Empty if it is one.

    `letters` holds the signs that may replace `unknown`.
    """
    if len(answer) != len(given) or any(len(row) != len(known) for row, known in zip(answer, given)):
        return f"the grid must have {len(given)} rows of {len(given[0])} cells"
    allowed = set(letters)
    for r, (row, known) in enumerate(zip(answer, given), 1):
        for c, (cell, fixed) in enumerate(zip(row, known), 1):
            if fixed == unknown and cell not in allowed:
                return f"the sign in row {r}, column {c} is not one of {' '.join(letters)}"
            if fixed not in (unknown, cell):
                return f"row {r}, column {c} differs from the grid that was given"
    return ""


def exchange_neighbours(right: Cells, given: Sequence[Sequence[str]], unknown: str = ".") -> list[Cells]:
    """Wrong fillings near a right one: two neighbouring unknown cells of a row or of a column exchanged."""
    neighbours = []
    open_cells = [(r, c) for r, row in enumerate(given) for c, cell in enumerate(row) if cell == unknown]
    for down, across in ((0, 1), (1, 0)):
        for r, c in open_cells:
            other = (r + down, c + across)
            if other in open_cells and right[r][c] != right[other[0]][other[1]]:
                neighbours.append(replace_cells(right, {(r, c): right[other[0]][other[1]], other: right[r][c]}))
                break
    return neighbours


def replace_cells(grid: Cells, cells: dict[tuple[int, int], str]) -> Cells:
    """A grid with some cells replaced."""
    return tuple(tuple(cells.get((r, c), cell) for c, cell in enumerate(row)) for r, row in enumerate(grid))
