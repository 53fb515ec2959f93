"""Loops, paths and bridges on boards."""

from __future__ import annotations

import re
from collections.abc import Iterable

import z3

from prompt_solvers.board_parsing import boards, cells_known, cells_named, written
from prompt_solvers.grid_models import (
    Cell,
    Holds,
    all_cells,
    around,
    components,
    connection_cuts,
    exactly,
    groups,
    marks,
    new_solver,
    shaded,
    solution,
)
from prompt_solvers.registry import prompt_solver

Links = dict[tuple[Cell, Cell], z3.BoolRef]
SHAPES = {
    (0, 0, 1, 1): "-",
    (1, 1, 0, 0): "I",
    (1, 0, 0, 1): "L",
    (1, 0, 1, 0): "J",
    (0, 1, 1, 0): "7",
    (0, 1, 0, 1): "F",
    (0, 0, 0, 0): ".",
}


def links_between(cells: Iterable[Cell]) -> Links:
    """A variable for each pair of cells that are side by side."""
    known = set(cells)
    pairs = [(cell, near) for cell in sorted(known) for near in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1])) if near in known]
    return {pair: z3.Bool(f"link{pair}") for pair in pairs}


def link(links: Links, one: Cell, other: Cell) -> z3.BoolRef:
    """The variable of a pair of cells; false beyond the board."""
    return links.get((min(one, other), max(one, other)), z3.BoolVal(False))


def loop_board(cells: list[Cell]) -> tuple[z3.Solver, Links, dict[Cell, z3.BoolRef]]:
    """Variables for the steps of a loop and for the cells that it visits, each with two steps."""
    solver, links, visited = new_solver(), links_between(cells), marks(cells, "visited")
    for cell in cells:
        steps = [variable for pair, variable in links.items() if cell in pair]
        solver.add(z3.Or(exactly(0, steps), exactly(2, steps)), visited[cell] == z3.Or(steps))
    return solver, links, visited


def one_loop_cuts(links: Links, visited: dict[Cell, z3.BoolRef], holds: Holds) -> list[z3.BoolRef]:
    """Clauses that keep several loops from taking the place of one."""
    parts: list[set[Cell]] = []
    for pair, variable in links.items():
        if holds(variable):
            touched = [part for part in parts if part & set(pair)]
            parts = [part for part in parts if part not in touched] + [set(pair).union(*touched)]
    cuts = []
    for part, other in zip(parts, parts[1:] + parts[:1], strict=True) if len(parts) > 1 else ():
        leaving = [variable for (one, two), variable in links.items() if (one in part) != (two in part)]
        cuts.append(z3.Or(z3.Not(visited[min(part)]), z3.Not(visited[min(other)]), *leaving))
    return cuts


def shape(links: Links, cell: Cell, holds: Holds) -> str:
    """The character of a cell of the loop."""
    return SHAPES[tuple(int(holds(link(links, cell, near))) for near in around(cell))]


@prompt_solver("masyu")
def solve_masyu(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    solver, links, visited = loop_board(all_cells(rows, columns))
    for one, two in re.findall(r"(r\d+c\d+) to (r\d+c\d+)", prompt):
        solver.add(link(links, cells_named(one)[0], cells_named(two)[0]))

    def straight(cell: Cell) -> z3.BoolRef:
        up, down, left, right = (link(links, cell, near) for near in around(cell))
        return z3.Or(z3.And(up, down), z3.And(left, right))

    for pearl, cells in groups(board).items():
        for cell in cells:
            near_and_step = [(near, link(links, cell, near)) for near in around(cell)]
            if pearl == "B":
                solver.add(visited[cell], z3.Not(straight(cell)), *[z3.Implies(step, straight(near)) for near, step in near_and_step])
            if pearl == "W":
                solver.add(visited[cell], straight(cell), z3.Or([z3.And(step, z3.Not(straight(near))) for near, step in near_and_step]))
    holds = solution(solver, lambda holds: one_loop_cuts(links, visited, holds))
    return written([[shape(links, (row, column), holds) for column in range(columns)] for row in range(rows)])


@prompt_solver("yajilin")
def solve_yajilin(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    free = groups(board)["."]
    solver, links, visited = loop_board(free)
    dark = {cell: z3.Not(variable) for cell, variable in visited.items()}
    for one, two in links:
        solver.add(z3.Or(visited[one], visited[two]))
    for _, cell in cells_known(prompt):
        solver.add(dark[cell])
    for word, cells in groups(board).items():
        for row, column in cells if word[0].isdigit() else ():
            down, right = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}[word[-1]]
            sight = [(row + step * down, column + step * right) for step in range(1, rows + columns)]
            solver.add(exactly(int(word[:-1]), [dark[cell] for cell in sight if cell in dark]))
    holds = solution(solver, lambda holds: one_loop_cuts(links, visited, holds))

    def shown(cell: Cell) -> str:
        if cell not in visited:
            return board[cell[0]][cell[1]]
        return shape(links, cell, holds) if holds(visited[cell]) else "#"

    return written([[shown((row, column)) for column in range(columns)] for row in range(rows)])


@prompt_solver("slitherlink")
def solve_slitherlink(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    inside, solver = marks(all_cells(rows, columns)), new_solver()
    ring = {(row, column): z3.BoolVal(False) for row in range(-1, rows + 1) for column in range(-1, columns + 1)}
    state = ring | inside
    for word, cells in groups(board).items():
        for cell in cells if word.isdigit() else ():
            solver.add(exactly(int(word), [z3.Xor(state[cell], state[near]) for near in around(cell)]))
    for row, column in all_cells(rows - 1, columns - 1):
        one, two, three, four = (inside[row + down, column + right] for down, right in ((0, 0), (0, 1), (1, 1), (1, 0)))
        solver.add(z3.Not(z3.And(one == three, two == four, one != two)))
    outside = {cell: z3.Not(variable) for cell, variable in state.items()}
    holds = solution(solver, lambda holds: connection_cuts(inside, holds) + connection_cuts(outside, holds))
    return shaded(inside, holds, rows, columns)


@prompt_solver("nurikabe")
def solve_nurikabe(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    cells = all_cells(rows, columns)
    numbers = {cell: int(word) for word, where in groups(board).items() if word.isdigit() for cell in where}
    near_enough = {
        cell: [seed for seed, size in numbers.items() if abs(seed[0] - cell[0]) + abs(seed[1] - cell[1]) < size] for cell in cells
    }
    owner = {cell: {seed: z3.Bool(f"{cell} of {seed}") for seed in seeds} for cell, seeds in near_enough.items()}
    sea = marks(cells, "sea")
    solver = new_solver()
    for cell in cells:
        solver.add(exactly(1, [sea[cell], *owner[cell].values()]))
        for near in around(cell):
            if near in sea:
                solver.add(
                    *[z3.Implies(land, z3.Or(sea[near], owner[near].get(seed, z3.BoolVal(False)))) for seed, land in owner[cell].items()]
                )
        if board[cell[0]][cell[1]] == "#":
            solver.add(sea[cell])
    for seed, size in numbers.items():
        solver.add(owner[seed][seed], exactly(size, [land[seed] for land in owner.values() if seed in land]))
    for row, column in all_cells(rows - 1, columns - 1):
        solver.add(z3.Not(z3.And([sea[row + down, column + right] for down in (0, 1) for right in (0, 1)])))

    def cuts(holds: Holds) -> list[z3.BoolRef]:
        areas = [sea] + [{cell: land[seed] for cell, land in owner.items() if seed in land} for seed in numbers]
        return [cut for area in areas for cut in connection_cuts(area, holds)]

    holds = solution(solver, cuts)
    return written(
        [["#" if holds(sea[row, column]) else board[row][column].replace("#", ".") for column in range(columns)] for row in range(rows)]
    )


@prompt_solver("number_link")
def solve_number_link(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    letters = sorted({word for row in board for word in row if word.isupper()})
    letter = {cell: {word: z3.Bool(f"{cell}={word}") for word in letters} for cell in all_cells(rows, columns)}
    solver = new_solver()
    for cell, options in letter.items():
        word = board[cell[0]][cell[1]]
        solver.add(exactly(1, options.values()))
        if word != ".":
            solver.add(options[word.upper()])
        for name, variable in options.items():
            alike = [letter[near][name] for near in around(cell) if near in letter]
            solver.add(z3.Implies(variable, exactly(1 if word.isupper() else 2, alike)))

    def cuts(holds: Holds) -> list[z3.BoolRef]:
        found = []
        for name in letters:
            for part in components(cell for cell in letter if holds(letter[cell][name])):
                if not any(board[row][column].isupper() for row, column in part):
                    found += [z3.Not(z3.And([letter[cell][other] for cell in part])) for other in letters]
        return found

    holds = solution(solver, cuts)
    return written(
        [[next(name for name in letters if holds(letter[row, column][name])) for column in range(columns)] for row in range(rows)]
    )
