"""Fill aquariums with water to one level each so that every row and column has the given number of filled cells.

Uniqueness is proved when a grid is made: where the numbers do not suffice, some cells are given. On the upper levels one of the numbers is false, and it
is not said which: what follows from one number alone can never be relied on.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.grids import bits, false_clues, fills, layout, regions
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.singleton_consistency import sample_hard

FALSE_TRIES = 4
TRIES = 8  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(6, easy=4, hard=9, doc="rows and columns")
    largest: int = knob(6, easy=4, hard=8, doc="cells of the largest aquarium")
    numbers: int = knob(75, easy=100, hard=45, doc="percent of lines whose number is given, as far as the solution stays unique")
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
        hard=100,
        scale="log",
        doc="suppositions that find the solution and prove it the only one, where some inside others are needed and as far as a few puzzles have them",
    )
    false: str = knob(
        "none",
        easy="none",
        hard="one",
        order=("none", "one"),
        doc="whether one number is false, which is not said (four fifths of the rows and columns)",
    )


class Data(TaskData):
    size: int
    tanks: tuple[Region, ...]
    told: tuple[int, ...]  # filled cells of the rows, then of the columns; -1 where not given
    known: fills.Known
    false: int = -1  # which of the numbers is false


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, tall=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Aquariums that are tall and at most two columns wide."""
    return _sample_task(rng, knobs, tall=True)


def solve(task: Task[Data]) -> Cells:
    data = task.data
    if data.false >= 0:
        return false_clues.solve(partial(_puzzle, data.size, data.tanks), data.told, data.size)
    return fills.solve(_puzzle_of(task.data), task.data.known)


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, data.known, "#.", "?") or (data.false < 0 and fills.find_miscount(answer, data.told)):
        return Score.wrong(reason)
    if data.false >= 0 and (missed := false_clues.count_missed(answer, data.told)) != 1:
        return Score.wrong(f"{missed} of the stated numbers are not those of the grid, not exactly one")
    cells = [cell for row in answer for cell in row]
    for tank, name in zip(data.tanks, regions.letters(data.tanks)):
        signs = ["".join(cells[cell] for cell in row) for row in _rows(tank, data.size)]
        if any(len(set(row)) > 1 for row in signs) or "#." in "".join(row[0] for row in signs):
            return Score.wrong(f"aquarium {name} has no single water level")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return fills.near_misses(right, task.data.known)


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.false >= 0:
        return data.size**2 * _count_false(data)
    return bits.effort(_puzzle_of(task.data), *fills.known_sets(task.data.known))


def picture(task: Task[Data]) -> str:
    data = task.data
    return fills.picture(data.known, data.told, regions=regions.owners(data.tanks))


def _sample_task(rng: Rng, knobs: Knobs, tall: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions inside suppositions are needed."""
    if knobs.false == "one":
        return sample_hard(
            lambda: _sample_false(rng, knobs, tall), lambda task: _count_false(task.data), 2 * knobs.suppositions, FALSE_TRIES
        )
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(
        lambda: _sample_once(rng, knobs, tall), lambda task: fills.count_suppositions(_puzzle_of(task.data), task.data.known), wanted, TRIES
    )


def _sample_once(rng: Rng, knobs: Knobs, tall: bool) -> Task[Data]:
    size = knobs.size
    tanks, right = _draw(rng, knobs, size, tall)
    numbers = [(right & line).bit_count() for line in fills.lines(size, size)]
    counts, known = fills.choose_clues(
        rng,
        lambda kept: _puzzle(size, tanks, kept),
        numbers,
        right,
        knobs.reasoning,
        knobs.numbers,
        size,
        steps=bits.proof_steps(knobs.reasoning, knobs.suppositions),
    )
    clue_text = "The number of filled cells is given only for these rows and columns:"
    if -1 not in counts:
        clue_text = "The number of filled cells is given for every row and column:"
    return _pose(Data(size=size, tanks=tanks, told=counts, known=known), clue_text)


def _sample_false(rng: Rng, knobs: Knobs, tall: bool) -> Task[Data]:
    """A false number among the others, with one solution whichever it may be."""
    size = max(4, knobs.size * 4 // 5)
    while True:
        tanks, right = _draw(rng, knobs, size, tall)
        if found := false_clues.sample_line_counts(rng, partial(_puzzle, size, tanks), right, size):
            break
    told, false = found
    return _pose(Data(size=size, tanks=tanks, told=told, known=("?" * size,) * size, false=false), false_clues.TELLS)


def _count_false(data: Data) -> int:
    """The suppositions that it takes to go through all numbers that may be false."""
    return false_clues.count_suppositions(partial(_puzzle, data.size, data.tanks), data.told)


def _draw(rng: Rng, knobs: Knobs, size: int, tall: bool) -> tuple[tuple[Region, ...], int]:
    """The aquariums, and the filled cells."""
    tanks = tuple(regions.partition(rng, size, size, 2, knobs.largest, lambda tank, cell: not tall or _is_narrow((*tank, cell), size)))
    filled = []
    for tank in tanks:
        rows = _rows(tank, size)
        surface = rng.integer(0, len(rows))
        filled += [cell for row in rows[surface:] for cell in row]
    return tanks, bits.as_set(filled)


def _pose(data: Data, clue_text: str) -> Task[Data]:
    size, tanks = data.size, data.tanks
    case = " (capital and small letters are different)" if len(tanks) > 26 else ""
    prompt = (
        f"A grid of {size} rows and {size} columns is cut into aquariums. Each cell is shown by the letter of its aquarium{case}; "
        f"row 1 is at the top:\n\n{regions.render_regions(tanks, size)}\n\nEach cell is filled with water or empty. An "
        "aquarium has one water level: if one of its cells is filled, then so are all its cells in the same row and in the rows below. An "
        f"aquarium may be empty, full or anything in between. {clue_text}\n{fills.render_line_counts(data.told, size, size)}"
        f"{fills.describe_known(data.known)}"
    )
    return Task(prompt, data)


def _is_narrow(tank: Sequence[int], size: int) -> bool:
    columns = [cell % size for cell in tank]
    return max(columns) - min(columns) < 2


def _rows(tank: Sequence[int], size: int) -> list[list[int]]:
    """The cells of an aquarium, row by row from the top."""
    rows: dict[int, list[int]] = {}
    for cell in sorted(tank):
        rows.setdefault(cell // size, []).append(cell)
    return list(rows.values())


@lru_cache(maxsize=4)
def _puzzle(size: int, tanks: tuple[Region, ...], counts: tuple[int, ...]) -> bits.Puzzle:
    return bits.Puzzle(size * size, (*fills.line_counts(counts, size, size), *_levels(size, tanks)))


@lru_cache(maxsize=4)
def _levels(size: int, tanks: tuple[Region, ...]) -> tuple[Count, ...]:
    """The rules of one water level each."""
    counts = []
    for tank, name in zip(tanks, regions.letters(tanks)):
        rows = _rows(tank, size)
        for row, below in zip(rows, [*rows[1:], []]):
            if below:
                why = f"in aquarium {name} water in row {row[0] // size + 1} needs water in row {below[0] // size + 1}"
                counts.append(Count(1 << below[0], 1, 1, why, when=1 << row[0]))
            # Round a ring of cells, each needs the next: so they are all alike.
            for cell, other in zip(row, row[1:] + row[:1]) if len(row) > 1 else ():
                why = f"the cells of aquarium {name} in row {cell // size + 1} are alike"
                counts.append(Count(1 << other, 1, 1, why, when=1 << cell))
    return tuple(counts)


def _puzzle_of(data: Data) -> bits.Puzzle:
    told = data.told if data.false < 0 else false_clues.leave_out(data.told, data.false)
    return _puzzle(data.size, data.tanks, told)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    yield from fills.solve_with_z3(_puzzle_of(task.data), task.data.known)


environment = Environment(
    Knobs, Grid("the grid, one row per line, each cell # if filled or . if empty and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=fills.solution(_puzzle_of), shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="All cells of an aquarium in one row fill together, the lowest rows first; see which of these steps a line's number allows.",
    version=6,
)  # fmt: skip
