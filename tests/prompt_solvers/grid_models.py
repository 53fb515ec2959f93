"""Boards as Boolean models for z3: marks, digits, and connection by cuts that are added when a model breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import z3

Cell = tuple[int, int]
Holds = Callable[[z3.BoolRef], bool]
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def new_solver() -> z3.Solver:
    """A solver for Boolean variables and sums of them."""
    return z3.SolverFor("QF_FD")


def marks(cells: Iterable[Cell], name: str = "mark") -> dict[Cell, z3.BoolRef]:
    """A variable for each cell."""
    return {cell: z3.Bool(f"{name}{cell}") for cell in cells}


def all_cells(rows: int, columns: int) -> list[Cell]:
    """The cells of a board in reading order."""
    return [(row, column) for row in range(rows) for column in range(columns)]


def around(cell: Cell, steps: Iterable[Cell] = STEPS) -> list[Cell]:
    """The cells next to a cell, those beyond the edge included."""
    return [(cell[0] + row, cell[1] + column) for row, column in steps]


def exactly(count: int, variables: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """A number of the variables are true."""
    terms = [(variable, 1) for variable in variables]
    return z3.PbEq(terms, count) if terms else z3.BoolVal(count == 0)


def at_most(count: int, variables: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """No more than a number of the variables are true."""
    terms = [(variable, 1) for variable in variables]
    return z3.PbLe(terms, count) if terms else z3.BoolVal(True)


def line(kind: str, place: int, rows: int, columns: int) -> list[Cell]:
    """The cells of a row or a column."""
    return [(place, column) for column in range(columns)] if kind == "row" else [(row, place) for row in range(rows)]


def groups(board: list[list[str]]) -> dict[str, list[Cell]]:
    """The cells of each letter of a board."""
    found: dict[str, list[Cell]] = {}
    for row, words in enumerate(board):
        for column, word in enumerate(words):
            found.setdefault(word, []).append((row, column))
    return found


def components(cells: Iterable[Cell], steps: Iterable[Cell] = STEPS) -> list[set[Cell]]:
    """The connected parts of a set of cells."""
    left, parts = set(cells), []
    while left:
        part, open_cells = set(), [left.pop()]
        while open_cells:
            cell = open_cells.pop()
            part.add(cell)
            near = [other for other in around(cell, steps) if other in left]
            left.difference_update(near)
            open_cells += near
        parts.append(part)
    return parts


def connection_cuts(variables: Mapping[Cell, z3.BoolRef], holds: Holds) -> list[z3.BoolRef]:
    """Clauses that every connected set of true cells meets and that the present one breaks; none if it is connected."""
    parts = components(cell for cell, variable in variables.items() if holds(variable))
    cuts = []
    for part, other in zip(parts, parts[1:] + parts[:1], strict=True) if len(parts) > 1 else ():
        border = {near for cell in part for near in around(cell) if near in variables and near not in part}
        way_out = [variables[cell] for cell in border]
        cuts.append(z3.Or(z3.Not(variables[min(part)]), z3.Not(variables[min(other)]), *way_out))
    return cuts


def solution(solver: z3.Solver, cuts: Callable[[Holds], list[z3.BoolRef]] = lambda holds: []) -> Holds:
    """The first model that needs no more cuts."""
    while solver.check() == z3.sat:
        model = solver.model()

        def holds(variable: z3.BoolRef, model: z3.ModelRef = model) -> bool:
            return z3.is_true(model.eval(variable, model_completion=True))

        broken = cuts(holds)
        if not broken:
            return holds
        solver.add(*broken)
    raise ValueError("the prompt has no solution")


def shaded(variables: Mapping[Cell, z3.BoolRef], holds: Holds, rows: int, columns: int, on: str = "#") -> str:
    """A board with one character for true cells and a dot for all others."""
    return "\n".join(
        " ".join(on if (row, column) in variables and holds(variables[row, column]) else "." for column in range(columns))
        for row in range(rows)
    )


class Digits:
    """A board of cells that each hold one of some values."""

    def __init__(self, cells: Iterable[Cell], values: Iterable[int] | Callable[[Cell], Iterable[int]]) -> None:
        self.solver = new_solver()
        options = values if callable(values) else lambda cell, fixed=list(values): fixed
        self.cells = {cell: {value: z3.Bool(f"{cell}={value}") for value in options(cell)} for cell in cells}
        for choice in self.cells.values():
            self.solver.add(exactly(1, choice.values()))

    def give(self, board: list[list[str]]) -> None:
        """The digits of a board are fixed."""
        for word, cells in groups(board).items():
            if word.isdigit():
                self.solver.add(*[self.cells[cell][int(word)] for cell in cells])

    def once_each(self, cells: Iterable[Cell], values: Iterable[int]) -> None:
        """Each value is in exactly one of the cells."""
        cells = list(cells)
        for value in values:
            self.solver.add(exactly(1, [self.cells[cell][value] for cell in cells if value in self.cells[cell]]))

    def different(self, cells: Iterable[Cell]) -> None:
        """No value is in two of the cells."""
        cells = list(cells)
        for value in {value for cell in cells for value in self.cells[cell]}:
            self.solver.add(at_most(1, [self.cells[cell][value] for cell in cells if value in self.cells[cell]]))

    def total(self, cells: Iterable[Cell], total: int) -> None:
        """The values of the cells have a sum."""
        self.solver.add(z3.PbEq([(variable, value) for cell in cells for value, variable in self.cells[cell].items()], total))

    def allow(self, cells: list[Cell], fits: Callable[[tuple[int, ...]], bool]) -> None:
        """The values of the cells are one of the combinations that fit; for a pair of cells or a few more."""

        def forbid(chosen: tuple[int, ...]) -> None:
            if len(chosen) < len(cells):
                for value in self.cells[cells[len(chosen)]]:
                    forbid((*chosen, value))
            elif not fits(chosen):
                self.solver.add(z3.Or([z3.Not(self.cells[cell][value]) for cell, value in zip(cells, chosen, strict=True)]))

        forbid(())

    def latin(self, size: int) -> None:
        """Each row and each column holds each of 1 to `size` once."""
        for place in range(size):
            for kind in ("row", "column"):
                self.once_each(line(kind, place, size, size), range(1, size + 1))

    def board(self, blank: list[list[str]] | None = None) -> str:
        """The solved board; cells without a value are copied from `blank`."""
        holds = solution(self.solver)
        rows, columns = (
            (len(blank), len(blank[0])) if blank else (max(row for row, _ in self.cells) + 1, max(column for _, column in self.cells) + 1)
        )

        def shown(cell: Cell) -> str:
            if cell not in self.cells:
                assert blank
                return blank[cell[0]][cell[1]]
            return next(str(value) for value, variable in self.cells[cell].items() if holds(variable))

        return "\n".join(" ".join(shown((row, column)) for column in range(columns)) for row in range(rows))
