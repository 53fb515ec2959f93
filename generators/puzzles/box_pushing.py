"""Rooms of Sokoban: boxes pulled away from goals, plans with fewest pushes, and the cells that the player reaches."""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.numbers.bitsets import places

STEPS = {"U": -1, "D": 1, "L": 0, "R": 0}  # rows; columns follow below


SIDES = {"U": 0, "D": 0, "L": -1, "R": 1}


Bits = frozenset[int]


def sample_floor(rng: Rng, width: int, height: int, walls: int) -> Bits:
    """The largest connected piece of floor."""
    inside = [r * width + c for r in range(1, height - 1) for c in range(1, width - 1)]
    open_cells = set(inside) - set(rng.sample(inside, len(inside) * walls // 100))
    pieces = []
    while open_cells:
        piece = _reachable_cells(frozenset(open_cells), min(open_cells), width)
        pieces.append(piece)
        open_cells -= piece
    return max(pieces, key=lambda piece: (len(piece), -min(piece)))


class Position(NamedTuple):
    """Boxes, and the cells that the player can reach, as the bits of cells."""

    boxes: int
    reach: int

    @property
    def key(self) -> tuple[int, int]:
        return self.boxes, self.reach & -self.reach


def pull_boxes(rng: Rng, floor: Bits, goals: Bits, width: int, pushes: int, most: int) -> tuple[Bits, int, int]:
    """Boxes, all off their goals, and the player, so many pushes from the end as wanted or as far as there are; and the number of pushes.

    Breadth first over pulls from the goals, through at most so many positions; 0 pushes if boxes cannot all leave their goals.
    """
    floor_bits, goal_bits = _bits(floor), _bits(goals)
    layer = list[Position]()
    rest = floor_bits & ~goal_bits
    while rest:
        layer.append(Position(goal_bits, flood(floor_bits & ~goal_bits, rest & -rest, width)))
        rest &= ~layer[-1].reach
    seen = {position.key for position in layer}
    chosen, depth, count = list[Position](), 0, 0
    while layer and depth < pushes and len(seen) < most:
        after = list[Position]()
        for position in layer:
            for pulled in _pulls(position, floor_bits, width):
                if pulled.key not in seen:
                    seen.add(pulled.key)
                    after.append(pulled)
        layer, depth = after, depth + 1
        if apart := [position for position in layer if not position.boxes & goal_bits]:
            chosen, count = apart, depth
    if not chosen:
        return frozenset(), 0, 0
    start = rng.choice(chosen)
    return frozenset(places(start.boxes)), rng.choice(places(start.reach)), count


def _pulls(position: Position, floor: int, width: int) -> Iterator[Position]:
    free = floor & ~position.boxes
    for box in places(position.boxes):
        for step in (-width, width, -1, 1):
            beside, beyond = 1 << box + step, 1 << box + 2 * step if box + 2 * step >= 0 else 0
            if beside & position.reach and beyond & free:
                boxes = position.boxes ^ 1 << box ^ beside
                yield Position(boxes, flood(floor & ~boxes, beyond, width))


def flood(free: int, start: int, width: int) -> int:
    """The free cells that are joined to a start; walls around the floor keep rows apart."""
    reached = start
    while (grown := (reached | reached << 1 | reached >> 1 | reached << width | reached >> width) & free) != reached:
        reached = grown
    return reached


def _bits(cells: Bits) -> int:
    return sum(1 << cell for cell in cells)


def shortest_push_plan(floor: Bits, goals: Bits, boxes: Bits, player: int, width: int, order: str) -> str | None:
    """A plan with fewest pushes: breadth first over the boxes and the part of the floor that the player can walk."""
    found, predecessors = search_pushes(floor, goals, boxes, player, width, order)
    return None if found is None else _find_walk(floor, predecessors, found, player, boxes, width)


Predecessors = dict[tuple[int, int], tuple[tuple[int, int], int, str] | None]


def search_pushes(
    floor: Bits, goals: Bits, boxes: Bits, player: int, width: int, order: str
) -> tuple[tuple[int, int] | None, Predecessors]:
    """The position in which all boxes are on goals, and how each position that was met before it was reached."""
    alive, floor_bits, goal_bits = _bits(_live_cells(floor, goals, width)), _bits(floor), _bits(goals)
    steps = [(move, STEPS[move] * width + SIDES[move]) for move in order]
    first = Position(_bits(boxes), flood(floor_bits & ~_bits(boxes), 1 << player, width))
    predecessors: Predecessors = {first.key: None}
    queue = deque([first])
    while queue:
        position = queue.popleft()
        if position.boxes == goal_bits:
            return position.key, predecessors
        for box in places(position.boxes):
            for move, step in steps:
                target = 1 << box + step
                if position.reach >> box - step & 1 and target & alive and not target & position.boxes:
                    standing = position.boxes ^ 1 << box ^ target
                    after = Position(standing, flood(floor_bits & ~standing, 1 << box, width))
                    if after.key not in predecessors:
                        predecessors[after.key] = (position.key, box, move)
                        queue.append(after)
    return None, predecessors


def _find_walk(floor: Bits, predecessors: Predecessors, state: tuple[int, int], player: int, boxes: Bits, width: int) -> str:
    """The pushes that led to a state, with the walks between them."""
    pushes = []
    while (before := predecessors[state]) is not None:
        state, box, move = before
        pushes.append((box, move))
    plan, standing = "", set(boxes)
    for box, move in reversed(pushes):
        step = STEPS[move] * width + SIDES[move]
        plan += _shortest_walk(floor - frozenset(standing), player, box - step, width) + move
        standing.remove(box)
        standing.add(box + step)
        player = box
    return plan


def _shortest_walk(free: Bits, start: int, end: int, width: int) -> str:
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


def _reachable_cells(free: Bits, start: int, width: int) -> Bits:
    reached, queue = {start}, [start]
    while queue:
        cell = queue.pop()
        for target in (cell - width, cell + width, cell - 1, cell + 1):
            if target in free and target not in reached:
                reached.add(target)
                queue.append(target)
    return frozenset(reached)
