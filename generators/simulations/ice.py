"""A frozen lake: one slides over ice, is turned on every k-th move, and breaks thin ice that one leaves."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.simulations.boards import neighbours_by_direction
from rlgym.generators.simulations.search import plan

WAYS = ("north", "east", "south", "west")
MOST_STATES = 1_500
SNOW, ICE, HOLE, ROCK, THIN, GOAL = ".", "~", "O", "#", "%", "G"


class Lake(NamedTuple):
    """Signs row by row; `every` is 0 where no move is turned."""

    width: int
    height: int
    signs: str
    first: int
    every: int


class Here(NamedTuple):
    """Where one is, the moves made (as far as the turning needs them), and the thin ice that is broken."""

    cell: int
    moves: int = 0
    broken: tuple[int, ...] = ()


def slide(lake: Lake, position: Here, direction: str) -> Here:
    """Where a move leads: on from cell to cell while they are ice, up to a rock or the edge."""
    moves = (position.moves + 1) % lake.every if lake.every else 0
    if lake.every and not moves:
        direction = WAYS[(WAYS.index(direction) + 1) % 4]
    cell, broken = position.cell, position.broken
    while True:
        there = neighbours_by_direction(cell, lake.width, lake.height).get(direction)
        if there is None or lake.signs[there] == ROCK:
            return Here(cell, moves, broken)
        if lake.signs[cell] == THIN:
            broken = tuple(sorted({*broken, cell}))
        cell = there
        if lake.signs[cell] != ICE:
            return Here(cell, moves, broken)


def lost(lake: Lake, position: Here) -> bool:
    return lake.signs[position.cell] == HOLE or position.cell in position.broken


@lru_cache(512)
def shortest_path(lake: Lake, position: Here) -> tuple[str, ...] | None:
    """The fewest moves to the goal."""

    def options(state: Here) -> dict[str, Here]:
        return {direction: there for direction in WAYS if not lost(lake, there := slide(lake, state, direction)) and there != state}

    return plan(position, options, lambda state: lake.signs[state.cell] == GOAL, MOST_STATES)


def lake(rng: Rng, size: int, every: int, thin: bool, least: int) -> tuple[Lake, int]:
    """A lake whose goal is `least` moves away or more, if a few dozen draws find one, and how many they are."""
    best: tuple[Lake, int] | None = None
    for drawn_so_far in range(400):
        signs = [rng.weighted((SNOW, ICE, HOLE, ROCK, THIN), (30, 44, 12, 10, 6 if thin else 0)) for _ in range(size * size)]
        first, goal = rng.sample(range(size * size), 2)
        signs[first], signs[goal] = SNOW, GOAL
        drawn = Lake(size, size, "".join(signs), first, every)
        route = shortest_path(drawn, Here(first))
        if route and len(set(route)) > 1 and len(route) > 2 and (best is None or len(route) > best[1]) and not _straight(drawn, len(route)):
            best = drawn, len(route)
            if len(route) >= least:
                break
        if best and drawn_so_far > 25:
            break
    assert best is not None, "of hundreds of lakes some have a way"
    return best


def _straight(drawn: Lake, moves: int) -> bool:
    """Whether one comes home by one direction alone."""
    for direction in WAYS:
        position = Here(drawn.first)
        for _ in range(moves + 4):
            position = slide(drawn, position, direction)
            if lost(drawn, position):
                break
            if drawn.signs[position.cell] == GOAL:
                return True
    return False
