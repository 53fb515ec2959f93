"""Fill a killer sudoku: a sudoku without given digits, but with the sums of its cages.

Uniqueness is proved when a grid is made: cages are cut until their sums leave one solution.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import latin, layout, regions, replays, tables
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 120  # suppositions that a proof of uniqueness may take


TRIES = 5  # puzzles of which the hardest is taken


class Knobs(Config):
    boxes: str = knob("2x3", easy="2x2", hard="3x3", order=("2x2", "2x3", "2x4", "3x3"), doc="rows and columns of a box")
    cage: int = knob(3, easy=2, hard=5, doc="cells of the largest cage")
    reasoning: str = knob(
        "deductions", easy="deductions", hard="search", order=("deductions", "search"), doc="whether suppositions may be needed"
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=40,
        scale="log",
        doc="suppositions that prove the solution the only one, where they are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    height: int
    width: int
    cages: tuple[Region, ...]
    sums: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, bars=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Cages that are all straight bars."""
    return _sample_task(rng, knobs, bars=True)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(tables.solve(_puzzle(task.data), _no_digits(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    size = data.height * data.width
    if reason := layout.find_misfit(answer, ["." * size] * size, "123456789"[:size]):
        return Score.wrong(reason)
    cells = [int(cell) for row in answer for cell in row]
    if reason := latin.find_repeat(latin.box(data.height, data.width), cells):
        return Score.wrong(reason)
    for cage, total, name in zip(data.cages, data.sums, regions.letters(data.cages)):
        digits = [cells[cell] for cell in cage]
        if sum(digits) != total or len(set(digits)) < len(digits):
            return Score.wrong(f"cage {name} does not hold different digits with the sum {total}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return [*latin.near_misses(right, ["." * len(right)] * len(right)), tuple(zip(*right))]


def cost(task: Task[Data]) -> float:
    return tables.effort(_puzzle(task.data), _no_digits(task.data))


def picture(task: Task[Data]) -> str:
    data = task.data
    size = data.height * data.width
    sums = {cage[0]: str(total) for cage, total in zip(data.cages, data.sums, strict=True)}
    return pictures.board([" " * size] * size, regions=regions.owners(data.cages), corners=sums)


def _sample_task(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(
        lambda: _sample_once(rng, knobs, bars),
        lambda task: tables.count_suppositions(_puzzle(task.data), _no_digits(task.data)),
        wanted,
        TRIES,
    )


def _sample_once(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    height, width = (int(side) for side in knobs.boxes.split("x"))
    rules, size = latin.box(height, width), height * width
    full = latin.sample_grid(rng, rules)
    cages = regions.partition(
        rng,
        size,
        size,
        2,
        knobs.cage,
        lambda cage, cell: full[cell] not in [full[other] for other in cage] and (not bars or regions.in_line((*cage, cell), size)),
    )
    while True:
        data = Data(height=height, width=width, cages=tuple(cages), sums=tuple(sum(full[cell] for cell in cage) for cage in cages))
        doubt = tables.undetermined_cells(_puzzle(data), [0] * len(full), full, STEPS if knobs.reasoning == "search" else 0)
        if not doubt:
            break
        larger = [cell for cage in cages if len(cage) > 1 for cell in cage if cell in doubt]
        cages = regions.split(cages, rng.choice(larger), regions.neighbours_by_cell(size, size))
    listing = "\n".join(f"{name} = {total}" for name, total in zip(regions.letters(cages), data.sums))
    prompt = (
        f"Fill this killer sudoku of {size} rows and {size} columns. Each row, each column and each of the boxes of {height} rows and "
        f"{width} columns, into which the grid divides from its top left corner on, must hold every digit from 1 to {size} exactly once. "
        "The grid is also cut into cages. Each cell is shown here by the letter of its cage"
        f"{regions.letter_case(cages, 'cages')}:"
        f"\n\n{regions.render_regions(cages, size)}\n\nNo digit may occur twice in a cage, and the digits of each cage have this sum:\n{listing}"
    )
    return Task(prompt, data)


def _puzzle(data: Data) -> tables.Puzzle:
    size = data.height * data.width
    names = regions.letters(data.cages)
    rows = [_fillings(size, len(cage), total) for cage, total in zip(data.cages, data.sums)]
    cages = [
        tables.Table(cage, table, f"cage {name} ({regions.describe_regions(cage, size)}: sum {total})")
        for cage, table, name, total in zip(data.cages, rows, names, data.sums, strict=True)
    ]
    return tables.Puzzle(latin.box(data.height, data.width), tuple(cages))


@lru_cache(maxsize=1024)
def _fillings(size: int, cells: int, total: int) -> tuple[tables.Filling, ...]:
    every = tables.fillings(size, tuple((i, j) for j in range(cells) for i in range(j)), cells)
    return tables.as_bits([row for row in every if sum(row) == total])


def _no_digits(data: Data) -> list[int]:
    return [0] * (data.height * data.width) ** 2


def _to_cells(digits: list[int]) -> Cells:
    return layout.rows_of([str(digit) for digit in digits], round(len(digits) ** 0.5))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    yield from map(_to_cells, tables.backtrack_over_marks(_puzzle(task.data), _no_digits(task.data)))


environment = Environment(
    Knobs, Grid("the filled grid, one row per line, with digits separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.table_solution(lambda task: (_puzzle(task.data), _no_digits(task.data)), "The grid is filled:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="List the sets of different digits that make each cage's sum, and compare them with what the rows, columns and boxes still need.",
    version=4,
)  # fmt: skip
