"""Find a hidden fleet: the number of ship cells in each row and column is given, and ships never touch.

Cells are revealed until deductions, or suppositions that fail, leave one place for the whole fleet.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import deduction_sheet, domains, fills, fleet, layout, singleton_consistency
from rlgym.generators.grids.layout import Cells

OPENING = "r2c3 stands for the cell in row 2, column 3; next to a ship's corner there is water, which is assumed as soon as a cell is known to be ship."
END = "The fleet is found:\n{answer}"
TRIES = 3  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(7, easy=5, hard=10, doc="rows and columns")
    given_cells: int = knob(5, easy=20, hard=0, doc="percent of cells given, more where the fleet would not be unique or not be found")
    silent: int = knob(10, easy=0, hard=30, doc="percent of rows and columns whose number is not given")
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="search",
        order=domains.SEARCHING,
        doc="whether the counts suffice, or suppositions that fail, or some inside others, are needed as well",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=30,
        scale="log",
        doc="suppositions that prove the solution the only one, where some inside others are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    fleet: tuple[int, ...]
    numbers: tuple[int, ...]  # of the rows, then of the columns; -1 where none is given
    known: tuple[str, ...]  # # for a ship, . for water, ? for an unknown cell


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, knobs.size, knobs.size, fleet.standard_fleet(knobs.size))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Wide seas with few, long ships."""
    height, width = knobs.size * 3 // 4, knobs.size * 4 // 3
    return _sample_task(rng, knobs, height, width, fleet.long_fleet(height * width))


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, domains.solve(_puzzle(task.data), _given_cells(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, data.known, "#.", unknown="?") or fills.find_miscount(answer, data.numbers):
        return Score.wrong(reason)
    lengths = fleet.ship_lengths(answer)
    return Score.exact(lengths == data.fleet, "two ships touch" if lengths is None else "the ships are not those of the fleet")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return fills.near_misses(right, task.data.known)


def cost(task: Task[Data]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), _given_cells(task.data))


def picture(task: Task[Data]) -> str:
    data = task.data
    clues = ["" if number < 0 else str(number) for number in data.numbers]
    signs = {"#": "■", ".": "~", "?": ""}
    cells = [[signs[sign] for sign in row] for row in data.known]
    return pictures.board(cells, right=clues[: len(cells)], bottom=clues[len(cells) :])


def _sample_task(rng: Rng, knobs: Knobs, height: int, width: int, ships: tuple[int, ...]) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions inside suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return singleton_consistency.sample_hard(
        lambda: _sample_once(rng, knobs, height, width, ships),
        lambda task: domains.count_suppositions(_puzzle(task.data), _given_cells(task.data)),
        wanted,
        TRIES,
    )


def _sample_once(rng: Rng, knobs: Knobs, height: int, width: int, ships: tuple[int, ...]) -> Task[Data]:
    filled = fleet.sample_fleet(rng, height, width, ships)
    cells = layout.rows_of(["#" if cell in filled else "." for cell in range(height * width)], width)
    numbers = [line.count("#") for line in (*cells, *zip(*cells))]
    for line in rng.shuffled(range(height + width))[: (height + width) * knobs.silent // 100]:
        numbers[line] = -1
    blank = Data(fleet=ships, numbers=tuple(numbers), known=("?" * width,) * height)
    right = [int(cell in filled) for cell in range(height * width)]
    given = singleton_consistency.choose_givens(
        rng, _puzzle(blank), right, height * width * knobs.given_cells // 100, knobs.reasoning, suppositions=knobs.suppositions
    )
    signs = ["#" if given.get(cell) == 1 else "." if cell in given else "?" for cell in range(height * width)]
    data = blank.model_copy(update={"known": tuple("".join(row) for row in layout.rows_of(signs, width))})
    prompt = (
        f"A fleet lies on a sea of {height} rows and {width} columns: {fleet.describe_fleet(ships)}. Each ship covers cells in a straight line, across "
        "or down, and no two ships touch, not even at a corner. These lines have this number of cells covered by ships; a line that is not "
        f"listed may have any number.\n{fills.render_line_counts(data.numbers, height, width)}"
        f"\n\nThe sea, with # for a cell known to be part of a ship, . for a cell known to be water and ? for an unknown cell:"
        f"\n\n{layout.render_grid(data.known)}\n\nFind the whole fleet."
    )
    return Task(prompt, data)


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> domains.Puzzle:
    height, width = len(data.known), len(data.known[0])
    names = [layout.place(cell, width) for cell in range(height * width)]
    clash = []
    for cell in range(height * width):
        r, c = divmod(cell, width)
        corners = [(i, j) for i in (r - 1, r + 1) for j in (c - 1, c + 1) if 0 <= i < height and 0 <= j < width]
        clash.append(((), tuple((i * width + j, 2) for i, j in corners)))
    rows = [tuple(range(r * width, r * width + width)) for r in range(height)]
    lines = rows + [tuple(range(c, height * width, width)) for c in range(width)]
    rules = [
        domains.Rule(f"the number of {name}", line, narrow=fleet.line_constraint(line, number))
        for name, line, number in zip(fills.line_names(height, width), lines, data.numbers)
        if number >= 0
    ]
    rules.append(domains.Rule("the fleet", tuple(range(height * width)), narrow=fleet.fleet_constraint(data.fleet, height, width)))
    return domains.Puzzle(tuple(names), ("water", "ship"), (3,) * (height * width), tuple(clash), tuple(rules))


def _given_cells(data: Data) -> dict[int, int]:
    return {cell: int(sign == "#") for cell, sign in enumerate("".join(data.known)) if sign != "?"}


def _to_cells(data: Data, values: Sequence[int]) -> Cells:
    return layout.rows_of([".#"[value] for value in values], len(data.known[0]))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    data = task.data
    height, width = len(data.known), len(data.known[0])
    for filled in fleet.fleets(data.fleet, data.numbers, _given_cells(data), height, width):
        yield layout.rows_of(["#" if cell in filled else "." for cell in range(height * width)], width)


environment = Environment(
    Knobs, Grid("the sea, one row per line, each cell # for a ship or . for water and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=deduction_sheet.solution(_puzzle, END, OPENING, _given_cells), shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="Lines that are full or can only just be filled come first; then ask where the longest ship still has room.",
    version=3,
)  # fmt: skip
