"""Pieces made of squares: all of a size, their turns and reflections, and the ways in which they fill a shape."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

Piece = tuple[tuple[int, int], ...]  # cells as row and column, from 0, sorted


def move(cells: Sequence[tuple[int, int]]) -> Piece:
    """The same cells, moved to the top left corner."""
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - top, c - left) for r, c in cells))


@lru_cache(maxsize=4096)
def ways(piece: Piece, turns: str) -> tuple[Piece, ...]:
    """The piece as it may lie: `turns` is "none", "turn" (by quarters) or "flip" (also turned over)."""
    orientations, cells = {move(piece): None}, piece
    for k in range(0 if turns == "none" else 8 if turns == "flip" else 4):
        cells = tuple((c, -r) for r, c in cells) if k != 4 else tuple((r, -c) for r, c in cells)
        orientations[move(cells)] = None
    return tuple(sorted(orientations))


@lru_cache(maxsize=16)
def every(size: int) -> tuple[Piece, ...]:
    """All pieces of a size, up to turning and flipping, in a fixed order."""
    if size == 1:
        return (((0, 0),),)
    shapes = set()
    for piece in every(size - 1):
        for r, c in piece:
            for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if cell not in piece:
                    shapes.add(min(ways(move((*piece, cell)), "flip")))
    return tuple(sorted(shapes))


def placements(pieces: Sequence[Piece], turns: str, shape: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Every way in which a piece lies inside a shape: the piece, and the cells as a set of bits in the order of the shape."""
    spots = {cell: 1 << k for k, cell in enumerate(shape)}
    found = []
    for number, piece in enumerate(pieces):
        for orientation in ways(piece, turns):
            first = orientation[0]
            for row, column in shape:
                cells = [(row + r - first[0], column + c - first[1]) for r, c in orientation]
                if all(cell in spots for cell in cells):
                    found.append((number, sum(spots[cell] for cell in cells)))
    return found


def fill(every_way: Sequence[tuple[int, int]], cells: int, work: list[int], *, last: bool = False) -> Iterator[tuple[tuple[int, int], ...]]:
    """The ways in which each piece is used once and all cells are covered; the first free cell (or the last) is covered next.

    `work` holds how many placements may still be tried; nothing more comes when they are used up.
    """
    full_mask = (1 << cells) - 1
    by_cell: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
    for number, covered in every_way:
        by_cell[covered.bit_length() - 1 if last else (covered & -covered).bit_length() - 1].append((number, covered))
    stack: list[tuple[int, int, tuple[tuple[int, int], ...]]] = [(0, 0, ())]
    while stack:
        done, used, chosen = stack.pop()
        if done == full_mask:
            yield chosen
            continue
        free = full_mask & ~done
        cell = free.bit_length() - 1 if last else (free & -free).bit_length() - 1
        for number, covered in by_cell[cell]:
            if not covered & done and not used >> number & 1:
                work[0] -= 1
                stack.append((done | covered, used | 1 << number, (*chosen, (number, covered))))
        if work[0] < 0:
            return
