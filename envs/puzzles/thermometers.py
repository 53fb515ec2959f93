"""Fill thermometers from their bulbs on so that every row and column has the given number of filled cells.

Uniqueness is proved when a grid is made: where the numbers do not suffice, some cells are given.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.grids import bits, fills, layout, regions
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

TRIES = 5  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(6, easy=4, hard=10, doc="rows and columns")
    longest: int = knob(4, easy=3, hard=5, doc="cells of the longest thermometer")
    numbers: int = knob(80, easy=100, hard=50, doc="percent of lines whose number is given, as far as the solution stays unique")
    reasoning: str = knob(
        "trying",
        easy="counting",
        hard="search",
        order=bits.REASONING,
        doc="whether counting suffices, or suppositions that fail at once, or some inside others may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=80,
        scale="log",
        doc="suppositions that find the solution and prove it the only one, where some inside others are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    size: int
    thermometers: tuple[tuple[int, ...], ...]  # cells from the bulb on
    told: tuple[int, ...]  # filled cells of the rows, then of the columns; -1 where not given
    known: fills.Known


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, straight=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Thermometers that are all straight."""
    return _sample_task(rng, knobs, straight=True)


def solve(task: Task[Data]) -> Cells:
    return fills.solve(_puzzle_of(task.data), task.data.known)


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, data.known, "#.", "?") or fills.find_miscount(answer, data.told):
        return Score.wrong(reason)
    cells = [cell for row in answer for cell in row]
    for tube in data.thermometers:
        if ".#" in "".join(cells[cell] for cell in tube):
            return Score.wrong(f"the thermometer with its bulb at {layout.place(tube[0], data.size)} is not filled from its bulb on")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return fills.near_misses(right, task.data.known)


def cost(task: Task[Data]) -> float:
    return bits.effort(_puzzle_of(task.data), *fills.known_sets(task.data.known))


def picture(task: Task[Data]) -> str:
    data = task.data
    return fills.picture(data.known, data.told, _name_cells(data.size, data.thermometers), regions.owners(data.thermometers))


def _sample_task(rng: Rng, knobs: Knobs, straight: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions inside suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(
        lambda: _sample_once(rng, knobs, straight),
        lambda task: fills.count_suppositions(_puzzle_of(task.data), task.data.known),
        wanted,
        TRIES,
    )


def _sample_once(rng: Rng, knobs: Knobs, straight: bool) -> Task[Data]:
    size = knobs.size
    thermometers = _sample_thermometers(rng, size, knobs.longest, straight)
    right = bits.as_set([cell for tube in thermometers for cell in tube[: rng.integer(0, len(tube))]])
    numbers = [(right & line).bit_count() for line in fills.lines(size, size)]
    counts, known = fills.choose_clues(
        rng,
        lambda kept: _puzzle(size, thermometers, kept),
        numbers,
        right,
        knobs.reasoning,
        knobs.numbers,
        size,
        steps=bits.proof_steps(knobs.reasoning, knobs.suppositions),
    )
    case = "; capital and small letters are different" if len(thermometers) > 26 else ""
    clue_text = "The number of filled cells is given only for these rows and columns:"
    if -1 not in counts:
        clue_text = "The number of filled cells is given for every row and column:"
    prompt = (
        f"A grid of {size} rows and {size} columns is covered by thermometers. Each cell is shown by the letter of its thermometer and by its place "
        f"in it, counted from the bulb, which is 1{case}:\n\n"
        f"{layout.render_grid(_name_cells(size, thermometers))}\n\nEach cell is filled or empty. A thermometer fills from its bulb on: if a cell is "
        "filled, all cells of its thermometer with lower places are filled too. It may be empty, full or anything in between. "
        f"{clue_text}\n{fills.render_line_counts(counts, size, size)}{fills.describe_known(known)}"
    )
    return Task(prompt, Data(size=size, thermometers=thermometers, told=counts, known=known))


def _sample_thermometers(rng: Rng, size: int, longest: int, straight: bool) -> tuple[tuple[int, ...], ...]:
    """Random paths that cover the grid; those that begin hemmed in are short."""
    near, free, tubes = regions.neighbours_by_cell(size, size), [True] * (size * size), []
    for first in rng.shuffled(range(size * size)):
        if free[first]:
            tube, length = [first], rng.integer(2, longest)
            free[first] = False
            while len(tube) < length and (
                ways := [c for c in near[tube[-1]] if free[c] and (not straight or regions.in_line((*tube, c), size))]
            ):
                tube.append(rng.choice(ways))
                free[tube[-1]] = False
            tubes.append(tuple(tube))
    return tuple(sorted(tubes))


def _name_cells(size: int, thermometers: tuple[tuple[int, ...], ...]) -> Cells:
    signs = [""] * (size * size)
    for name, tube in zip(regions.letters(thermometers), thermometers):
        for place, cell in enumerate(tube, 1):
            signs[cell] = f"{name}{place}"
    return layout.rows_of(signs, size)


@lru_cache(maxsize=4)
def _puzzle(size: int, thermometers: tuple[tuple[int, ...], ...], numbers: tuple[int, ...]) -> bits.Puzzle:
    counts = fills.line_counts(numbers, size, size)
    for tube in thermometers:
        for low, high in pairwise(tube):
            why = f"{layout.place(high, size)} is filled only if {layout.place(low, size)}, nearer to the bulb, is"
            counts.append(Count(1 << low, 1, 1, why, when=1 << high))
    return bits.Puzzle(size * size, tuple(counts))


def _puzzle_of(data: Data) -> bits.Puzzle:
    return _puzzle(data.size, data.thermometers, data.told)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    yield from fills.solve_with_z3(_puzzle_of(task.data), task.data.known)


environment = Environment(
    Knobs, Grid("the grid, one row per line, each cell # if filled or . if empty and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=fills.solution(_puzzle_of), shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="In each line, see which thermometers must reach into it, or cannot, for its number; bulbs fill before tips.",
    version=4,
)  # fmt: skip
