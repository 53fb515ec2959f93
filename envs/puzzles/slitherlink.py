"""Draw the single loop of a slitherlink: each number says how many sides of its cell the loop runs along.

The answer describes the loop by the cells inside it. In the shifted family the cells are hexagons in shifted rows.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, layout, mark_deductions, marks
from rlgym.generators.grids.bits import Count, as_set
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Connected
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle, Ways
from rlgym.generators.text.english import count_noun

CHECKS = 6  # checks of what suppositions suffice for, a board
SIDES = {"square": 4, "hex": 6}


class Knobs(Config):
    size: int = knob(6, easy=4, hard=8, doc="rows and columns")
    clues: int = knob(50, easy=100, hard=0, doc="percent of cells that show a number, as far as the loop stays the only one")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    kind: str  # square or hex
    board: Cells  # digits, and dots for cells without a number


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "square")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "hex")


def solve(task: Task[Data]) -> Cells:
    size = len(task.data.board)
    return marks.render_marks(marks.solve(_puzzle(task.data)), size, size)


def verify(task: Task[Data], answer: Cells) -> Score:
    size, kind = len(task.data.board), task.data.kind
    if reason := layout.find_misfit(answer, [["."] * size] * size, "#."):
        return Score.wrong(reason)
    inside = as_set([cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign == "#"])
    around = boards.near(kind, size, size)
    for cell, sign in enumerate(sign for row in task.data.board for sign in row):
        if sign != "." and _sides(around, cell, inside, SIDES[kind]) != int(sign):
            return Score.wrong(f"the loop runs along another number of sides of {layout.place(cell, size)}")
    if not inside or boards.flood_fill(boards.offsets(around), inside & -inside, inside) != inside:
        return Score.wrong("the cells inside are not connected, so there is not one loop")
    outside = (2 << size * size) - 1 & ~inside
    is_connected = boards.flood_fill(boards.offsets(boards.add_frame(around, SIDES[kind])), 1 << size * size, outside) == outside
    return Score.exact(is_connected, "cells outside are shut in, so there is not one loop")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    size = len(right)
    swapped = tuple(tuple("." if sign == "#" else "#" for sign in row) for row in right)
    none = ((".",) * size,) * size
    return [swapped, *layout.exchange_neighbours(right, [["."] * size] * size), right[::-1], tuple(zip(*right)), none]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data))


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.board, dots=task.data.kind == "square")


def _sample_task(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    size = knobs.size
    around = boards.near(kind, size, size)
    while True:
        inside = boards.sample_island(rng, around, SIDES[kind], size * size * rng.integer(45, 60) // 100)
        counts = [str(_sides(around, cell, inside, SIDES[kind])) for cell in range(size * size)]

        def data(kept: Sequence[int]) -> Data:
            signs = [sign if cell in kept else "." for cell, sign in enumerate(counts)]  # noqa: B023
            return Data(kind=kind, board=layout.rows_of(signs, size))

        def decides(kept: Sequence[int], reasoning: str) -> bool:
            return not marks.undetermined_cells(_puzzle(data(kept)), inside, reasoning)  # noqa: B023

        if decides(range(size * size), knobs.reasoning):
            break
    candidate = data(marks.choose_clues(rng, size * size, size * size * knobs.clues // 100, knobs.reasoning, decides, CHECKS))
    rows = [" ".join(row) for row in candidate.board]
    shown = boards.render_hexagons(rows) if kind == "hex" else "\n".join(rows)
    prompt = (
        "Find the loop on this board: one closed line along the sides of cells that does not cross, touch or branch anywhere. A number says how many "
        f"of the {'six' if kind == 'hex' else 'four'} sides of its cell belong to the loop, sides at the edge of the board included; a dot says nothing."
        f"{' ' + boards.HEX_SAID if kind == 'hex' else ''}\n\n{shown}\n\nShow which cells are inside the loop."
    )
    return Task(prompt, candidate)


def _sides(around: boards.Near, cell: int, inside: int, sides: int) -> int:
    """How many sides of a cell part inside from outside."""
    within = sum(inside >> other & 1 for other in around[cell])
    return sides - within if inside >> cell & 1 else within


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    size = len(data.board)
    around = boards.near(data.kind, size, size)
    rules: list[marks.Rule] = [Count((1 << size * size) - 1, 1, size * size, "some cell is inside")]
    for cell, sign in enumerate(sign for row in data.board for sign in row):
        if sign != ".":
            why = f"the {sign} at {layout.place(cell, size)} needs {count_noun(int(sign), 'side')} between inside and outside"
            rules.append(Ways(as_set([cell, *around[cell]]), _inside_sets(around, cell, int(sign), SIDES[data.kind]), why))
    return Puzzle(
        size * size,
        tuple(rules),
        (
            Connected(around, True, "the inside must be connected"),
            Connected(boards.add_frame(around, SIDES[data.kind]), False, "the outside must be connected around the board", framed=True),
        ),
    )


@lru_cache(maxsize=4000)
def _inside_sets(around: boards.Near, cell: int, sign: int, sides: int) -> tuple[int, ...]:
    """The sets of cells inside, of a cell and its neighbours, with which the cell has that many sides of the loop."""
    subsets, cells = [], as_set([cell, *around[cell]])
    subset = cells
    while True:
        if _sides(around, cell, subset, sides) == sign:
            subsets.append(subset)
        if not subset:
            return tuple(subsets)
        subset = subset - 1 & cells


@lru_cache(maxsize=16)
def _words(size: int) -> Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return Words([f"{place} is inside" for place in places], [f"{place} is outside" for place in places])


def solutions(task: Task[Data]) -> Iterator[Cells]:
    size = len(task.data.board)
    for inside in marks.solve_with_z3(_puzzle(task.data)):
        yield marks.render_marks(inside, size, size)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(len(task.data.board)))


environment = Environment(
    Knobs,
    Grid(
        "the board, one row per line, each cell # if it is inside the loop or . if outside, with cells separated by spaces",
        single_characters=True,
    ),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Colour cells as inside or outside: a number counts neighbours of the other colour, and each colour must be connected.",
    version=2,
)  # fmt: skip
