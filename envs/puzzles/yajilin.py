"""Solve a yajilin: shade cells as arrows count them, none side by side, and draw one loop through all other free cells."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, lanes, layout, mark_deductions, marks, regions
from rlgym.generators.grids.bits import Count, as_set, members
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Loop
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle, Ways

CHECKS = 4  # checks of what suppositions suffice for, a board
ARROWS = {"<": "left", ">": "right", "^": "up", "v": "down"}


class Knobs(Config):
    size: int = knob(5, easy=4, hard=7, doc="rows and columns")
    clues: int = knob(60, easy=100, hard=30, doc="percent of arrows that are kept, as far as the solution stays unique")
    walls: int = knob(35, easy=20, hard=50, doc="percent of cells off the loop that are walls, even where they could be shaded")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    board: Cells  # a dot for a free cell, ? for a wall without a clue, 2> for one that counts two shaded cells to its right
    known: tuple[int, ...]  # cells given as shaded


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    size = knobs.size
    loop = lanes.sample_loop(rng, size)
    walls, shaded = _sample_off_loop(rng, size, loop, knobs.walls)
    signs = {wall: _clue(rng, size, wall, walls, shaded) for wall in walls}

    def data(kept: Sequence[int], known: tuple[int, ...] = ()) -> Data:
        shown = {walls[i] for i in kept}
        board = ["." if cell not in signs else signs[cell] if cell in shown else "?" for cell in range(size * size)]
        return Data(board=layout.rows_of(board, size), known=known)

    right = shaded | loop << size * size
    givens = marks.add_givens(rng, _puzzle(data(range(len(walls)))), right, knobs.reasoning, shaded)
    if givens is None:
        return generate(rng, knobs)
    known = givens[0]

    def decides(kept: list[int], reasoning: str) -> bool:
        return not marks.undetermined_cells(_puzzle(data(kept)), right, reasoning, known)

    kept = marks.choose_clues(rng, len(walls), len(walls) * knobs.clues // 100, knobs.reasoning, decides, CHECKS)
    data_drawn = data(kept, tuple(members(known)))
    return Task(_render_prompt(data_drawn), data_drawn)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, marks.solve(_puzzle(task.data), as_set(task.data.known)))


def verify(task: Task[Data], answer: Cells) -> Score:
    board, size = task.data.board, len(task.data.board)
    if reason := layout.find_misfit(answer, board, lanes.SIGNS[1:] + "#"):
        return Score.wrong(reason)
    signs = [sign for row in answer for sign in row]
    clues = [sign for row in board for sign in row]
    shaded = as_set([cell for cell, sign in enumerate(signs) if sign == "#"])
    if any(shaded >> other & 1 for cell in members(shaded) for other in boards.near("square", size, size)[cell]):
        return Score.wrong("two shaded cells are side by side")
    for cell, clue in enumerate(clues):
        if clue not in ".?" and (shaded & _cells_along(size, cell, clue[1])).bit_count() != int(clue[0]):
            return Score.wrong(f"the arrow at {layout.place(cell, size)} counts another number of shaded cells")
    if as_set(task.data.known) & ~shaded:
        return Score.wrong("a cell known to be shaded is not")
    lines = [sign if sign in lanes.SIGNS and clue == "." else "." for sign, clue in zip(signs, clues)]
    loop = lanes.read_loop(layout.rows_of(lines, size))
    if isinstance(loop, str):
        return Score.wrong(loop)
    reason = lanes.find_loop_fault(size, loop)
    return Score.exact(not reason, reason)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = task.data.board
    size = len(board)
    spots = [(r, c) for r in range(size) for c in range(size) if board[r][c] == "."]
    all_black = layout.replace_cells(right, dict.fromkeys(spots, "#"))
    turned = {"-": "I", "I": "-", "L": "J", "J": "L", "7": "F", "F": "7"}
    mirrored = layout.replace_cells(right, {(r, c): turned.get(right[r][c], "#") for r, c in spots})
    single_change = layout.replace_cells(right, {spots[0]: "#" if right[spots[0][0]][spots[0][1]] != "#" else "F"})
    return [single_change, all_black, mirrored, *layout.exchange_neighbours(right, board), right[::-1]]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data), as_set(task.data.known))


def picture(task: Task[Data]) -> str:
    walls = [cell for cell, sign in enumerate(sign for row in task.data.board for sign in row) if sign != "."]
    return pictures.board(task.data.board, shaded=walls)


def _render_prompt(data: Data) -> str:
    size = len(data.board)
    known = (
        f"\n\nKnown to be shaded (r2c3 is the cell in row 2, column 3): {regions.describe_regions(data.known, size)}." if data.known else ""
    )
    wide = max(len(sign) for row in data.board for sign in row)
    shown = "\n".join(" ".join(sign.rjust(wide) for sign in row) for row in data.board)
    return (
        "On this board a dot is a free cell, and all other cells are walls. Shade some free cells, no two of them side by side (above, below, left or "
        "right of each other), and draw one closed loop that passes once through every free cell that is not shaded. The loop goes from cell centre to "
        "cell centre, across or up and down, never through walls or shaded cells, and does not cross itself or branch. An arrow counts all shaded "
        "cells in its direction as far as the edge, beyond other walls too: 2> says that two cells to the right of it in its row are shaded, ^ looks up, v "
        f'down, < to the left. A wall with ? says nothing.\n\n{shown}\n\nWrite # for a shaded cell. For a cell of the loop, write "-" where it goes from left '
        f"to right, I (capital i) up and down, L where it joins up and right, J up and left, 7 down and left, F down and right. Walls stay as they are.{known}"
    )


def _sample_off_loop(rng: Rng, size: int, loop: int, percent: int) -> tuple[list[int], int]:
    """What the cells off a loop become: walls, or shaded cells that are not side by side."""
    passed = {cell for edge in members(loop) for cell in lanes.edge_ends(size)[edge]}
    walls: list[int] = []
    shaded = 0
    for cell in rng.shuffled([cell for cell in range(size * size) if cell not in passed]):
        if any(shaded >> other & 1 for other in boards.near("square", size, size)[cell]) or rng.chance(percent / 100):
            walls.append(cell)
        else:
            shaded |= 1 << cell
    return sorted(walls), shaded


def _clue(rng: Rng, size: int, cell: int, walls: list[int], shaded: int) -> str:
    """An arrow that looks along the most free cells, or along some."""
    walled = as_set(walls)
    free = {sign: (_cells_along(size, cell, sign) & ~walled).bit_count() for sign in ARROWS}
    sign = rng.choice([sign for sign in ARROWS if free[sign] * 2 >= max(free.values())])
    return f"{(_cells_along(size, cell, sign) & shaded).bit_count()}{sign}"


@lru_cache(maxsize=2000)
def _cells_along(size: int, cell: int, sign: str) -> int:
    """The cells that an arrow looks along."""
    cells, direction = 0, ARROWS[sign]
    while direction in lanes.edges_at(size)[cell]:
        cell = lanes.neighbour(size, cell, direction)
        cells |= 1 << cell
    return cells


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    """First a question for each cell, whether it is shaded, then one for each edge, whether the loop goes along."""
    size = len(data.board)
    cells, clues = size * size, [sign for row in data.board for sign in row]
    rules: list[marks.Rule] = []
    for cell, clue in enumerate(clues):
        name, edges = layout.place(cell, size), [1 << cells + edge for edge in lanes.edges_at(size)[cell].values()]
        bit = 1 << cell
        if clue == ".":
            ways = (bit, *(first_edge | two for i, first_edge in enumerate(edges) for two in edges[:i]))
            rules.append(Ways(bit | sum(edges), ways, f"{name} is shaded or the loop goes through it"))
            rules += [
                Count(bit | 1 << other, 0, 1, f"{name} and {layout.place(other, size)} are side by side")
                for other in boards.near("square", size, size)[cell]
                if other > cell and clues[other] == "."
            ]
        else:
            rules.append(Count(bit | sum(edges), 0, 0, f"{name} is a wall"))
            if clue != "?":
                free = as_set([other for other in members(_cells_along(size, cell, clue[1])) if clues[other] == "."])
                direction, number = ARROWS[clue[1]], int(clue[0])
                rules.append(Count(free, number, number, f"the arrow at {name} counts {number} on its {direction} side"))
    ends = lanes.edge_ends(size)
    return Puzzle(cells + len(ends), tuple(rules), (Loop(ends, "there is only one loop", first=cells),))


@lru_cache(maxsize=16)
def _words(size: int) -> Words:
    places, edges = [layout.place(cell, size) for cell in range(size * size)], lanes.edge_words(size)
    return Words(
        [*(f"{place} is shaded" for place in places), *edges.marked], [*(f"{place} is not shaded" for place in places), *edges.blank]
    )


def _to_cells(data: Data, chosen: int) -> Cells:
    size = len(data.board)
    loop = [sign for row in lanes.render_loop(size, chosen >> size * size) for sign in row]
    clues = [sign for row in data.board for sign in row]
    signs = ["#" if chosen >> cell & 1 else loop[cell] if clue == "." else clue for cell, clue in enumerate(clues)]
    return layout.rows_of(signs, size)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for chosen in marks.solve_with_z3(_puzzle(task.data), as_set(task.data.known)):
        yield _to_cells(task.data, chosen)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(len(task.data.board)), as_set(task.data.known))


environment = Environment(
    Knobs, Grid("the board, one row per line, with the entries of the cells separated by spaces"),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=None, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Arrows that count as many as can fit, or none, settle cells; every other free cell needs two ways on, and there is one loop.",
    version=3,
)  # fmt: skip
