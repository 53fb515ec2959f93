"""Boards on which some cells are marked: by counts of lines, by regions, by what a cell touches."""

from __future__ import annotations

import re
from itertools import pairwise

import z3

from prompt_solvers.board_parsing import boards, cells_known, line_clues, written
from prompt_solvers.grid_models import (
    CORNERS,
    STEPS,
    Cell,
    all_cells,
    around,
    at_most,
    connection_cuts,
    exactly,
    groups,
    line,
    marks,
    new_solver,
    shaded,
    solution,
)
from prompt_solvers.parsing import after
from prompt_solvers.registry import prompt_solver

Marks = dict[Cell, z3.BoolRef]
ON = {"filled", "shaded", "marked"}


def marked_board(rows: int, columns: int, prompt: str) -> tuple[z3.Solver, Marks]:
    """A variable for each cell, with the counts of lines and the known cells that the prompt states."""
    solver, variables = new_solver(), marks(all_cells(rows, columns))
    clues = [
        exactly(count, [variables[cell] for cell in line(kind, place, rows, columns)])
        for (kind, place), count in line_clues(prompt).items()
    ]
    if "exactly one of these numbers is false" in prompt:
        solver.add(exactly(len(clues) - 1, clues))
    else:
        solver.add(*clues)
    for word, cell in cells_known(prompt):
        solver.add(variables[cell] if word in ON else z3.Not(variables[cell]))
    return solver, variables


def apart(solver: z3.Solver, variables: Marks, steps: tuple[Cell, ...] = STEPS) -> None:
    """No two marked cells are next to each other."""
    for cell in variables:
        for near in around(cell, steps):
            if near in variables and near > cell:
                solver.add(z3.Or(z3.Not(variables[cell]), z3.Not(variables[near])))


@prompt_solver("aquarium")
def solve_aquarium(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, filled = marked_board(rows, columns, prompt)
    for aquarium in groups(board).values():
        for cell in aquarium:
            solver.add(*[z3.Implies(filled[cell], filled[other]) for other in aquarium if other[0] >= cell[0]])
    return shaded(filled, solution(solver), rows, columns)


@prompt_solver("thermometers")
def solve_thermometers(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, filled = marked_board(rows, columns, prompt)
    places = {board[row][column]: (row, column) for row, column in filled}
    for name, cell in places.items():
        before = name[0] + str(int(name[1:]) - 1)
        if before in places:
            solver.add(z3.Implies(filled[cell], filled[places[before]]))
    return shaded(filled, solution(solver), rows, columns)


@prompt_solver("battleships_solitaire")
def solve_battleships(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, ship = marked_board(rows, columns, prompt)
    apart(solver, ship, CORNERS)
    for word, cells in groups(board).items():
        if word in "#.":
            solver.add(*[ship[cell] if word == "#" else z3.Not(ship[cell]) for cell in cells])
    fleet = {int(length): int(count) for count, length in re.findall(r"(\d+) ships? of (\d+) cells?", prompt)}
    for length in range(1, max(rows, columns) + 1):
        lying = []
        for row, column in ship:
            for down, right in ((0, 1), (1, 0))[: 1 if length == 1 else 2]:
                cells = [(row + step * down, column + step * right) for step in range(length)]
                if all(cell in ship for cell in cells):
                    rim = {near for cell in cells for near in around(cell) if near in ship} - set(cells)
                    lying.append(z3.And(*[ship[cell] for cell in cells], *[z3.Not(ship[cell]) for cell in rim]))
        solver.add(exactly(fleet.get(length, 0), lying))
    return shaded(ship, solution(solver), rows, columns)


@prompt_solver("tents")
def solve_tents(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, tent = marked_board(rows, columns, prompt)
    apart(solver, tent, STEPS + CORNERS)
    owners: dict[Cell, list[z3.BoolRef]] = {cell: [] for cell in tent}
    for cell in tent:
        if board[cell[0]][cell[1]] != ".":
            solver.add(z3.Not(tent[cell]))
        if board[cell[0]][cell[1]] == "T":
            own = {near: z3.Bool(f"{cell} has {near}") for near in around(cell) if near in tent}
            solver.add(exactly(1, own.values()))
            for near, variable in own.items():
                owners[near].append(variable)
    for cell, variable in tent.items():
        solver.add(at_most(1, owners[cell]), z3.Or(owners[cell]) == variable)
    holds = solution(solver)
    return written([["*" if holds(tent[row, column]) else board[row][column] for column in range(columns)] for row in range(rows)])


@prompt_solver("light_up")
def solve_light_up(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    lamp = marks(groups(board)["."])
    solver, met = new_solver(), []
    for cell in all_cells(rows, columns):
        word = board[cell[0]][cell[1]]
        if word.isdigit():
            met.append(exactly(int(word), [lamp[near] for near in around(cell) if near in lamp]))
        if cell in lamp:
            seen = []
            for down, right in STEPS:
                at = (cell[0] + down, cell[1] + right)
                while at in lamp:
                    seen.append(lamp[at])
                    at = (at[0] + down, at[1] + right)
            solver.add(z3.Or(lamp[cell], *seen), z3.Implies(lamp[cell], z3.Not(z3.Or(seen))))
    solver.add(exactly(len(met) - ("one of the digits is false" in prompt), met))
    holds = solution(solver)
    return written(
        [
            ["*" if (row, column) in lamp and holds(lamp[row, column]) else word for column, word in enumerate(words)]
            for row, words in enumerate(board)
        ]
    )


@prompt_solver("star_battle")
def solve_star_battle(prompt: str) -> str:
    board = boards(prompt)[0]
    size = len(board)
    found = re.search(r"hold exactly (\d+) stars?", prompt)
    assert found
    solver, star = marked_board(size, size, "")
    apart(solver, star, STEPS + CORNERS)
    lines = [line(kind, place, size, size) for kind in ("row", "column") for place in range(size)]
    for cells in lines + list(groups(board).values()):
        solver.add(exactly(int(found[1]), [star[cell] for cell in cells]))
    return shaded(star, solution(solver), size, size, "*")


@prompt_solver("norinori")
def solve_norinori(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, mark = marked_board(rows, columns, prompt)
    for region in groups(board).values():
        solver.add(exactly(2, [mark[cell] for cell in region]))
    for cell, variable in mark.items():
        solver.add(z3.Implies(variable, exactly(1, [mark[near] for near in around(cell) if near in mark])))
    return shaded(mark, solution(solver), rows, columns)


@prompt_solver("heyawake")
def solve_heyawake(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, dark = marked_board(rows, columns, prompt)
    apart(solver, dark)
    rooms = groups(board)
    for letter, count in re.findall(r"^Room (\w+): (\d+)$", prompt, re.MULTILINE):
        solver.add(exactly(int(count), [dark[cell] for cell in rooms[letter]]))
    lines = [line("row", row, rows, columns) for row in range(rows)] + [line("column", column, rows, columns) for column in range(columns)]
    for cells in lines:
        letters = [board[row][column] for row, column in cells]
        borders = [place for place in range(1, len(cells)) if letters[place] != letters[place - 1]]
        for first, second in pairwise(borders):
            solver.add(z3.Or([dark[cell] for cell in cells[first - 1 : second + 1]]))
    white = {cell: z3.Not(variable) for cell, variable in dark.items()}
    return shaded(dark, solution(solver, lambda holds: connection_cuts(white, holds)), rows, columns)


@prompt_solver("hitori")
def solve_hitori(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, dark = marked_board(rows, columns, "")
    apart(solver, dark)
    white = {cell: z3.Not(variable) for cell, variable in dark.items()}
    for kind, count in (("row", rows), ("column", columns)):
        for place in range(count):
            for digit in groups(board):
                solver.add(at_most(1, [white[cell] for cell in line(kind, place, rows, columns) if board[cell[0]][cell[1]] == digit]))
    holds = solution(solver, lambda holds: connection_cuts(white, holds))
    return written([["#" if holds(dark[row, column]) else board[row][column] for column in range(columns)] for row in range(rows)])


@prompt_solver("nonogram")
def solve_nonogram(prompt: str) -> str:
    clues = {
        (kind, int(place) - 1): runs.split() for kind, place, runs in re.findall(r"^(Row|Column) (\d+): ([\d ]+)$", prompt, re.MULTILINE)
    }
    rows, columns = (sum(kind == wanted for kind, _ in clues) for wanted in ("Row", "Column"))
    solver, filled = marked_board(rows, columns, "")
    stated = {line: z3.Bool(f"{line} holds") for line in clues}
    solver.add(exactly(len(stated) - ("numbers that are stated are false" in prompt), stated.values()))
    for (kind, place), holds in stated.items():
        cells = [filled[cell] for cell in line(kind.lower(), place, rows, columns)]
        lengths = [int(run) for run in clues[kind, place] if run != "0"]
        starts = [
            [z3.Bool(f"{kind}{place} run {run} at {at}") for at in range(len(cells) - length + 1)] for run, length in enumerate(lengths)
        ]
        for run, options in enumerate(starts):
            solver.add(exactly(1, options))
            for at, option in enumerate(options):
                solver.add(*[z3.Implies(option, z3.Or(starts[run - 1][: max(0, at - lengths[run - 1])]))] if run else [])
        for at, cell in enumerate(cells):
            covers = [
                options[start]
                for options, length in zip(starts, lengths, strict=True)
                for start in range(max(0, at - length + 1), at + 1)
                if start < len(options)
            ]
            solver.add(z3.Implies(holds, cell == z3.Or(covers)))
    return shaded(filled, solution(solver), rows, columns)


@prompt_solver("minesweeper_deduction")
def solve_minesweeper(prompt: str) -> str:
    board = boards(prompt)[0]
    mine = marks(groups(board)["#"])
    solver = new_solver()
    for cell in all_cells(len(board), len(board[0])):
        if cell not in mine:
            solver.add(exactly(int(board[cell[0]][cell[1]]), [mine[near] for near in around(cell, STEPS + CORNERS) if near in mine]))
    if "mines on the whole board" in prompt:
        solver.add(exactly(int(after(prompt, "There are ").split()[0]), mine.values()))
    judged = [list(row) for row in board]
    for (row, column), variable in mine.items():
        possible = [solver.check(variable) == z3.sat, solver.check(z3.Not(variable)) == z3.sat]
        judged[row][column] = {(True, True): "?", (True, False): "M", (False, True): "S"}[possible[0], possible[1]]
    return written(judged)
