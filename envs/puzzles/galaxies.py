"""Cut a board into spiral galaxies: connected areas with given centres that look the same when turned half round.

A board is grown from its centres; single cells are given where the division would not be unique.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_rare
from rlgym.generators.grids import deduction_sheet, domains, galaxy, layout, regions, singleton_consistency
from rlgym.generators.grids.layout import Cells

OPENING = (
    "r2c3 stands for the cell in row 2, column 3. Without saying, a galaxy is ruled out for a cell at once if it is ruled out for the cell "
    "opposite its centre, or if no way of cells that can be of this galaxy leads to its centre."
)
LETTERS = 52
END = "The board is cut:\n{answer}"


TRIES = 5  # boards of which the hardest is taken


class Knobs(Config):
    size: int = knob(7, easy=4, hard=12, doc="rows and columns")
    cells: int = knob(8, easy=4, hard=16, doc="cells that the largest galaxies want to have")
    given_cells: int = knob(5, easy=15, hard=0, doc="percent of cells given, more where the cut would not be unique or not be found")
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="trying",
        order=domains.REASONING,
        doc="whether mirror images and ways to the centres suffice, or suppositions that fail are needed as well",
    )
    suppositions: int = knob(
        0,
        easy=0,
        hard=4,
        doc="suppositions that fail on the way to the solution, where they are needed and as far as a few boards have them",
    )


class Data(TaskData):
    height: int
    width: int
    centres: tuple[galaxy.Centre, ...]
    told: tuple[tuple[int, int], ...]  # cells with the positions of their galaxies


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    size = knobs.size
    return _sample_hard(knobs, lambda: _sample_task(rng, knobs, size, size, _parts(rng, size, size, 3, knobs.cells)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long, low boards of galaxies that are all about as large as they may be."""
    height, width = knobs.size * 2 // 3, knobs.size * 3 // 2
    return _sample_hard(knobs, lambda: _sample_task(rng, knobs, height, width, _parts(rng, height, width, knobs.cells, knobs.cells)))


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, domains.solve(_puzzle(task.data), dict(task.data.told)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    names = _names(data)
    if len(answer) != data.height or len(answer[0]) != data.width:
        return Score.wrong(f"the grid must have {data.height} rows of {data.width} cells")
    cells = [cell for row in answer for cell in row]
    if not set(cells) <= set(names):
        return Score.wrong("a cell holds what is no galaxy's letter")
    if any(cells[cell] != names[at] for cell, at in data.told):
        return Score.wrong("a given cell has another letter")
    near = regions.neighbours_by_cell(data.height, data.width)
    for name, centre in zip(names, data.centres):
        own = [cell for cell, letter in enumerate(cells) if letter == name]
        if not set(galaxy.core_cells(centre, data.width)) <= set(own):
            return Score.wrong(f"the cells at the centre of galaxy {name} are not of it")
        if not {galaxy.opposite(cell, centre, data.height, data.width) for cell in own} <= set(own):
            return Score.wrong(f"galaxy {name} changes when it is turned half round")
        if len(regions.pieces(own, near)) > 1:
            return Score.wrong(f"galaxy {name} is not connected")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    data, names = task.data, _names(task.data)
    closest = []
    for cell in range(data.height * data.width):
        r, c = 2 * (cell // data.width), 2 * (cell % data.width)
        closest.append(min((abs(a - r) + abs(b - c), at) for at, (a, b) in enumerate(data.centres))[1])
    return [
        layout.rows_of([names[at] for at in closest], data.width),
        *layout.exchange_neighbours(right, ["." * data.width] * data.height),
        right[::-1],
        tuple(row[::-1] for row in right),
        tuple(tuple(names[names.index(cell) - 1] for cell in row) for row in right),
    ]


def cost(task: Task[Data]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), dict(task.data.told)) + task.data.height * task.data.width


def picture(task: Task[Data]) -> str:
    """Each centre is named in the corner of the first cell it touches, with a sign for its position in or next to that cell."""
    data, signs = task.data, {(0, 0): "", (0, 1): ">", (1, 0): "v", (1, 1): "\\"}
    letters = dict.fromkeys(range(data.height * data.width), "")
    letters.update({cell: _names(data)[at] for cell, at in data.told})
    corners = {
        galaxy.core_cells(centre, data.width)[0]: name + signs[centre[0] % 2, centre[1] % 2]
        for name, centre in zip(_names(data), data.centres)
    }
    return pictures.board(layout.rows_of([letters[cell] for cell in sorted(letters)], data.width), corners=corners)


def _sample_hard(knobs: Knobs, sample: Callable[[], Task[Data]]) -> Task[Data]:
    """The hardest of a few boards, where suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return singleton_consistency.count_refuted(_puzzle(task.data), dict(task.data.told))

    return singleton_consistency.sample_hard(sample, measure, knobs.suppositions if knobs.reasoning == "trying" else 0, TRIES)


def _parts(rng: Rng, height: int, width: int, least: int, most: int) -> list[tuple[galaxy.Centre, list[int]]]:
    """A cut into galaxies. Small boards have few different cuts, so a rare one is taken."""
    return draw_rare(
        lambda: _cut(rng, height, width, least, most), lambda parts: [cells for _, cells in parts], 8 if height * width < 30 else 1
    )


def _cut(rng: Rng, height: int, width: int, least: int, most: int) -> list[tuple[galaxy.Centre, list[int]]]:
    """A cut into no more galaxies than there are letters."""
    while len(parts := galaxy.sample_galaxies(rng, height, width, least, most)) > LETTERS:
        most += 1
    return parts


def _sample_task(rng: Rng, knobs: Knobs, height: int, width: int, parts: Sequence[tuple[galaxy.Centre, list[int]]]) -> Task[Data]:
    right = [0] * (height * width)
    for at, (_, cells) in enumerate(parts):
        for cell in cells:
            right[cell] = at
    plain = Data(height=height, width=width, centres=tuple(centre for centre, _ in parts), told=())
    given = singleton_consistency.add_givens(rng, _puzzle(plain), right, {}, knobs.reasoning)
    spare = rng.shuffled([cell for cell in range(height * width) if cell not in given])
    given |= {cell: right[cell] for cell in spare[: max(0, height * width * knobs.given_cells // 100 - len(given))]}
    data = plain.model_copy(update={"told": tuple(sorted(given.items()))})
    names = _names(data)
    listed = "\n".join(f"{name}: {galaxy.describe_centre(centre, width)}" for name, centre in zip(names, data.centres))
    known = "\nGiven cells: " + ", ".join(f"{layout.place(cell, width)} is {names[at]}" for cell, at in data.told) + "." if given else ""
    prompt = (
        f"Cut a board of {height} rows and {width} columns into galaxies, one for each centre below. Every cell belongs to exactly one galaxy. "
        "A galaxy is connected by sides of cells, holds all cells that its centre lies in or touches, and covers the same cells when it is "
        "rotated by 180 degrees about its centre. Capital and small letters are different galaxies, and r2c3 is the cell in row "
        f"2, column 3. The centres:\n{listed}{known}"
    )
    return Task(prompt, data)


def _names(data: Data) -> list[str]:
    return regions.letters(data.centres)


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> domains.Puzzle:
    """The unknowns are the cells, and their values the galaxies."""
    height, width, cells = data.height, data.width, data.height * data.width
    near, cores = regions.neighbours_by_cell(height, width), [galaxy.core_cells(centre, width) for centre in data.centres]
    mirror = [[galaxy.opposite(cell, centre, height, width) for cell in range(cells)] for centre in data.centres]

    def silent(can: list[int]) -> bool:
        for v, core in enumerate(cores):
            bit = 1 << v
            own = [cell for cell in range(cells) if can[cell] & bit]
            while True:
                kept = [cell for cell in own if (other := mirror[v][cell]) is not None and can[other] & bit]
                reached = galaxy.connected_cells(can, v, core[0], near) if can[core[0]] & bit else set[int]()
                kept = [cell for cell in kept if cell in reached]
                if len(kept) == len(own):
                    break
                for cell in set(own) - set(kept):
                    can[cell] &= ~bit
                own = kept
        return all(can)

    masks = [(1 << len(cores)) - 1] * cells
    for v, core in enumerate(cores):
        for cell in core:
            masks[cell] = 1 << v
    silent(masks)
    # A written cell takes the one opposite it along: all else is ruled out there.
    clash = []
    for cell in range(cells):
        others = [mirror[v][cell] for v in range(len(cores))]
        clash.append(tuple(((other, masks[other] & ~(1 << v)),) if other not in (None, cell) else () for v, other in enumerate(others)))
    names = tuple(layout.place(cell, width) for cell in range(cells))
    return domains.Puzzle(names, tuple(_names(data)), tuple(masks), tuple(clash), silent=silent)


def _to_cells(data: Data, values: Sequence[int]) -> Cells:
    names = _names(data)
    return layout.rows_of([names[at] for at in values], data.width)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    data = task.data
    for values in galaxy.flood_solutions(data.centres, dict(data.told), data.height, data.width):
        yield _to_cells(task.data, values)


environment = Environment(
    Knobs, Grid("the board, one row per line, each cell the letter of its galaxy and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=deduction_sheet.solution(_puzzle, END, OPENING, lambda data: dict(data.told)),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="A cell that only one centre can reach belongs to it, and so does the cell opposite; that closes ways for others.",
    version=4,
)  # fmt: skip
