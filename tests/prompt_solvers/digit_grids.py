"""Boards of digits: sudokus, cages, sums and comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable

import z3

from prompt_solvers.board_parsing import boards, size_of
from prompt_solvers.grid_models import (
    CORNERS,
    STEPS,
    Cell,
    Digits,
    all_cells,
    around,
    exactly,
    groups,
    line,
    marks,
    new_solver,
    shaded,
    solution,
)
from prompt_solvers.registry import prompt_solver


def boxes(prompt: str, size: int) -> list[list[Cell]]:
    """The boxes of a sudoku."""
    found = re.search(r"boxes of (\d+) rows and (\d+) columns", prompt)
    assert found
    high, wide = int(found[1]), int(found[2])
    return [
        [(top + row, left + column) for row in range(high) for column in range(wide)]
        for top in range(0, size, high)
        for left in range(0, size, wide)
    ]


@prompt_solver("sudoku")
def solve_sudoku(prompt: str) -> str:
    board = boards(prompt)[0]
    size = len(board)
    model = Digits(all_cells(size, size), range(1, size + 1))
    model.latin(size)
    for box in boxes(prompt, size):
        model.once_each(box, range(1, size + 1))
    model.give(board)
    return model.board()


@prompt_solver("killer_sudoku")
def solve_killer_sudoku(prompt: str) -> str:
    board = boards(prompt)[0]
    size = len(board)
    model = Digits(all_cells(size, size), range(1, size + 1))
    model.latin(size)
    for box in boxes(prompt, size):
        model.once_each(box, range(1, size + 1))
    cages, met = groups(board), []
    for cage in cages.values():
        model.different(cage)
    for letter, total in re.findall(r"^(\w) = (\d+)$", prompt, re.MULTILINE):
        terms = [(variable, value) for cell in cages[letter] for value, variable in model.cells[cell].items()]
        met.append(z3.PbEq(terms, int(total)))
    model.solver.add(exactly(len(met) - ("one of these sums is false" in prompt), met))
    return model.board()


@prompt_solver("jigsaw_sudoku")
def solve_jigsaw_sudoku(prompt: str) -> str:
    rooms, given = boards(prompt)
    size = len(rooms)
    model = Digits(all_cells(size, size), range(1, size + 1))
    model.latin(size)
    for room in groups(rooms).values():
        model.once_each(room, range(1, size + 1))
    model.give(given)
    return model.board()


@prompt_solver("futoshiki")
def solve_futoshiki(prompt: str) -> str:
    drawing = [row for row in prompt.splitlines() if re.fullmatch(r"[\d.<>^v ]+", row) or not row]
    drawing = drawing[drawing.index("") + 1 :]
    numbered = [at for at, row in enumerate(drawing) if re.search(r"[\d.]", row)]
    size = len(numbered)
    board = [[drawing[at][4 * column] for column in range(size)] for at in numbered]
    model = Digits(all_cells(size, size), range(1, size + 1))
    model.latin(size)
    model.give(board)
    for row, at in enumerate(numbered):
        signs, below = (
            drawing[at].ljust(4 * size),
            drawing[at + 1].ljust(4 * size) if at + 1 < len(drawing) and row + 1 < size else " " * 4 * size,
        )
        for column in range(size):
            pairs = {"<": [(row, column), (row, column + 1)], ">": [(row, column + 1), (row, column)]}
            pairs |= {"^": [(row, column), (row + 1, column)], "v": [(row + 1, column), (row, column)]}
            for sign in (signs[4 * column + 2], below[4 * column]):
                if sign in pairs:
                    model.allow(pairs[sign], lambda pair: pair[0] < pair[1])
    return model.board()


@prompt_solver("kakuro")
def solve_kakuro(prompt: str) -> str:
    board = boards(prompt)[0]
    model = Digits([cell for word, cells in groups(board).items() if word != "#" for cell in cells], range(1, 10))
    model.give(board)
    for kind, place, first, last, total in re.findall(
        r"^(row|column) (\d+), (?:columns|rows) (\d+) to (\d+): (\d+)$", prompt, re.MULTILINE
    ):
        cells = line(kind, int(place) - 1, len(board), len(board[0]))[int(first) - 1 : int(last)]
        model.different(cells)
        model.total(cells, int(total))
    return model.board(board)


def product_is(model: Digits, cells: list[Cell], goal: int) -> z3.BoolRef:
    """The product of the cells, as a sum of exponents for each prime below 10."""
    exponents = {
        (prime, value): next(power for power in range(9) if value % prime ** (power + 1))
        for prime in (2, 3, 5, 7)
        for value in range(1, 10)
    }
    sums = []
    for prime in (2, 3, 5, 7):
        power = next(power for power in range(60) if goal % prime ** (power + 1))
        terms = [
            (variable, exponents[prime, value])
            for cell in cells
            for value, variable in model.cells[cell].items()
            if exponents[prime, value]
        ]
        sums.append(z3.PbEq(terms, power) if terms else z3.BoolVal(power == 0))
        goal //= prime**power
    return z3.And(*sums, z3.BoolVal(goal == 1))


def pair_is(model: Digits, pair: list[Cell], fits: Callable[[int, int], bool]) -> z3.BoolRef:
    """The larger and the smaller value of two cells fit."""
    first, second = (model.cells[cell].items() for cell in pair)
    return z3.Or([z3.And(a, b) for one, a in first for two, b in second if fits(max(one, two), min(one, two))])


@prompt_solver("kenken")
def solve_kenken(prompt: str) -> str:
    board = boards(prompt)[0]
    size = len(board)
    model = Digits(all_cells(size, size), range(1, size + 1))
    model.latin(size)
    cages, met = groups(board), []
    for letter, number, sign in re.findall(r"^(\w): (\d+) ?([-+*/]?)$", prompt, re.MULTILINE):
        cells, goal = cages[letter], int(number)
        assert sign or len(cells) == 1 or "The operation is not given" in prompt
        results = {"+": z3.PbEq([(variable, value) for cell in cells for value, variable in model.cells[cell].items()], goal)}
        results["*"] = product_is(model, cells, goal)
        if len(cells) == 2:
            results["-"] = pair_is(model, cells, lambda high, low, goal=goal: high - low == goal)
            results["/"] = pair_is(model, cells, lambda high, low, goal=goal: high == low * goal)
        met.append(results[sign] if sign else z3.Or(list(results.values())) if len(cells) > 1 else model.cells[cells[0]][goal])
    model.solver.add(exactly(len(met) - ("one of the numbers is false" in prompt), met))
    return model.board()


@prompt_solver("suguru")
def solve_suguru(prompt: str) -> str:
    rooms, given = boards(prompt)
    sizes = {cell: len(room) for room in groups(rooms).values() for cell in room}
    model = Digits(sizes, lambda cell: range(1, sizes[cell] + 1))
    for room in groups(rooms).values():
        model.once_each(room, range(1, len(room) + 1))
    for cell in sizes:
        for near in around(cell, STEPS + CORNERS):
            if near in sizes and near > cell:
                model.different([cell, near])
    model.give(given)
    return model.board()


@prompt_solver("ripple_effect")
def solve_ripple_effect(prompt: str) -> str:
    rooms, given = boards(prompt)
    sizes = {cell: len(room) for room in groups(rooms).values() for cell in room}
    model = Digits(sizes, lambda cell: range(1, sizes[cell] + 1))
    for room in groups(rooms).values():
        model.once_each(room, range(1, len(room) + 1))
    for (row, column), choice in model.cells.items():
        for value, variable in choice.items():
            for gap in range(1, value + 1):
                for other in ((row + gap, column), (row, column + gap)):
                    if value in model.cells.get(other, {}):
                        model.solver.add(z3.Or(z3.Not(variable), z3.Not(model.cells[other][value])))
    model.give(given)
    return model.board()


@prompt_solver("survo")
def solve_survo(prompt: str) -> str:
    rows = re.findall(r"^([\d. ]+) \| (\d+)$", prompt, re.MULTILINE)
    board = [cells.split() for cells, _ in rows]
    numbers = range(1, len(board) * len(board[0]) + 1)
    model = Digits(all_cells(len(board), len(board[0])), numbers)
    model.once_each(model.cells, numbers)
    model.give(board)
    for row, (_, total) in enumerate(rows):
        model.total(line("row", row, len(board), len(board[0])), int(total))
    found = re.search(r"Sums of the columns: ([\d ]+)", prompt)
    assert found
    for column, total in enumerate(found[1].split()):
        model.total(line("column", column, len(board), len(board[0])), int(total))
    return model.board()


def visible(heights: tuple[int, ...]) -> int:
    """How many heights are above all before them."""
    return sum(height > max(heights[:place], default=0) for place, height in enumerate(heights))


@prompt_solver("skyscrapers")
def solve_skyscrapers(prompt: str) -> str:
    rows = [part.split("|") for part in prompt.splitlines() if part.count("|") == 2]
    edges = [part.split() for part in prompt.splitlines() if re.fullmatch(r" {4}[\d. ]+", part)]
    board = [row[1].split() for row in rows]
    size = len(board)
    model = Digits(all_cells(size, size), range(1, size + 1))
    model.latin(size)
    model.give(board)
    views = [(line("row", row, size, size), parts[0].strip()) for row, parts in enumerate(rows)]
    views += [(line("row", row, size, size)[::-1], parts[2].strip()) for row, parts in enumerate(rows)]
    views += [(line("column", column, size, size), clue) for column, clue in enumerate(edges[0])]
    views += [(line("column", column, size, size)[::-1], clue) for column, clue in enumerate(edges[1])]
    met = []
    for cells, clue in views:
        if clue != ".":
            seen = [
                z3.And(variable, *[z3.Not(model.cells[before][higher]) for before in cells[:place] for higher in range(height, size + 1)])
                for place, cell in enumerate(cells)
                for height, variable in model.cells[cell].items()
            ]
            met.append(exactly(int(clue), seen))
    model.solver.add(exactly(len(met) - ("numbers at the edge is false" in prompt), met))
    return model.board()


@prompt_solver("binario")
def solve_binario(prompt: str) -> str:
    board = boards(prompt)[0]
    size = len(board)
    model = Digits(all_cells(size, size), (0, 1))
    model.give(board)
    lines = {kind: [line(kind, place, size, size) for place in range(size)] for kind in ("row", "column")}
    for parallel in lines.values():
        for at, cells in enumerate(parallel):
            ones = [model.cells[cell][1] for cell in cells]
            model.solver.add(exactly(size // 2, ones))
            for start in range(size - 2):
                model.solver.add(z3.Or(ones[start : start + 3]), z3.Not(z3.And(ones[start : start + 3])))
            for other in parallel[:at]:
                model.solver.add(z3.Or([z3.Xor(one, model.cells[cell][1]) for one, cell in zip(ones, other, strict=True)]))
    return model.board()


@prompt_solver("kakurasu")
def solve_kakurasu(prompt: str) -> str:
    rows, columns = size_of(prompt)
    weights = {
        kind: [int(word) for word in words.split()]
        for kind, words in re.findall(r"^Weights of (column|row)s .*: ([\d ]+)$", prompt, re.MULTILINE)
    }
    variables = marks(all_cells(rows, columns))
    solver, holding = new_solver(), list[tuple[z3.BoolRef, int]]()
    for kind, place, total in re.findall(r"^(row|column) (\d+): (\d+)$", prompt, re.MULTILINE):
        cells = line(kind, int(place) - 1, rows, columns)
        terms = [(variables[row, column], weights["column"][column] if kind == "row" else weights["row"][row]) for row, column in cells]
        if "one of them is false" in prompt:
            holding.append((z3.PbEq(terms, int(total)), 1))
        else:
            solver.add(z3.PbEq(terms, int(total)))
    if holding:
        solver.add(z3.PbEq(holding, len(holding) - 1))
    for word, listed in re.findall(r"^Known to be (marked|unmarked) .*?\): (.*)$", prompt, re.MULTILINE):
        for row, column in re.findall(r"r(\d+)c(\d+)", listed):
            variable = variables[int(row) - 1, int(column) - 1]
            solver.add(variable if word == "marked" else z3.Not(variable))
    return shaded(variables, solution(solver), rows, columns)
