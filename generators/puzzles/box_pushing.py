"""Rooms of Sokoban: boxes pulled away from goals, plans with fewest pushes, and the cells that the player reaches."""

from collections import deque

from rlgym.core.rng import Rng

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


def pull_boxes(rng: Rng, floor: Bits, goals: Bits, width: int, pulls: int) -> tuple[Bits, int] | None:
    """Boxes taken from the goals by random pulls, and where the player then stands; None if too few are off their goals."""
    boxes, free = set(goals), sorted(floor - goals)
    player = rng.choice(free)
    for _ in range(pulls):
        reached = _reachable_cells(floor - frozenset(boxes), player, width)
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
    return frozenset(boxes), rng.choice(sorted(_reachable_cells(floor - frozenset(boxes), player, width)))


def shortest_push_plan(floor: Bits, goals: Bits, boxes: Bits, player: int, width: int, order: str) -> str | None:
    """A plan with fewest pushes: breadth first over the boxes and the part of the floor that the player can walk."""
    alive = _live_cells(floor, goals, width)
    steps = [(move, STEPS[move] * width + SIDES[move]) for move in order]
    first = (boxes, min(_reachable_cells(floor - boxes, player, width)))
    predecessors: dict[tuple[Bits, int], tuple[tuple[Bits, int], int, str] | None] = {first: None}
    queue = deque([(boxes, player)])
    while queue:
        standing, cell = queue.popleft()
        reached = _reachable_cells(floor - standing, cell, width)
        state = (standing, min(reached))
        if standing == goals:
            return _find_walk(floor, predecessors, state, player, boxes, width)
        for box in sorted(standing):
            for move, step in steps:
                if box - step in reached and box + step in alive and box + step not in standing:
                    after = standing - {box} | {box + step}
                    key = (after, min(_reachable_cells(floor - after, box, width)))
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


def count_pushes(floor: Bits, boxes: Bits, player: int, width: int, plan: str) -> int:
    standing, count = set(boxes), 0
    for move in plan:
        step = STEPS[move] * width + SIDES[move]
        player += step
        if player in standing:
            count += 1
            standing.remove(player)
            standing.add(player + step)
    return count
