"""Fill a killer sudoku: a sudoku without given digits, but with the sums of its cages.

Uniqueness is proved when a grid is made: cages are cut until their sums leave one solution. On the upper levels one of the sums
is false, and it is not said which: what follows from one cage alone can never be relied on.
"""

from collections.abc import Iterator
from functools import lru_cache, partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import false_clues, latin, layout, regions, replays, tables
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 120  # suppositions that a proof of uniqueness may take


TRIES = 5  # puzzles of which the hardest is taken
FALSE_TRIES = 6
MOST_CHANGE = 3  # by which a false sum differs
SMALLER = {"2x2": "2x2", "2x3": "2x2", "2x4": "2x3", "3x3": "2x3"}  # boxes where one sum is false


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
    false: str = knob(
        "none", easy="none", hard="one", order=("none", "one"), doc="whether one sum is false, which is not said (boxes of a smaller kind)"
    )


class Data(TaskData):
    height: int
    width: int
    cages: tuple[Region, ...]
    sums: tuple[int, ...]  # -1 where it is left open
    false: int = -1  # which of the sums is false


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, bars=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Cages that are all straight bars."""
    return _sample_task(rng, knobs, bars=True)


def solve(task: Task[Data]) -> Cells:
    data = task.data
    if data.false >= 0:
        return _to_cells(next(false_clues.solutions(_finder(data), data.sums)))
    return _to_cells(tables.solve(_puzzle(task.data), _no_digits(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    size = data.height * data.width
    if reason := layout.find_misfit(answer, ["." * size] * size, "123456789"[:size]):
        return Score.wrong(reason)
    cells = [int(cell) for row in answer for cell in row]
    if reason := latin.find_repeat(latin.box(data.height, data.width), cells):
        return Score.wrong(reason)
    missed = list[str]()
    for cage, total, name in zip(data.cages, data.sums, regions.letters(data.cages)):
        digits = [cells[cell] for cell in cage]
        if len(set(digits)) < len(digits):
            return Score.wrong(f"cage {name} does not hold different digits")
        if total not in (-1, sum(digits)):
            missed.append(f"cage {name} does not hold digits with the sum {total}")
    if data.false >= 0:
        return Score.exact(len(missed) == 1, f"{len(missed)} of the sums are not those of their cages, not exactly one")
    return Score.exact(not missed, missed[0] if missed else "")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return [*latin.near_misses(right, ["." * len(right)] * len(right)), tuple(zip(*right))]


def cost(task: Task[Data]) -> float:
    if task.data.false >= 0:
        return 4 * (task.data.height * task.data.width) ** 3 * _count_false(task)
    return tables.effort(_puzzle(task.data), _no_digits(task.data))


def _count_false(task: Task[Data]) -> int:
    """The suppositions that it takes to go through all sums that may be false."""
    data = task.data
    return false_clues.count_in_tables(partial(_puzzle_with, data), data.sums, len(_no_digits(data)))


def picture(task: Task[Data]) -> str:
    data = task.data
    size = data.height * data.width
    sums = {cage[0]: str(total) for cage, total in zip(data.cages, data.sums, strict=True) if total >= 0}
    return pictures.board([" " * size] * size, regions=regions.owners(data.cages), corners=sums)


def _sample_task(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""
    if knobs.false == "one":
        return sample_hard(lambda: _sample_false(rng, knobs, bars), _count_false, knobs.suppositions, FALSE_TRIES)
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(
        lambda: _sample_once(rng, knobs, bars),
        lambda task: tables.count_suppositions(_puzzle(task.data), _no_digits(task.data)),
        wanted,
        TRIES,
    )


def _sample_once(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    return _pose(_sample_grid(rng, knobs, knobs.boxes, bars)[0])


def _sample_false(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    """A false sum among the others, with one solution whichever it may be. One sum is left open.

    With all of them, the digits of the whole grid would say by how much the false one differs.
    """
    while True:
        data, full = _sample_grid(rng, knobs, SMALLER[knobs.boxes], bars)
        size, cages = data.height * data.width, data.cages
        sums = false_clues.leave_out(data.sums, rng.integer(0, len(cages) - 1))

        def makes(at: int, total: int) -> bool:
            return bool(_fillings(size, len(cages[at]), total))  # noqa: B023

        if found := false_clues.falsify(rng, _finder(data), sums, full, MOST_CHANGE, makes):
            return _pose(data.model_copy(update={"sums": found[0], "false": found[1]}))


def _puzzle_with(data: Data, sums: tuple[int, ...]) -> tables.Puzzle:
    return _puzzle(data.model_copy(update={"sums": sums, "false": -1}))


def _finder(data: Data) -> false_clues.Find[list[int]]:
    return false_clues.on_tables(partial(_puzzle_with, data), len(_no_digits(data)))


def _sample_grid(rng: Rng, knobs: Knobs, boxes: str, bars: bool) -> tuple[Data, list[int]]:
    """A grid with one solution, and its digits."""
    height, width = (int(side) for side in boxes.split("x"))
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
            return data, full
        larger = [cell for cage in cages if len(cage) > 1 for cell in cage if cell in doubt]
        cages = regions.split(cages, rng.choice(larger), regions.neighbours_by_cell(size, size))


def _pose(data: Data) -> Task[Data]:
    height, width, cages, size = data.height, data.width, data.cages, data.height * data.width
    known = "the digits of each cage have this sum:"
    if data.false >= 0:
        known = "the sum of the digits is stated for all cages but one, and exactly one of these sums is false; all others hold:"
    listing = "\n".join(f"{name} = {total}" for name, total in zip(regions.letters(cages), data.sums) if total >= 0)
    prompt = (
        f"Fill this killer sudoku of {size} rows and {size} columns. Each row, each column and each of the boxes of {height} rows and "
        f"{width} columns, into which the grid divides from its top left corner on, must hold every digit from 1 to {size} exactly once. "
        "The grid is also cut into cages. Each cell is shown here by the letter of its cage"
        f"{regions.letter_case(cages, 'cages')}:"
        f"\n\n{regions.render_regions(cages, size)}\n\nNo digit may occur twice in a cage, and {known}\n{listing}"
    )
    return Task(prompt, data)


def _puzzle(data: Data) -> tables.Puzzle:
    size, cages = data.height * data.width, []
    for at, (cage, total, name) in enumerate(zip(data.cages, data.sums, regions.letters(data.cages))):
        known = total if at != data.false else -1
        said = "different digits" if known < 0 else f"sum {known}"
        cages.append(tables.Table(cage, _fillings(size, len(cage), known), f"cage {name} ({regions.describe_regions(cage, size)}: {said})"))
    return tables.Puzzle(latin.box(data.height, data.width), tuple(cages))


@lru_cache(maxsize=1024)
def _fillings(size: int, cells: int, total: int) -> tuple[tables.Filling, ...]:
    every = tables.fillings(size, tuple((i, j) for j in range(cells) for i in range(j)), cells)
    return tables.as_bits([row for row in every if total in (-1, sum(row))])


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
    version=5,
)  # fmt: skip
