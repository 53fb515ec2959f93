"""A snake on a board that eats what lies there and grows: its moves, and a way to the food that leaves it a way out."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.simulations.boards import neighbours_by_direction

WAYS = ("north", "east", "south", "west")


class Ground(NamedTuple):
    width: int
    height: int
    rocks: tuple[int, ...]


class Snake(NamedTuple):
    """Cells from head to tail; `grows` for the next move the tail stays."""

    cells: tuple[int, ...]


def move(ground: Ground, snake: Snake, direction: str, food: int) -> Snake | None:
    """The snake after a move, longer by one where it eats; None where it runs into the edge, a rock or itself."""
    there = neighbours_by_direction(snake.cells[0], ground.width, ground.height).get(direction)
    if there is None or there in ground.rocks:
        return None
    body = snake.cells if there == food else snake.cells[:-1]
    return None if there in body else Snake((there, *body))


def food_cell(ground: Ground, snake: Snake, draws: tuple[int, ...], eaten: int) -> int:
    """Where the next food lies: the first cell of the drawn order, from the place of its number on, that is free."""
    count = len(draws)
    return next(cell for k in range(count) if (cell := draws[(eaten * 7 + k) % count]) not in snake.cells)


@lru_cache(2048)
def path_to_food(ground: Ground, snake: Snake, food: int) -> tuple[str, ...]:
    """Moves that eat the food and leave the tail within reach, the fewest; else one move towards the tail; else any that is possible."""
    best = _search(ground, snake, food)
    if best:
        return best
    safe = [direction for direction in WAYS if (after := move(ground, snake, direction, food)) and _reaches_tail(ground, after)]
    room = {direction: _room(ground, after) for direction in safe or WAYS if (after := move(ground, snake, direction, food))}
    return (max(room, key=lambda direction: room[direction]),) if room else (WAYS[0],)


def _search(ground: Ground, snake: Snake, food: int) -> tuple[str, ...]:
    """Breadth first over cells, along each of which the body follows; the first way after which the tail is within reach."""
    queue: list[tuple[Snake, tuple[str, ...]]] = [(snake, ())]
    seen = {snake.cells[0]}
    for snake_now, ways in queue:
        for direction in WAYS:
            after = move(ground, snake_now, direction, food)
            if after is None or (after.cells[0] in seen and after.cells[0] != food):
                continue
            if after.cells[0] == food:
                if _reaches_tail(ground, after):
                    return (*ways, direction)
                continue
            seen.add(after.cells[0])
            queue.append((after, (*ways, direction)))
    return ()


def _reaches_tail(ground: Ground, snake: Snake) -> bool:
    tail, blocked = snake.cells[-1], {*ground.rocks, *snake.cells[1:-1]}
    queue, seen = [snake.cells[0]], {snake.cells[0]}
    for cell in queue:
        for near in neighbours_by_direction(cell, ground.width, ground.height).values():
            if near == tail and (cell != snake.cells[0] or len(snake.cells) > 2):
                return True
            if near not in seen and near not in blocked:
                seen.add(near)
                queue.append(near)
    return len(snake.cells) < 3


def _room(ground: Ground, snake: Snake) -> int:
    blocked = {*ground.rocks, *snake.cells}
    queue, seen = [snake.cells[0]], {snake.cells[0]}
    for cell in queue:
        for near in neighbours_by_direction(cell, ground.width, ground.height).values():
            if near not in seen and near not in blocked:
                seen.add(near)
                queue.append(near)
    return len(queue)
