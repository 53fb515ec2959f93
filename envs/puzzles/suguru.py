"""Fill a suguru: each room of n cells holds 1 to n, and equal numbers never touch, not even at a corner.

Rooms are grown together with a filling, so that one exists; numbers are given until it is unique.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Grid
from rlgym.generators.grids import domains, layout, regions, rooms, singleton_consistency
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.rooms import Board

TRIES = 12  # boards of which the hardest is taken, where suppositions inside others are needed
FEW_TRIES = 2  # where they are not


class Knobs(Config):
    size: int = knob(6, easy=4, hard=9, doc="rows and columns")
    room: int = knob(6, easy=5, hard=7, doc="cells of the largest room; at least 6 on boards of 8 rows or more")
    given_digits: int = knob(
        20, easy=50, hard=4, doc="percent of numbers given, more where the solution would not be unique or not be found"
    )
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="search",
        order=domains.SEARCHING,
        doc="whether the only place of a number and the only number of a cell suffice, or suppositions that fail, or some inside others, are needed as well",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=100,
        scale="log",
        doc="suppositions that fail on the way to the solution, or that prove it the only one where some inside others are needed, as far as boards have them",
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Board]:
    return _sample_task(rng, knobs, knobs.size, knobs.size, lambda rng: _largest_room(knobs))


def shift(rng: Rng, knobs: Knobs) -> Task[Board]:
    """Long boards, with many rooms of one to three cells between larger ones."""
    return _sample_task(
        rng, knobs, 3, knobs.size * knobs.size // 3, lambda rng: rng.choice((1, 2, 3, 3, _largest_room(knobs), _largest_room(knobs)))
    )


def solve(task: Task[Board]) -> Cells:
    return rooms.render_values(domains.solve(_puzzle(task.data), rooms.givens(task.data)), len(task.data.given[0]))


def verify(task: Task[Board], answer: Cells) -> Score:
    if reason := rooms.find_fault(task.data, answer):
        return Score.wrong(reason)
    height, width = len(answer), len(answer[0])
    cells = [cell for row in answer for cell in row]
    for cell, others in enumerate(regions.touching_neighbours(height, width)):
        for other in others:
            if cells[cell] == cells[other]:
                return Score.wrong(f"{layout.place(cell, width)} and {layout.place(other, width)} touch and hold the same number")
    return Score.exact(True)


def mistakes(task: Task[Board], right: Cells) -> list[Cells]:
    return rooms.near_misses(task.data, right)


def cost(task: Task[Board]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), rooms.givens(task.data))


def _sample_task(rng: Rng, knobs: Knobs, height: int, width: int, like: rooms.Like) -> Task[Board]:
    near = regions.touching_neighbours(height, width)
    harder, searching = knobs.reasoning != "direct", knobs.reasoning == "search"
    least = height * width * knobs.given_digits // 100

    def sample() -> tuple[domains.Puzzle, list[regions.Region], dict[int, int]]:
        areas, numbers = rooms.sample_rooms(rng, height, width, _largest_room(knobs), lambda cell, number: near[cell], like)
        right = [number - 1 for number in numbers]
        work = rooms.puzzle(areas, width, lambda cell, number: near[cell])
        if searching:
            return work, areas, singleton_consistency.minimize_givens_for_search(rng, work, right, least, knobs.suppositions)
        if harder:
            return work, areas, singleton_consistency.minimize_givens(rng, work, right, least)
        return work, areas, singleton_consistency.choose_givens(rng, work, right, least, knobs.reasoning)

    count = domains.count_suppositions if searching else singleton_consistency.count_refuted
    _, areas, given = singleton_consistency.sample_hard(
        sample, lambda it: count(it[0], it[2]), knobs.suppositions if harder else 0, TRIES if searching else FEW_TRIES if harder else 1
    )
    data = rooms.make_board(areas, given, width)
    prompt = (
        f"This board of {height} rows and {width} columns is cut into rooms; each cell is shown by the letter of its room"
        f"{regions.letter_case(data.rooms, 'rooms')}. Write a number into each cell so that each room of n cells holds every number from 1 to n once, and "
        "cells that touch, at a side or at a corner, never hold the same number. Some numbers are given and stay; a dot is an empty cell.\n\n"
        f"{rooms.render_boards(data)}"
    )
    return Task(prompt, data)


def _largest_room(knobs: Knobs) -> int:
    return max(knobs.room, 6) if knobs.size > 7 else knobs.room


@lru_cache(maxsize=4)
def _puzzle(data: Board) -> domains.Puzzle:
    near = regions.touching_neighbours(len(data.given), len(data.given[0]))
    return rooms.puzzle(data.rooms, len(data.given[0]), lambda cell, number: near[cell])


def solutions(task: Task[Board]) -> Iterator[Cells]:
    return rooms.plain_backtrack(_puzzle(task.data), task.data)


environment = Environment(
    Knobs, Grid("the filled board, one row per line, with numbers separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=rooms.solution(_puzzle), shift=shift, picture=lambda task: rooms.picture(task.data), answers="unique", solutions=solutions,
    concept="A number next to all cells of a room that could hold it is impossible; a cell that sees all places of a number cannot be it.",
    version=6,
)  # fmt: skip
