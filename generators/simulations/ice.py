"""A frozen lake: one slides over ice, is turned on every k-th move, and breaks thin ice that one leaves."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.simulations.boards import beside
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


def after(lake: Lake, here: Here, way: str) -> Here:
    """Where a move leads: on from cell to cell while they are ice, up to a rock or the edge."""
    moves = (here.moves + 1) % lake.every if lake.every else 0
    if lake.every and not moves:
        way = WAYS[(WAYS.index(way) + 1) % 4]
    cell, broken = here.cell, here.broken
    while True:
        there = beside(cell, lake.width, lake.height).get(way)
        if there is None or lake.signs[there] == ROCK:
            return Here(cell, moves, broken)
        if lake.signs[cell] == THIN:
            broken = tuple(sorted({*broken, cell}))
        cell = there
        if lake.signs[cell] != ICE:
            return Here(cell, moves, broken)


def lost(lake: Lake, here: Here) -> bool:
    return lake.signs[here.cell] == HOLE or here.cell in here.broken


@lru_cache(512)
def way_home(lake: Lake, here: Here) -> tuple[str, ...] | None:
    """The fewest moves to the goal."""

    def options(state: Here) -> dict[str, Here]:
        return {way: there for way in WAYS if not lost(lake, there := after(lake, state, way)) and there != state}

    return plan(here, options, lambda state: lake.signs[state.cell] == GOAL, MOST_STATES)


def lake(rng: Rng, size: int, every: int, thin: bool, least: int) -> tuple[Lake, int]:
    """A lake whose goal is `least` moves away or more, if a few dozen draws find one, and how many they are."""
    best: tuple[Lake, int] | None = None
    for drawn_so_far in range(400):
        signs = [rng.weighted((SNOW, ICE, HOLE, ROCK, THIN), (30, 44, 12, 10, 6 if thin else 0)) for _ in range(size * size)]
        first, goal = rng.sample(range(size * size), 2)
        signs[first], signs[goal] = SNOW, GOAL
        drawn = Lake(size, size, "".join(signs), first, every)
        found = way_home(drawn, Here(first))
        if found and len(set(found)) > 1 and len(found) > 2 and (best is None or len(found) > best[1]) and not _straight(drawn, len(found)):
            best = drawn, len(found)
            if len(found) >= least:
                break
        if best and drawn_so_far > 25:
            break
    assert best is not None, "of hundreds of lakes some have a way"
    return best


def _straight(drawn: Lake, moves: int) -> bool:
    """Whether one comes home by one direction alone."""
    for way in WAYS:
        here = Here(drawn.first)
        for _ in range(moves + 4):
            here = after(drawn, here, way)
            if lost(drawn, here):
                break
            if drawn.signs[here.cell] == GOAL:
                return True
    return False
