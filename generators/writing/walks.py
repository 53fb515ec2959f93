"""A map of squares and a walker who follows instructions: turns, steps and landmarks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WALL, STAIRS, PATH, START, GOAL = "#", "=", ".", "A", "Z"
LANDMARKS = {"F": "fountain", "K": "kiosk", "T": "tree", "B": "bench", "C": "clock", GOAL: "station"}
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""North, east, south, west; a turn to the right is the next one."""


@dataclass(frozen=True)
class Walker:
    """Where the walker stands, and the direction that the walker faces."""

    row: int
    column: int
    facing: int

    def turned(self, by: int) -> "Walker":
        return Walker(self.row, self.column, (self.facing + by) % 4)


def ahead(grid: Sequence[str], walker: Walker, barred: str) -> Iterator[Walker]:
    """The squares straight ahead in order, up to the edge or the first barred one."""
    down, right = MOVES[walker.facing]
    row, column = walker.row + down, walker.column + right
    while 0 <= row < len(grid) and 0 <= column < len(grid[0]) and grid[row][column] not in barred:
        yield Walker(row, column, walker.facing)
        row, column = row + down, column + right


def next_landmark(grid: Sequence[str], walker: Walker, barred: str, landmark: str) -> Walker | None:
    """Where the walker stands after going straight on to the next landmark of a kind; None where the way is barred before."""
    return next((square for square in ahead(grid, walker, barred) if LANDMARKS.get(grid[square.row][square.column]) == landmark), None)
