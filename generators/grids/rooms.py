"""Boards cut into rooms, each of n cells holding 1 to n: what suguru, ripple effect and jigsaw sudoku share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import deduction_sheet, domains, layout, plain_search, regions
from rlgym.generators.grids.domains import Puzzle
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.solutions import Solution

OPENING = (
    "r2c3 stands for the cell in row 2, column 3; a number that is written in is ruled out at once, without saying, in all cells "
    "where it may not stand again."
)
Bans = Callable[[int, int], Sequence[int]]
"""The cells in which a number may not stand again, for a cell and its number."""
Like = Callable[[Rng], int]
"""Draws the size that a room should have."""


class Board(TaskData):
    """The rooms, and the board with dots for unknown numbers."""

    rooms: tuple[Region, ...]
    given: tuple[str, ...]


def puzzle(rooms: Sequence[Region], width: int, bans: Bans, lines: bool = False) -> Puzzle:
    """The puzzle of these rooms; with `lines` each row and column holds each number once as well."""
    cells = sum(map(len, rooms))
    most = max(map(len, rooms))
    home = {cell: room for room in rooms for cell in room}
    clash = tuple(
        tuple(
            tuple((other, 1 << v) for other in sorted({*home[cell], *bans(cell, v + 1)} - {cell}) if v < len(home[other]))
            for v in range(most)
        )
        for cell in range(cells)
    )
    units: list[tuple[str, Sequence[int]]] = [(f"room {name}", room) for name, room in zip(regions.letters(rooms), rooms)]
    if lines:
        units += [(f"row {r + 1}", range(r * width, r * width + width)) for r in range(cells // width)]
        units += [(f"column {c + 1}", range(c, cells, width)) for c in range(width)]
    rules = [
        domains.exactly_one(f"number {v + 1} in {name}", [(cell, 1 << v) for cell in unit])
        for name, unit in units
        if len(unit) > 1
        for v in range(len(unit))
    ]
    return Puzzle(
        tuple(layout.place(cell, width) for cell in range(cells)),
        tuple(str(v + 1) for v in range(most)),
        tuple((1 << len(home[cell])) - 1 for cell in range(cells)),
        clash,
        tuple(rules),
    )


def sample_rooms(rng: Rng, height: int, width: int, most: int, bans: Bans, like: Like) -> tuple[list[Region], list[int]]:
    """Rooms and a right filling, sampled together: each grows over free cells by numbers that may stand there.

    A cell that can be no room joins an adjacent one, or the adjacent rooms are removed and grown again.
    """
    near = regions.neighbours_by_cell(height, width)
    while True:
        numbers: list[int] = [0] * (height * width)
        home: dict[int, list[int]] = {}
        for _ in range(2 * height * width):
            free = [cell for cell, number in enumerate(numbers) if not number]
            if not free:
                return sorted({tuple(sorted(room)) for room in home.values()}), numbers
            fewest = min(sum(not numbers[other] for other in near[cell]) for cell in free)
            first = rng.choice([cell for cell in free if sum(not numbers[other] for other in near[cell]) == fewest])
            room = _grow_room(rng, first, min(like(rng), most), numbers, near, bans) or _join_room(first, most, home, numbers, near, bans)
            home.update(dict.fromkeys(room, room))
            if not room:
                for cell in [cell for other in rng.shuffled(near[first])[:2] for cell in home.get(other, [])]:
                    numbers[cell] = 0
                    home.pop(cell, None)


def _grow_room(rng: Rng, first: int, size: int, numbers: list[int], near: Sequence[Region], bans: Bans) -> list[int]:
    """A room from a cell on, as large as wanted if its cells can hold 1 to n; empty where there is none."""
    room = [first]
    while len(room) < size:
        edge = sorted({cell for inner in room for cell in near[inner] if not numbers[cell]} - set(room))
        if not edge:
            break
        room.append(rng.choice(edge))
    while room:
        placed = _fill_room(rng, room, numbers, bans)
        if placed:
            for cell, number in placed.items():
                numbers[cell] = number
            return room
        room.pop()
    return []


def _join_room(cell: int, most: int, home: dict[int, list[int]], numbers: list[int], near: Sequence[Region], bans: Bans) -> list[int]:
    """A room next to the cell, extended by the cell as the next number; empty where that is impossible."""
    for other in near[cell]:
        room = home.get(other, [])
        number = len(room) + 1
        if room and number <= most and all(numbers[banned] != number for banned in bans(cell, number)):
            numbers[cell] = number
            room.append(cell)
            return room
    return []


def _fill_room(rng: Rng, room: Sequence[int], numbers: Sequence[int], bans: Bans) -> dict[int, int]:
    """Numbers 1 to n for the cells of a room, given the numbers placed so far; empty where there is none."""
    free = {number: [c for c in room if all(numbers[other] != number for other in bans(c, number))] for number in range(1, len(room) + 1)}
    placed: dict[int, int] = {}

    def put(order: Sequence[int]) -> bool:
        if not order:
            return True
        for cell in rng.shuffled(free[order[0]]):
            if cell not in placed:
                placed[cell] = order[0]
                if put(order[1:]):
                    return True
                del placed[cell]
        return False

    return placed if put(sorted(free, key=lambda number: len(free[number]))) else {}


def make_board(rooms: Sequence[Region], given: dict[int, int], width: int) -> Board:
    signs = [str(given[cell] + 1) if cell in given else "." for cell in range(sum(map(len, rooms)))]
    return Board(rooms=tuple(rooms), given=tuple("".join(row) for row in layout.rows_of(signs, width)))


def givens(data: Board) -> dict[int, int]:
    return {cell: int(sign) - 1 for cell, sign in enumerate("".join(data.given)) if sign != "."}


def render_boards(data: Board) -> str:
    """Both boards of a prompt: the letters of the rooms, and the numbers."""
    return f"Rooms:\n{regions.render_regions(data.rooms, len(data.given[0]))}\n\nNumbers:\n{layout.render_grid(data.given)}"


def render_values(values: Sequence[int], width: int) -> Cells:
    return layout.rows_of([str(value + 1) for value in values], width)


def find_fault(data: Board, answer: Cells) -> str:
    """Why an answer is no filling of the rooms; empty if it is one."""
    most = max(map(len, data.rooms))
    if reason := layout.find_misfit(answer, data.given, "123456789"[:most]):
        return reason
    cells = [cell for row in answer for cell in row]
    for name, room in zip(regions.letters(data.rooms), data.rooms):
        if {cells[cell] for cell in room} != set("123456789"[: len(room)]):
            return f"room {name} does not hold each number from 1 to {len(room)} once"
    return ""


def near_misses(data: Board, right: Cells) -> list[Cells]:
    """Wrong fillings: cells exchanged, the board turned, rooms filled in order, one number changed."""
    ordered = ["" for _ in range(sum(map(len, data.rooms)))]
    for room in data.rooms:
        for i, cell in enumerate(room, 1):
            ordered[cell] = str(i)
    first = "1" if right[0][0] != "1" else "2"
    return [
        *layout.exchange_neighbours(right, data.given),
        right[::-1],
        tuple(zip(*right)),
        layout.rows_of(ordered, len(right[0])),
        layout.replace_cells(right, {(0, 0): first}),
    ]


def solution(puzzle: Callable[[Board], Puzzle]) -> Solution[Any]:
    """The solution of a board, by its puzzle."""
    return deduction_sheet.solution(puzzle, "The filled board:\n{answer}", OPENING, givens)


def picture(data: Board) -> str:
    home = {cell: i for i, room in enumerate(data.rooms) for cell in room}
    return pictures.board([list(row) for row in data.given], regions=[home[cell] for cell in range(len(home))])


def plain_backtrack(work: Puzzle, data: Board) -> Iterator[Cells]:
    for values in plain_search.plain_backtrack(work, givens(data), lambda full: True):
        yield render_values(values, len(data.given[0]))
