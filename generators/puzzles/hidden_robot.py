"""A robot that starts on one of several cells, nobody knows on which: a sequence of moves that takes it to the goal from each of them.

The states of the search are sets of cells on which the robot may be (conformant planning). A move into a wall changes nothing, which is the only
way to bring the cells together; no possible robot may move into a hole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from rlgym.core.rng import Rng
from rlgym.core.task import Task, TaskData
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves
from rlgym.generators.puzzles.robot_programs import AHEAD, WINDS, Cell
from rlgym.solutions import Checks, Derivation, Solution, Step

MAY_BE = Step("After {moves} the robot may be in {cells}, facing {wind}")
END = "The program is {answer}"
Belief = tuple[str, frozenset[Cell]]
MOST_STATES = 20_000  # of a search while a room is drawn


class Room(TaskData):
    """A walled room with the cells on which the robot may start, and the fewest instructions that are enough from all of them."""

    rows: tuple[str, ...]  # # is a wall, O a hole, . is free
    starts: tuple[Cell, ...]
    wind: str
    goal: Cell
    fewest: int
    states: int
    """How many sets of cells can be reached with fewer instructions."""


def sample(rng: Rng, starts: int, least: int) -> Room:
    """A room with a goal for which at least so many instructions are needed, and at most two more. Holes make ways long and searches short."""
    size, holes = 6, least // 4
    while True:
        rows = _sample_rows(rng, size, holes)
        free = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "."]
        if len(free) < size * size * 0.55 or not _is_connected(rows, free):
            continue
        cells, wind = tuple(sorted(rng.sample(free, starts))), rng.choice(WINDS)
        found = _reachable_beliefs(rows, (wind, frozenset(cells)), least + 2)
        if found is None:
            continue
        meets: dict[Cell, int] = {}
        for (_, belief), distance in found.items():
            if len(belief) == 1:
                (cell,) = belief
                meets.setdefault(cell, distance)
        far = [cell for cell, distance in meets.items() if distance >= least and cell not in cells]
        if far:
            goal = rng.choice(far)
            states = sum(distance < meets[goal] for distance in found.values())
            if states < 200 * (least - 8):
                continue
            return Room(rows=rows, starts=cells, wind=wind, goal=goal, fewest=meets[goal], states=states)


def _reachable_beliefs(rows: Sequence[str], first: Belief, deepest: int) -> dict[Belief, int] | None:
    return move_puzzles.breadth_first_distances([first], lambda state: [after for _, after in options(rows, state)], MOST_STATES, deepest)


def _sample_rows(rng: Rng, size: int, holes: int) -> tuple[str, ...]:
    signs = ["#" if rng.chance(0.2) else "." for _ in range(size * size)]
    for cell in rng.sample(range(size * size), holes):
        signs[cell] = "O"
    inside = ["".join(signs[i : i + size]) for i in range(0, size * size, size)]
    return ("#" * (size + 2), *(f"#{row}#" for row in inside), "#" * (size + 2))


def _is_connected(rows: Sequence[str], free: Sequence[Cell]) -> bool:
    return len(_distances(tuple(rows), free[0])) == len(free)


@lru_cache(maxsize=64)
def _distances(rows: tuple[str, ...], goal: Cell) -> dict[Cell, int]:
    """Steps from each cell to a goal, turns not counted."""

    def near(cell: Cell) -> list[Cell]:
        cells = [(cell[0] + r, cell[1] + c) for r, c in AHEAD.values()]
        return [(r, c) for r, c in cells if rows[r][c] == "."]

    return move_puzzles.breadth_first_distances([goal], near, 10**6) or {}


def options(rows: Sequence[str], state: Belief) -> Iterator[tuple[str, Belief]]:
    wind, cells = state
    (r, c), turn = AHEAD[wind], WINDS.index(wind)
    if not any(rows[i + r][j + c] == "O" for i, j in cells):
        yield "f", (wind, frozenset((i + r, j + c) if rows[i + r][j + c] == "." else (i, j) for i, j in cells))
    yield "l", (WINDS[turn - 1], cells)
    yield "r", (WINDS[(turn + 1) % 4], cells)


def shortest(room: Room, *, backwards: bool = False) -> str:
    """The moves that are enough from all starts, by A* search with the steps of the start that is farthest away."""
    away = _distances(room.rows, room.goal)
    moves: Moves[Belief] = Moves(
        (room.wind, frozenset(room.starts)),
        lambda state: options(room.rows, state),
        lambda state: state[1] == {room.goal},
        lambda state: state[0],
        lambda state: max(away[cell] for cell in state[1]),
    )
    return "".join(move_puzzles.a_star(moves, 10**7, backwards=backwards) or ())


def single_ways(room: Room) -> list[str]:
    """The shortest moves from each start alone, those within the limit that are not right for all."""
    ways = [shortest(room.model_copy(update={"starts": (start,)})) for start in room.starts]
    return [way for way in ways if any(end_of(room, start, way)[0] != room.goal for start in room.starts)]


def render(room: Room) -> str:
    marks = dict.fromkeys(room.starts, "S") | {room.goal: "G"}
    listing = "\n".join("".join(marks.get((r, c), sign) for c, sign in enumerate(row)) for r, row in enumerate(room.rows))
    return (
        f"A robot stands on one of the {len(room.starts)} cells marked S in this maze (# is a wall, O a hole, the top is north) and faces "
        f"{room.wind}. Nobody knows on which of them it stands.\n{listing}\n\nIt knows these instructions: F (one cell ahead; if there is a wall, "
        "it stays where it is), L (turn left by a quarter) and R (turn right by a quarter).\n\nWrite a program of at most "
        f"{room.fewest} instructions, as a plain list such as FFLFR. Whichever S it starts from, the robot must be on G at the end, facing any way, and "
        "must never move into a hole. It may pass over G before the end."
    )


def end_of(room: Room, start: Cell, moves: str) -> tuple[Cell, str]:
    """Where the robot is and where it faces after these moves from one start."""
    (i, j), wind = start, room.wind
    for move in moves:
        if move == "f":
            r, c = AHEAD[wind]
            i, j = (i, j) if room.rows[i + r][j + c] == "#" else (i + r, j + c)
            if room.rows[i][j] == "O":
                break
        else:
            wind = WINDS[(WINDS.index(wind) + (1 if move == "r" else 3)) % 4]
    return (i, j), wind


def ends(room: Room, moves: str) -> tuple[str, str]:
    """The cells on which the robot may be after these moves, in words, and where it faces."""
    found = [end_of(room, start, moves) for start in room.starts]
    return ", ".join(f"r{i + 1}c{j + 1}" for i, j in sorted({cell for cell, _ in found})), found[0][1]


def derive(task: Task[Any]) -> Derivation:
    room = task.data.room
    program = shortest(room)
    for count in range(1, len(program) + 1):
        cells, wind = ends(room, program[:count])
        yield MAY_BE(moves=program[:count], cells=cells, wind=wind)


def checks(task: Task[Any]) -> Checks:
    room, seen = task.data.room, [""]

    def holds(moves: str, cells: str, wind: str) -> bool:
        follows = moves[:-1] == seen[-1] and set(moves) <= set("flr") and (cells, wind) == ends(room, moves)
        seen.append(moves if follows else seen[-1])
        return follows

    return {MAY_BE: holds}


SOLUTION: Solution[Any] = Solution(derive, END, checks)
