"""Boards of cells for games: names of cells such as c4, neighbours, drawings, and fleets of ships that do not touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from rlgym.core.rng import Rng

LETTERS = "abcdefghijklmnopqrstuvwxyz"
Ship = tuple[int, ...]


def cell_name(cell: int, width: int) -> str:
    """The column's letter and the row's number, both from the top left: 0 is a1."""
    return f"{LETTERS[cell % width]}{cell // width + 1}"


def cell_of(name: str, width: int, height: int) -> int | None:
    """The cell of a name; None where the board has none of that name."""
    column, row = LETTERS[:width].find(name[:1]) if name else -1, name[1:]
    if column < 0 or not (row.isascii() and row.isdigit() and len(row) <= 2 and 1 <= int(row) <= height):
        return None
    return (int(row) - 1) * width + column


def sample(signs: Sequence[str], width: int) -> str:
    """The board with its columns' letters above and its rows' numbers on the left."""
    rows = [f"{start // width + 1:>2} {' '.join(signs[start : start + width])}" for start in range(0, len(signs), width)]
    return "\n".join([f"   {' '.join(LETTERS[:width])}", *rows])


@lru_cache(4_000)
def around(cell: int, width: int, height: int) -> tuple[int, ...]:
    """The up to eight neighbours of a cell."""
    row, column = divmod(cell, width)
    rows, columns = range(max(0, row - 1), min(height, row + 2)), range(max(0, column - 1), min(width, column + 2))
    return tuple(r * width + c for r in rows for c in columns if (r, c) != (row, column))


@lru_cache(4_000)
def neighbours_by_direction(cell: int, width: int, height: int) -> Mapping[str, int]:
    """The neighbours of a cell by direction."""
    row, column = divmod(cell, width)
    steps = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
    near = {direction: (row + down, column + right) for direction, (down, right) in steps.items()}
    return {direction: r * width + c for direction, (r, c) in near.items() if 0 <= r < height and 0 <= c < width}


def fleet(rng: Rng, size: int, lengths: Sequence[int], rocks: Sequence[int]) -> tuple[Ship, ...]:
    """Straight ships on a square board, clear of rocks, that do not touch, not even at corners; fewer where the board is too small."""
    longest: tuple[Ship, ...] = ()
    for _ in range(20):
        ships: list[Ship] = []
        closed = set(rocks)
        for length in lengths:
            starts = [(cell, step) for step in (1, size) for cell in range(size * size) if _fits(cell, step, length, size, closed)]
            if not starts:
                break
            cell, step = rng.choice(starts)
            ships.append(tuple(cell + k * step for k in range(length)))
            closed |= {other for part in ships[-1] for other in (part, *around(part, size, size))}
        longest = max(longest, tuple(ships), key=len)
        if len(longest) == len(lengths):
            break
    return longest


def _fits(cell: int, step: int, length: int, size: int, closed: set[int]) -> bool:
    row, column = divmod(cell, size)
    if (column if step == 1 else row) + length > size:
        return False
    return not any(cell + k * step in closed for k in range(length))
