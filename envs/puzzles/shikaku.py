"""Cut a grid into rectangles, each with one of the given numbers in it, which is its area.

Uniqueness is proved when a grid is made: where the numbers leave several cuts, rectangles are halved until one is left.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import bits, count_deductions, layout, regions, replays
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.singleton_consistency import sample_hard
from rlgym.generators.text.english import count_noun

FIRST = "A rectangle is named by its top left and its bottom right cell."
REPAIRED = 200  # numbers moved or rectangles halved before another cut is begun


TRIES = 8  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(8, easy=4, hard=13, doc="rows and columns")
    largest: int = knob(8, easy=4, hard=14, doc="cells of the largest rectangle")
    reasoning: str = knob(
        "trying",
        easy="counting",
        hard="search",
        order=bits.REASONING,
        doc="whether rectangles left for a number and for a cell suffice, or suppositions that fail at once, or some inside others may be needed",
    )
    suppositions: int = knob(
        0, easy=0, hard=7, doc="wrong suppositions on the way to the solution, where they are needed and as far as a few puzzles have them"
    )


class Data(TaskData):
    size: int
    cells: tuple[int, ...]  # where the numbers stand, row by row
    areas: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, strips=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long and narrow rectangles."""
    return _sample_task(rng, knobs, strips=True)


def solve(task: Task[Data]) -> Cells:
    puzzle, ways = _puzzle(task.data)
    return _to_cells(task.data, ways, next(bits.backtrack(puzzle, Budget(10**9))))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    names = regions.letters(data.cells)
    if len(answer) != data.size or any(len(row) != data.size for row in answer):
        return Score.wrong(f"the grid must have {data.size} rows of {data.size} cells")
    covered: dict[str, list[int]] = {name: [] for name in names}
    for cell, sign in enumerate(sign for row in answer for sign in row):
        if sign not in covered:
            return Score.wrong(f"the sign at {layout.place(cell, data.size)} is not the letter of a number")
        covered[sign].append(cell)
    for name, cell, area in zip(names, data.cells, data.areas):
        rows = [other // data.size for other in covered[name]]
        columns = [other % data.size for other in covered[name]]
        if cell not in covered[name]:
            return Score.wrong(f"the number of {name} is not in its rectangle")
        if len(rows) != area or (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1) != area:
            return Score.wrong(f"the cells of {name} are no rectangle of {area} cells")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    data = task.data
    nearest = []
    for cell in range(data.size * data.size):
        distances = [abs(cell // data.size - c // data.size) + abs(cell % data.size - c % data.size) for c in data.cells]
        nearest.append(regions.letters(data.cells)[distances.index(min(distances))])
    grown = layout.exchange_neighbours(right, ["." * data.size] * data.size)
    return [*grown, layout.rows_of(nearest, data.size), right[::-1], tuple(row[::-1] for row in right), tuple(zip(*right))]


def cost(task: Task[Data]) -> float:
    return bits.effort(_puzzle(task.data)[0])


def picture(task: Task[Data]) -> str:
    data = task.data
    signs = [""] * (data.size * data.size)
    for cell, area in zip(data.cells, data.areas, strict=True):
        signs[cell] = str(area)
    return pictures.board(layout.rows_of(signs, data.size), corners=dict(zip(data.cells, regions.letters(data.cells))))


def _sample_task(rng: Rng, knobs: Knobs, strips: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, strips), lambda task: bits.count_suppositions(_puzzle(task.data)[0]), wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, strips: bool) -> Task[Data]:
    size, data = knobs.size, None
    while data is None:
        data = _sample_unique(rng, size, knobs.largest, knobs.reasoning, strips)
    signs = ["."] * (size * size)
    for cell, area in zip(data.cells, data.areas):
        signs[cell] = str(area)
    listing = [
        f"{name}: {area}, at {layout.place(cell, size)}" for name, cell, area in zip(regions.letters(data.cells), data.cells, data.areas)
    ]
    prompt = (
        f"Cut this grid of {size} rows and {size} columns along its lines into rectangles (squares are rectangles too), so that each rectangle "
        "holds exactly one of the numbers, and the number is how many cells the rectangle has. Every cell belongs to exactly one rectangle.\n\n"
        f"{layout.render_grid(layout.rows_of(signs, size))}\n\nWrite in each cell the letter of the number whose rectangle it belongs to, the cell of the "
        "number itself included. Capital and small letters are different; r2c3 is the cell in row 2 from the top, column 3 from the left. The "
        f"letters are:\n{chr(10).join(listing)}"
    )
    return Task(prompt, data)


def _words(data: Data, ways: list[tuple[int, Region]]) -> count_deductions.Words:
    names, ends = regions.letters(data.cells), [layout.place(cell, data.size) for cell in range(data.size**2)]
    named = [(names[number], f"{ends[cells[0]]} to {ends[cells[-1]]}") for number, cells in ways]
    return count_deductions.Words(
        [f"{name} is {home_text}" for name, home_text in named], [f"{name} is not {home_text}" for name, home_text in named]
    )


def _sample_unique(rng: Rng, size: int, largest: int, reasoning: str, strips: bool) -> Data | None:
    """A random cut with numbers that allow no other, or None where repairs do not lead to one."""
    pieces = _halve(rng, tuple(range(size * size)), size, largest, strips)
    numbers = {piece: rng.choice(piece) for piece in pieces}
    for _ in range(REPAIRED):
        cells = tuple(sorted(numbers.values()))
        home = {cell: piece for piece, cell in numbers.items()}
        data = Data(size=size, cells=cells, areas=tuple(len(home[cell]) for cell in cells))
        puzzle, ways = _puzzle(data)
        right = bits.as_set([i for i, (number, rectangle) in enumerate(ways) if rectangle == home[cells[number]]])
        doubt = bits.members(bits.undetermined_cells(puzzle, right, reasoning))
        if not doubt:
            return data
        piece = home[cells[ways[rng.choice(doubt)][0]]]
        numbers[piece] = rng.choice(piece)
        if len(piece) > 3 and rng.chance(0.15):
            del numbers[piece]
            numbers |= {part: rng.choice(part) for part in _halve(rng, piece, size, len(piece) - 1, strips)}
    return None


def _halve(rng: Rng, piece: Region, size: int, largest: int, strips: bool) -> list[Region]:
    """A rectangle cut again and again until no part has more than `largest` cells."""
    if len(piece) <= largest and (len(piece) < 4 or len(piece) * 2 <= largest or rng.chance(0.7)):
        return [piece]
    height, width = piece[-1] // size - piece[0] // size + 1, piece[-1] % size - piece[0] % size + 1
    if max(height, width) < 2:
        return [piece]
    upright = width > 1 and (height == 1 or rng.chance((height if strips else width) / (height + width)))
    at = rng.integer(1, (width if upright else height) - 1)
    first = [cell for cell in piece if ((cell - piece[0]) % size if upright else cell // size - piece[0] // size) < at]
    rest = [cell for cell in piece if cell not in first]
    return _halve(rng, tuple(first), size, largest, strips) + _halve(rng, tuple(rest), size, largest, strips)


@lru_cache(maxsize=2)
def _puzzle(data: Data) -> tuple[bits.Puzzle, list[tuple[int, Region]]]:
    """Each rectangle that a number allows as a mark, and whose number and which cells it has."""
    size, counts = data.size, []
    ways: list[tuple[int, Region]] = []
    for number, (at, area) in enumerate(zip(data.cells, data.areas)):
        first = len(ways)
        for height in [side for side in range(1, size + 1) if area % side == 0 and area // side <= size]:
            width = area // height
            for top in range(max(0, at // size - height + 1), min(at // size, size - height) + 1):
                for left in range(max(0, at % size - width + 1), min(at % size, size - width) + 1):
                    cells = tuple(r * size + c for r in range(top, top + height) for c in range(left, left + width))
                    if not any(other in cells for other in data.cells if other != at):
                        ways.append((number, cells))
        name = regions.letters(data.cells)[number]
        counts.append(Count((1 << len(ways)) - (1 << first), 1, 1, f"{name} has one rectangle of {count_noun(area, 'cell')}"))
    over = [0] * (size * size)
    for i, (_, cells) in enumerate(ways):
        for cell in cells:
            over[cell] |= 1 << i
    counts += [Count(mask, 1, 1, f"one rectangle covers {layout.place(cell, size)}") for cell, mask in enumerate(over)]
    return bits.Puzzle(len(ways), tuple(counts)), ways


def _to_cells(data: Data, ways: list[tuple[int, Region]], chosen: int) -> Cells:
    names, signs = regions.letters(data.cells), [""] * (data.size * data.size)
    for i in bits.members(chosen):
        for cell in ways[i][1]:
            signs[cell] = names[ways[i][0]]
    return layout.rows_of(signs, data.size)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    puzzle, ways = _puzzle(task.data)
    for chosen in bits.solve_with_z3(puzzle):
        yield _to_cells(task.data, ways, chosen)


def _mark_puzzle(task: Task[Data]) -> replays.MarkPuzzle:
    puzzle, ways = _puzzle(task.data)
    return replays.MarkPuzzle(puzzle, _words(task.data, ways))


environment = Environment(
    Knobs, Grid("the grid, one row per line, with a letter for each cell, separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=replays.mark_solution(_mark_puzzle, "The grid is cut:\n{answer}", FIRST),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="List the rectangles that each number allows; a cell that only one of them reaches settles it, and overlapping ones drop out.",
    version=2,
)  # fmt: skip
