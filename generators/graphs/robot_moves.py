"""Moves of several robots on a grid: where they lead, which collide, and distances between cells."""

from collections.abc import Sequence
from typing import Protocol

MOVES = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1), "w": (0, 0)}


class Floor(Protocol):
    """A square of cells, some of which are walls."""

    @property
    def side(self) -> int: ...
    @property
    def walls(self) -> tuple[int, ...]: ...


def apply_move(data: Floor, cell: int, move: str) -> int:
    """The cell after a move; -1 if it is a wall or off the grid."""
    row, column = cell // data.side + MOVES[move][0], cell % data.side + MOVES[move][1]
    neighbour = row * data.side + column
    return neighbour if 0 <= row < data.side and 0 <= column < data.side and neighbour not in data.walls else -1


def is_collision_free(current: Sequence[int], after: Sequence[int]) -> bool:
    if len(set(after)) < len(after):
        return False
    moves = set(zip(current, after, strict=True))
    return not any(a != b and (b, a) in moves for a, b in moves)


def breadth_first_distances(data: Floor, goal: int) -> dict[int, int]:
    distance, ring = {goal: 0}, [goal]
    for current in ring:
        for move in "udlr":
            neighbour = apply_move(data, current, move)
            if neighbour >= 0 and neighbour not in distance:
                distance[neighbour] = distance[current] + 1
                ring.append(neighbour)
    return distance
