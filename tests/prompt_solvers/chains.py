"""Boards on which consecutive numbers are a step apart, and bridges between islands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

import z3

from prompt_solvers.board_parsing import boards, cells_named, written
from prompt_solvers.grid_models import CORNERS, STEPS, Cell, Digits, Holds, around, exactly, groups, new_solver, solution
from prompt_solvers.registry import prompt_solver

KNIGHT = tuple((row, column) for row in (-2, -1, 1, 2) for column in (-2, -1, 1, 2) if abs(row) != abs(column))


def distances(start: Cell, cells: set[Cell], steps: Iterable[Cell]) -> dict[Cell, int]:
    """How many steps each cell is away from a cell."""
    far, front = {start: 0}, [start]
    while front:
        front = list(dict.fromkeys(near for cell in front for near in around(cell, steps) if near in cells and near not in far))
        far |= dict.fromkeys(front, max(far.values()) + 1)
    return far


def numbered_path(board: list[list[str]], steps: Iterable[Cell]) -> str:
    """The board filled so that each number is one step from the next."""
    by_word = groups(board)
    cells = {cell for word, where in by_word.items() if word != "#" for cell in where}
    given = {int(word): where[0] for word, where in by_word.items() if word.isdigit()}
    far = {number: distances(cell, cells, steps) for number, cell in given.items()}

    def options(cell: Cell) -> list[int]:
        word = board[cell[0]][cell[1]]
        if word.isdigit():
            return [int(word)]
        free = [number for number in range(1, len(cells) + 1) if number not in given]
        return [number for number in free if all(far[fixed].get(cell, len(cells)) <= abs(number - fixed) for fixed in given)]

    model = Digits(cells, options)
    model.once_each(cells, range(1, len(cells) + 1))
    for cell, choice in model.cells.items():
        for number, variable in choice.items():
            for follower in {number - 1, number + 1} - {0, len(cells) + 1}:
                near = [model.cells[other][follower] for other in around(cell, steps) if other in cells and follower in model.cells[other]]
                model.solver.add(z3.Implies(variable, z3.Or(near)))
    return model.board(board)


@prompt_solver("numbrix")
def solve_numbrix(prompt: str) -> str:
    return numbered_path(boards(prompt)[0], STEPS)


@prompt_solver("hidato")
def solve_hidato(prompt: str) -> str:
    return numbered_path(boards(prompt)[0], STEPS + CORNERS)


@prompt_solver("knights_tour_partial")
def solve_knights_tour(prompt: str) -> str:
    return numbered_path(boards(prompt)[0], KNIGHT)


def spans(islands: set[Cell]) -> dict[tuple[Cell, Cell], list[Cell]]:
    """The pairs of islands that see each other, with the cells between them."""
    found = {}
    for along in (0, 1):
        ordered = sorted(islands, key=lambda cell: (cell[1 - along], cell[along]))
        for one, two in pairwise(ordered):
            if one[1 - along] == two[1 - along]:
                between = range(one[along] + 1, two[along])
                found[one, two] = [(place, one[1]) if along == 0 else (one[0], place) for place in between]
    return found


@prompt_solver("hashi")
def solve_hashi(prompt: str) -> str:
    board = boards(prompt)[0]
    islands = {cell: int(word) for word, where in groups(board).items() if word.isdigit() for cell in where}
    between = spans(set(islands))
    bridges = {pair: (z3.Bool(f"{pair} 1"), z3.Bool(f"{pair} 2")) for pair in between if between[pair]}
    solver = new_solver()
    for pair, (single, double) in bridges.items():
        solver.add(z3.Implies(double, single))
        for other in bridges:
            if other > pair and set(between[pair]) & set(between[other]):
                solver.add(z3.Not(z3.And(single, bridges[other][0])))
    for island, number in islands.items():
        solver.add(exactly(number, [bridge for pair, both in bridges.items() if island in pair for bridge in both]))
    for count, ends in re.findall(r"Known: (?:at least )?(one|two) bridges? between (r\d+c\d+ and r\d+c\d+)", prompt):
        one, two = sorted(cells_named(ends))
        solver.add(bridges[one, two][0 if count == "one" else 1])

    def cuts(holds: Holds) -> list[z3.BoolRef]:
        part, size = {min(islands)}, 0
        while len(part) > size:
            size = len(part)
            part |= {island for pair, (single, _) in bridges.items() if holds(single) and part & set(pair) for island in pair}
        return (
            [z3.Or([single for (one, two), (single, _) in bridges.items() if (one in part) != (two in part)])]
            if size < len(islands)
            else []
        )

    holds, drawn = solution(solver, cuts), [list(row) for row in board]
    for (one, two), (single, double) in bridges.items():
        if holds(single):
            for row, column in between[one, two]:
                drawn[row][column] = ("-=" if one[0] == two[0] else "IH")[holds(double)]
    return written(drawn)
