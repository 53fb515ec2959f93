"""Push all boxes onto goals.

Any plan is accepted. Rooms are made by pulling boxes away from the goals, so a plan exists; the oracle finds its own by a complete
search over pushes.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.drawing import pictures
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

PUSHED = Step("Push {move}: the box goes from row {row:int}, column {column:int} to row {to:int}, column {place}")
WALKED = Step("Walk {walk}, then push {move}: the box goes from row {row:int}, column {column:int} to row {to:int}, column {place}")
STEPS = {"U": -1, "D": 1, "L": 0, "R": 0}  # rows; columns follow below
SIDES = {"U": 0, "D": 0, "L": -1, "R": 1}
MOST_MOVES = 400
Bits = frozenset[int]


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
    pulls: int = knob(12, easy=2, hard=40, doc="pulls by which the boxes are taken from the goals")


class Data(TaskData):
    room: tuple[str, ...]
    least: int  # pushes of the oracle's plan


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        width, height = knobs.width + 2, knobs.height + 2
        floor = _floor(rng, width, height, knobs.walls)
        # A small room has no space for many boxes, and every box must be pulled at least once.
        box_count = min(knobs.boxes, max(1, len(floor) // 6))
        if len(floor) < 6:
            continue
        goals = frozenset(rng.sample(sorted(floor), box_count))
        pulled = _pull_boxes(rng, floor, goals, width, max(knobs.pulls, 4 * box_count))
        if pulled is None:
            continue
        boxes, player = pulled
        plan = _shortest_push_plan(floor, goals, boxes, player, width, "UDLR")
        if plan and len(plan) <= MOST_MOVES:
            break
    room = tuple("".join(_sign(r * width + c, floor, goals, boxes, player) for c in range(width)) for r in range(height))
    shown = "\n".join(room)
    prompt = (
        f"This is a Sokoban room:\n{shown}\n\n# is a wall, @ the player, $ a box, . a goal, * a box on a goal, + the player on a goal, and - empty floor. "
        "The player moves one step up, down, left or right (U, D, L, R), never into a wall. Moving into a box pushes it one step further in the same "
        "direction, if there is neither a wall nor another box. Boxes cannot be pulled. Give moves after which every box is on a goal, at most "
        f"{MOST_MOVES} of them."
    )
    return Task(prompt, Data(room=room, least=_pushes(floor, boxes, player, width, plan)))


def solve(task: Task[Data]) -> str:
    floor, goals, boxes, player, width = _parse_room(task.data.room)
    return _shortest_push_plan(floor, goals, boxes, player, width, "UDLR") or ""


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
    return len(room.floor) * (1 + task.data.least) * len(room.goals)


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


def _floor(rng: Rng, width: int, height: int, walls: int) -> Bits:
    """The largest connected piece of floor."""
    inside = [r * width + c for r in range(1, height - 1) for c in range(1, width - 1)]
    open_cells = set(inside) - set(rng.sample(inside, len(inside) * walls // 100))
    pieces = []
    while open_cells:
        piece = _reach(frozenset(open_cells), min(open_cells), width)
        pieces.append(piece)
        open_cells -= piece
    return max(pieces, key=lambda piece: (len(piece), -min(piece)))


def _pull_boxes(rng: Rng, floor: Bits, goals: Bits, width: int, pulls: int) -> tuple[Bits, int] | None:
    """Boxes taken from the goals by random pulls, and where the player then stands; None if too few are off their goals."""
    boxes, free = set(goals), sorted(floor - goals)
    player = rng.choice(free)
    for _ in range(pulls):
        reached = _reach(floor - frozenset(boxes), player, width)
        ways = []
        for box in sorted(boxes):
            for move in "UDLR":
                step = STEPS[move] * width + SIDES[move]
                if box + step in reached and box + 2 * step in floor and box + 2 * step not in boxes:
                    ways.append((box, step))
        if not ways:
            break
        box, step = rng.choice(ways)
        boxes.remove(box)
        boxes.add(box + step)
        player = box + 2 * step
    if boxes & goals:
        return None
    return frozenset(boxes), rng.choice(sorted(_reach(floor - frozenset(boxes), player, width)))


def _shortest_push_plan(floor: Bits, goals: Bits, boxes: Bits, player: int, width: int, order: str) -> str | None:
    """A plan with fewest pushes: breadth first over the boxes and the part of the floor that the player can walk."""
    alive = _live_cells(floor, goals, width)
    steps = [(move, STEPS[move] * width + SIDES[move]) for move in order]
    first = (boxes, min(_reach(floor - boxes, player, width)))
    predecessors: dict[tuple[Bits, int], tuple[tuple[Bits, int], int, str] | None] = {first: None}
    queue = deque([(boxes, player)])
    while queue:
        standing, cell = queue.popleft()
        reached = _reach(floor - standing, cell, width)
        state = (standing, min(reached))
        if standing == goals:
            return _find_walk(floor, predecessors, state, player, boxes, width)
        for box in sorted(standing):
            for move, step in steps:
                if box - step in reached and box + step in alive and box + step not in standing:
                    after = standing - {box} | {box + step}
                    key = (after, min(_reach(floor - after, box, width)))
                    if key not in predecessors:
                        predecessors[key] = (state, box, move)
                        queue.append((after, box))
    return None


def _find_walk(
    floor: Bits,
    predecessors: dict[tuple[Bits, int], tuple[tuple[Bits, int], int, str] | None],
    state: tuple[Bits, int],
    player: int,
    boxes: Bits,
    width: int,
) -> str:
    """The pushes that led to a state, with the walks between them."""
    pushes = []
    while (before := predecessors[state]) is not None:
        state, box, move = before
        pushes.append((box, move))
    plan, standing = "", set(boxes)
    for box, move in reversed(pushes):
        step = STEPS[move] * width + SIDES[move]
        plan += _walk(floor - frozenset(standing), player, box - step, width) + move
        standing.remove(box)
        standing.add(box + step)
        player = box
    return plan


def _walk(free: Bits, start: int, end: int, width: int) -> str:
    paths, queue = {start: ""}, deque([start])
    while queue and end not in paths:
        cell = queue.popleft()
        for move in "UDLR":
            target = cell + STEPS[move] * width + SIDES[move]
            if target in free and target not in paths:
                paths[target] = paths[cell] + move
                queue.append(target)
    return paths[end]


def _live_cells(floor: Bits, goals: Bits, width: int) -> Bits:
    """Cells from which a lone box can be pushed to a goal: found by pulling from the goals."""
    alive, queue = set(goals), list(goals)
    while queue:
        box = queue.pop()
        for step in (width, -width, 1, -1):
            if box + step in floor and box + 2 * step in floor and box + step not in alive:
                alive.add(box + step)
                queue.append(box + step)
    return frozenset(alive)


def _reach(free: Bits, start: int, width: int) -> Bits:
    reached, queue = {start}, [start]
    while queue:
        cell = queue.pop()
        for target in (cell - width, cell + width, cell - 1, cell + 1):
            if target in free and target not in reached:
                reached.add(target)
                queue.append(target)
    return frozenset(reached)


def _pushes(floor: Bits, boxes: Bits, player: int, width: int, plan: str) -> int:
    standing, count = set(boxes), 0
    for move in plan:
        step = STEPS[move] * width + SIDES[move]
        player += step
        if player in standing:
            count += 1
            standing.remove(player)
            standing.add(player + step)
    return count


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
        if plan := _shortest_push_plan(floor, goals, boxes, player, width, order):
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
)  # fmt: skip
