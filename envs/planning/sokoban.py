"""Push all boxes onto goals.

Any plan is accepted. Rooms are made by pulling boxes away from the goals, so a plan exists; the oracle finds its own by a complete
search over pushes. On the upper levels boxes are pulled as far away as can be, so that no plan has few pushes and boxes must make way for each other.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import sample_hard
from rlgym.generators.puzzles.box_pushing import SIDES, STEPS, Bits, pull_boxes, sample_floor, search_pushes, shortest_push_plan
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

PUSHED = Step("Push {move}: the box goes from row {row:int}, column {column:int} to row {to:int}, column {place}")
WALKED = Step("Walk {walk}, then push {move}: the box goes from row {row:int}, column {column:int} to row {to:int}, column {place}")
MOST_MOVES = 400
TRIES = 16
POSITIONS = 8000


class Room(NamedTuple):
    floor: Bits
    goals: Bits
    boxes: Bits
    player: int
    width: int


class Knobs(Config):
    width: int = knob(6, easy=4, hard=7, doc="columns of the floor, walls around it not counted")
    height: int = knob(5, easy=3, hard=6, doc="rows of the floor")
    boxes: int = knob(2, easy=1, hard=3, doc="boxes and goals")
    walls: int = knob(15, easy=5, hard=25, doc="percent of the floor that is wall")
    pushes: int = knob(
        8, easy=2, hard=32, scale="log", doc="pushes that a plan has at least, as far as one of 16 rooms allows and at most so many"
    )


class Data(TaskData):
    room: tuple[str, ...]
    least: int  # pushes of the oracle's plan


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return sample_hard(lambda: _sample_task(rng, knobs), lambda task: task.data.least, knobs.pushes, TRIES)


def _sample_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        width, height = knobs.width + 2, knobs.height + 2
        floor = sample_floor(rng, width, height, knobs.walls)
        # A small room has no space for many boxes, and every box must be pulled at least once.
        box_count = min(knobs.boxes, max(1, len(floor) // 6))
        if len(floor) < 6:
            continue
        goals = frozenset(rng.sample(sorted(floor), box_count))
        boxes, player, least = pull_boxes(rng, floor, goals, width, max(knobs.pushes, 2 * box_count), POSITIONS)
        if least:
            break
    room = tuple("".join(_sign(r * width + c, floor, goals, boxes, player) for c in range(width)) for r in range(height))
    shown = "\n".join(room)
    prompt = (
        f"This is a Sokoban room:\n{shown}\n\n# is a wall, @ the player, $ a box, . a goal, * a box on a goal, + the player on a goal, and - empty floor. "
        "The player moves one step up, down, left or right (U, D, L, R), never into a wall. Moving into a box pushes it one step further in the same "
        "direction, if there is neither a wall nor another box. Boxes cannot be pulled. Give moves after which every box is on a goal, at most "
        f"{MOST_MOVES} of them."
    )
    return Task(prompt, Data(room=room, least=least))


def solve(task: Task[Data]) -> str:
    floor, goals, boxes, player, width = _parse_room(task.data.room)
    return shortest_push_plan(floor, goals, boxes, player, width, "UDLR") or ""


def verify(task: Task[Data], answer: str) -> Score:
    floor, goals, boxes, player, width = _parse_room(task.data.room)
    moves = answer.upper().replace(",", "")
    if len(moves) > MOST_MOVES:
        return Score.wrong(f"at most {MOST_MOVES} moves are allowed")
    standing = set(boxes)
    for number, move in enumerate(moves, 1):
        if move not in STEPS:
            return Score.wrong(f"move {number} is not one of U, D, L, R")
        step = STEPS[move] * width + SIDES[move]
        target = player + step
        if target in standing:
            if target + step not in floor or target + step in standing:
                return Score.wrong(f"in move {number} the box cannot be pushed")
            standing.remove(target)
            standing.add(target + step)
        elif target not in floor:
            return Score.wrong(f"move {number} goes into a wall")
        player = target
    return Score.exact(standing == goals, "not every box is on a goal after the last move")


def mistakes(task: Task[Data], right: str) -> list[str]:
    turned = right.translate(str.maketrans("UDLR", "DURL"))
    flipped = right.translate(str.maketrans("UDLR", "LRUD"))
    wrong = [right[:-1] or "U", right[::-1], turned, flipped, right[0] * 20, right + right]
    return [plan for plan in wrong if verify(task, plan).value == 0]


def cost(task: Task[Data]) -> float:
    room = _parse_room(task.data.room)
    return len(room.floor) * (1 + task.data.least) * len(room.goals) * math.sqrt(_count_positions(room))


def _count_positions(room: Room) -> int:
    """The positions that a search over pushes meets before all boxes are on goals."""
    return len(search_pushes(room.floor, room.goals, room.boxes, room.player, room.width, "UDLR")[1])


def derive(task: Task[Data]) -> Derivation:
    _, goals, boxes, player, width = _parse_room(task.data.room)
    plan, done, standing = solve(task), 0, set(boxes)
    for number, move in enumerate(plan, 1):
        step = STEPS[move] * width + SIDES[move]
        player += step
        if player in standing:
            standing ^= {player, player + step}
            yield _push(goals, width, plan[done : number - 1], move, player)
            done = number


def checks(task: Task[Data]) -> Checks:
    floor, goals, boxes, player, width = _parse_room(task.data.room)
    at, standing = [player], set(boxes)

    def pushes(move: str, walk: str = "", **gaps: object) -> bool:
        cell = at[0]
        for step in walk:
            cell += STEPS[step] * width + SIDES[step]
            if cell not in floor or cell in standing:
                return False
        offset = STEPS[move] * width + SIDES[move]
        box, free = cell + offset, cell + 2 * offset
        if box not in standing or free not in floor or free in standing:
            return False
        due = _push(goals, width, walk, move, box)
        if {"move": move, **gaps} != {gap: value for gap, value in due.fields.items() if gap != "walk"}:
            return False
        standing.symmetric_difference_update({box, free})
        at[0] = box
        return True

    return {WALKED: pushes, PUSHED: pushes}


def _push(goals: Iterable[int], width: int, walk: str, move: str, box: int) -> Due:
    """The step that walks to a box and pushes it."""
    after = box + STEPS[move] * width + SIDES[move]
    (row, column), (new_row, new_column) = divmod(box, width), divmod(after, width)
    place = f"{new_column + 1}{', onto a goal' if after in goals else ''}"
    gaps = {"move": move, "row": row + 1, "column": column + 1, "to": new_row + 1, "place": place}
    return WALKED(**gaps, walk=walk) if walk else PUSHED(**gaps)


def picture(task: Task[Data]) -> str:
    room = task.data.room
    walls = [i for i, sign in enumerate("".join(room)) if sign == "#"]
    return pictures.board([row.replace("#", " ").replace(".", "o") for row in room], shaded=walls)


def _sign(cell: int, floor: Bits, goals: Bits, boxes: Bits, player: int) -> str:
    if cell not in floor:
        return "#"
    if cell in boxes:
        return "*" if cell in goals else "$"
    if cell == player:
        return "+" if cell in goals else "@"
    return "." if cell in goals else "-"


def _parse_room(room: tuple[str, ...]) -> Room:
    width, cells = len(room[0]), "".join(room)
    floor = frozenset(i for i, sign in enumerate(cells) if sign != "#")
    goals = frozenset(i for i, sign in enumerate(cells) if sign in ".*+")
    boxes = frozenset(i for i, sign in enumerate(cells) if sign in "$*")
    return Room(floor, goals, boxes, next(i for i, sign in enumerate(cells) if sign in "@+"), width)


def solutions(task: Task[Data]) -> Iterator[str]:
    floor, goals, boxes, player, width = _parse_room(task.data.room)
    for order in ("RLDU", "LURD"):
        if plan := shortest_push_plan(floor, goals, boxes, player, width, order):
            yield plan
    # A step there and back first, where that pushes nothing.
    for move, back in ("UD", "DU", "LR", "RL"):
        target = player + STEPS[move] * width + SIDES[move]
        if target in floor and target not in boxes:
            yield move + back + solve(task)


environment = Environment(
    Knobs, Text("the moves as letters U, D, L, R without spaces", max_characters=2000, ignore_spaces=True, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "All moves: {answer}", checks), picture=picture, answers="many", solutions=solutions,
    concept="Find which box can reach which goal without getting stuck in a corner or at a wall, then walk behind it and push.",
    version=2,
)  # fmt: skip
