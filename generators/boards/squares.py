"""Squares of a board with their names, rows as text and as a picture. Square 0 is a1, at the bottom left; rows follow one another upwards."""

from collections.abc import Callable
from functools import cache

from rlgym.generators.drawing.pictures import board

LETTERS = "abcdefghijkl"
WHERE = "Columns have letters, from a at the left, and rows have numbers, from 1 at the bottom; a square is named by its column and its row"
Sign = Callable[[int], str]


@cache
def square_name(width: int, square: int) -> str:
    """The name of a square: b3 is in the second column from the left and the third row from the bottom."""
    return f"{LETTERS[square % width]}{square // width + 1}"


def text(width: int, height: int, sign: Sign) -> str:
    """The board with the numbers of the rows at the left and the letters of the columns below."""
    rows = [f"{row + 1} {' '.join(sign(row * width + column) for column in range(width))}" for row in reversed(range(height))]
    return "\n".join([*rows, f"  {' '.join(LETTERS[:width])}"])


def sample(size: tuple[int, ...], sign: Sign, *, shaded: Callable[[int], bool] | None = None) -> str:
    """The board as SVG; what `sign` gives as a dot is an empty square. `size` is its width and height."""
    width, height = size
    down = [row * width + column for row in reversed(range(height)) for column in range(width)]
    cells = [[sign(square) for square in down[i : i + width]] for i in range(0, len(down), width)]
    dark = [i for i, square in enumerate(down) if shaded and shaded(square)]
    return board(cells, left=[str(row + 1) for row in reversed(range(height))], bottom=tuple(LETTERS[:width]), shaded=dark)


@cache
def neighbour_masks(width: int, height: int, diagonal: bool = False) -> tuple[int, ...]:
    """The squares next to each square, a bit each."""
    ways = [(0, 1), (1, 0), (0, -1), (-1, 0)] + [(1, 1), (1, -1), (-1, 1), (-1, -1)] * diagonal
    return tuple(
        sum(1 << ray[0] for direction in ways if (ray := _ray(width, height, square, *direction))) for square in range(width * height)
    )


@cache
def rays(width: int, height: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The squares seen from each square along each of the eight ways, the nearest first: those along rows and columns come first."""
    ways = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    return tuple(tuple(_ray(width, height, square, *direction) for direction in ways) for square in range(width * height))


def _ray(width: int, height: int, square: int, up: int, right: int) -> tuple[int, ...]:
    row, column = square // width + up, square % width + right
    out = []
    while 0 <= row < height and 0 <= column < width:
        out.append(row * width + column)
        row, column = row + up, column + right
    return tuple(out)
