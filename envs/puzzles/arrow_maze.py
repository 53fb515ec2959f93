"""Draw lines from given numbers along rows, columns and diagonals, so that each empty cell lies on exactly one line.

A number says how many cells its lines cover together; in the shifted family at most two lines leave each number.
Uniqueness is proved when a puzzle is made: cells are given until one solution is left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import bits, count_deductions, layout, regions, replays
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard
from rlgym.generators.text.english import count_noun

TRIES = 4  # puzzles of which the hardest is taken
LONGEST = 4  # cells of a line
DIRECTIONS = {
    "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1),
    "up and left": (-1, -1), "up and right": (-1, 1), "down and left": (1, -1), "down and right": (1, 1),
}  # fmt: skip


class Knobs(Config):
    size: int = knob(6, easy=4, hard=7, doc="rows and columns")
    diagonals: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether lines may also go along diagonals")
    reasoning: str = knob(
        "trying",
        easy="counting",
        hard="search",
        order=bits.REASONING,
        doc="whether lines left for a number and for a cell suffice, or suppositions that fail at once, or some inside others may be needed",
    )
    suppositions: int = knob(
        0, easy=0, hard=10, doc="wrong suppositions on the way to the solution, where they are needed and as far as a few puzzles have them"
    )


class Data(TaskData):
    size: int
    diagonals: bool
    cells: tuple[int, ...]  # where the numbers stand, row by row
    numbers: tuple[int, ...]
    given: tuple[tuple[int, int], ...] = ()  # cells, each with the position of the number on whose line it lies
    most_lines: int = 8  # from each number


class Line(NamedTuple):
    number: int  # the position of the number it leaves
    direction: str
    cells: tuple[int, ...]  # without the cell of the number


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, most_lines=8)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """At most two lines leave each number."""
    return _sample_task(rng, knobs, most_lines=2)


def _sample_task(rng: Rng, knobs: Knobs, most_lines: int) -> Task[Data]:
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0

    def sample() -> Data:
        while True:
            data = _sample_once(rng, knobs, most_lines)
            if data is not None:
                return data

    data = sample_hard(sample, lambda data: bits.count_suppositions(_puzzle(data)[0]), wanted, TRIES)
    size, names = data.size, regions.letters(data.cells)
    signs = _signs(data)
    listing = [f"{name}: {number}, at {layout.place(cell, size)}" for name, number, cell in zip(names, data.numbers, data.cells)]
    ways = "up, down, to the left" + (", to the right and along the diagonals" if data.diagonals else " and to the right")
    limit = " At most two lines leave each number." if most_lines == 2 else ""
    note = " A letter that the grid already has shows whose line covers its cell, and it stays." if data.given else ""
    crossing = " Diagonal lines may cross between cells." if knobs.diagonals == "yes" else ""
    prompt = (
        f"Draw straight lines on this grid of {size} rows and {size} columns. Each line begins at a number and covers the cells that follow it in one "
        f"direction, one after another; lines may go {ways}, at most one from each number in each direction. A number says how many cells all lines "
        f"from it cover together, its own cell not counted.{limit} Lines do not cover numbers, and each cell without a number is covered by exactly one "
        f"line.{crossing}{note}\n\n{layout.render_grid(layout.rows_of(signs, size))}\n\nWrite in each cell the letter of the number whose line covers "
        f"it, and in the cell of a number its own letter.{regions.letter_case(data.cells, 'letters')} r2c3 is the cell in row 2 from the top, column 3 "
        f"from the left. The letters are:\n{chr(10).join(listing)}"
    )
    return Task(prompt, data)


def _sample_once(rng: Rng, knobs: Knobs, most_lines: int) -> Data | None:
    """A random covering with the cells given that make it the only one; None where it cannot be completed or needs too many."""
    size, diagonals = knobs.size, knobs.diagonals == "yes"
    lines = _sample_lines(rng, size, diagonals, most_lines)
    if lines is None:
        return None
    cells = tuple(sorted(lines))
    data = Data(
        size=size, diagonals=diagonals, cells=cells, numbers=tuple(sum(map(len, lines[cell])) for cell in cells), most_lines=most_lines
    )
    owner = {cell: position for position, number in enumerate(cells) for line in lines[number] for cell in line}
    while True:
        puzzle, ways = _puzzle(data)
        drawn = {(cells.index(number), line) for number, of_one in lines.items() for line in of_one}
        right = bits.as_set([i for i, way in enumerate(ways) if (way.number, way.cells) in drawn])
        doubt = bits.members(bits.undetermined_cells(puzzle, right, knobs.reasoning))
        if not doubt:
            return data
        if len(data.given) * (3 if diagonals and knobs.reasoning == "counting" else 9) > size * size:
            return None
        open_cells = sorted({cell for i in doubt for cell in ways[i].cells} - {cell for cell, _ in data.given})
        cell = rng.choice(open_cells)
        data = data.model_copy(update={"given": tuple(sorted((*data.given, (cell, owner[cell]))))})


def _sample_lines(rng: Rng, size: int, diagonals: bool, most: int) -> dict[int, list[tuple[int, ...]]] | None:
    """Random lines by the cell of their number, which together cover a grid; None where a cell is left over."""
    free, lines = set(range(size * size)), dict[int, list[tuple[int, ...]]]()
    for cell in rng.shuffled(range(size * size)):
        if cell not in free:
            continue
        of_one = list[tuple[int, ...]]()
        free.discard(cell)
        for direction in rng.shuffled(_directions(diagonals)):
            reach = _ray(cell, direction, size)[: rng.integer(0, LONGEST)]
            line = reach[: next((i for i, other in enumerate(reach) if other not in free), len(reach))]
            if line and len(of_one) < most:
                of_one.append(line)
                free.difference_update(line)
        lines[cell] = of_one
    return lines if all(lines.values()) else _join_lone(rng, lines, size, diagonals, most)


def _join_lone(
    rng: Rng, lines: dict[int, list[tuple[int, ...]]], size: int, diagonals: bool, most: int
) -> dict[int, list[tuple[int, ...]]] | None:
    """The lines after each number without one became the end of a line beside it."""
    for lone in [cell for cell, of_one in lines.items() if not of_one]:
        ways = []
        for number, of_one in lines.items():
            if number != lone and of_one:
                for direction in _directions(diagonals):
                    ray = _ray(number, direction, size)
                    old = next((line for line in of_one if line[0] == ray[0]), ()) if ray else ()
                    if len(ray) > len(old) and ray[len(old)] == lone and (old or len(of_one) < most):
                        ways.append((number, old))
        if not ways:
            return None
        number, old = rng.choice(ways)
        lines[number] = [*(line for line in lines[number] if line != old), (*old, lone)]
        del lines[lone]
    return lines


def _directions(diagonals: bool) -> list[str]:
    return list(DIRECTIONS)[: 8 if diagonals else 4]


def _ray(cell: int, direction: str, size: int) -> tuple[int, ...]:
    """The cells that follow one in a direction, up to the edge."""
    (down, across), (row, column) = DIRECTIONS[direction], divmod(cell, size)
    ray = []
    while 0 <= (row := row + down) < size and 0 <= (column := column + across) < size:
        ray.append(row * size + column)
    return tuple(ray)


def _signs(data: Data) -> list[str]:
    signs, names = ["."] * (data.size * data.size), regions.letters(data.cells)
    for cell, number in zip(data.cells, data.numbers):
        signs[cell] = str(number)
    for cell, position in data.given:
        signs[cell] = names[position]
    return signs


def solve(task: Task[Data]) -> Cells:
    puzzle, ways = _puzzle(task.data)
    return _to_cells(task.data, ways, next(bits.backtrack(puzzle, Budget(10**9))))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    size, names = data.size, regions.letters(data.cells)
    known = ["."] * (size * size)
    for cell, position in (*data.given, *((cell, position) for position, cell in enumerate(data.cells))):
        known[cell] = names[position]
    if reason := layout.find_misfit(answer, layout.rows_of(known, size), names):
        return Score.wrong(reason)
    signs = [sign for row in answer for sign in row]
    for name, cell, number in zip(names, data.cells, data.numbers):
        lengths = []
        for direction in _directions(data.diagonals):
            ray = _ray(cell, direction, size)
            lengths.append(next((i for i, other in enumerate(ray) if signs[other] != name), len(ray)))
        if sum(lengths) + 1 != signs.count(name):
            return Score.wrong(f"some cells of {name} lie on no line from its number")
        if sum(lengths) != number:
            return Score.wrong(f"the lines of {name} do not cover as many cells as its number says")
        if len(lengths) - lengths.count(0) > data.most_lines:
            return Score.wrong(f"more than {data.most_lines} lines leave {name}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    names = regions.letters(task.data.cells)
    turned = dict(zip(names, (*names[1:], names[0])))
    exchanged = layout.exchange_neighbours(right, layout.rows_of(_signs(task.data), task.data.size))
    return [*exchanged, right[::-1], tuple(row[::-1] for row in right), tuple(tuple(turned[sign] for sign in row) for row in right)]


def cost(task: Task[Data]) -> float:
    return bits.effort(_puzzle(task.data)[0])


def picture(task: Task[Data]) -> str:
    data = task.data
    return pictures.board(
        layout.rows_of([sign.replace(".", "") for sign in _signs(data)], data.size),
        corners=dict(zip(data.cells, regions.letters(data.cells))),
    )


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> tuple[bits.Puzzle, list[Line]]:
    """Each line that a number allows as a mark."""
    counts, lines, over = _counts(data.model_copy(update={"given": ()}))
    names, given = regions.letters(data.cells), list[Count]()
    for cell, position in data.given:
        mask = bits.as_set([i for i in bits.members(over[cell]) if lines[i].number == position])
        given.append(Count(mask, 1, 1, f"{layout.place(cell, data.size)} is given as {names[position]}"))
    return bits.Puzzle(len(lines), (*counts, *given)), lines


@lru_cache(maxsize=4)
def _counts(data: Data) -> tuple[list[Count], list[Line], list[int]]:
    """The counts of a puzzle without given cells, its lines, and for each cell the lines over it."""
    size, names, counts = data.size, regions.letters(data.cells), list[Count]()
    lines: list[Line] = []
    for position, (cell, number) in enumerate(zip(data.cells, data.numbers)):
        first = len(lines)
        for direction in _directions(data.diagonals):
            begun, ray = len(lines), _ray(cell, direction, size)
            reach = next((i for i, other in enumerate(ray) if other in data.cells), len(ray))
            lines += [Line(position, direction, ray[:length]) for length in range(1, min(reach, number) + 1)]
            if len(lines) > begun:
                counts.append(Count((1 << len(lines)) - (1 << begun), 0, 1, f"{names[position]} has at most one line {direction}"))
        weights = tuple(len(line.cells) for line in lines[first:])
        every = (1 << len(lines)) - (1 << first)
        counts.append(Count(every, number, number, f"the lines of {names[position]} cover {count_noun(number, 'cell')}", weights=weights))
        if data.most_lines < 8:
            counts.append(Count(every, 0, data.most_lines, f"at most {data.most_lines} lines leave {names[position]}"))
    over = [0] * (size * size)
    for i, line in enumerate(lines):
        for cell in line.cells:
            over[cell] |= 1 << i
    counts += [Count(mask, 1, 1, f"one line covers {layout.place(cell, size)}") for cell, mask in enumerate(over) if cell not in data.cells]
    return counts, lines, over


def _to_cells(data: Data, lines: Sequence[Line], chosen: int) -> Cells:
    names, signs = regions.letters(data.cells), [""] * (data.size * data.size)
    for position, cell in enumerate(data.cells):
        signs[cell] = names[position]
    for i in bits.members(chosen):
        for cell in lines[i].cells:
            signs[cell] = names[lines[i].number]
    return layout.rows_of(signs, data.size)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    puzzle, lines = _puzzle(task.data)
    for chosen in bits.solve_with_z3(puzzle):
        yield _to_cells(task.data, lines, chosen)


def _mark_puzzle(task: Task[Data]) -> replays.MarkPuzzle:
    puzzle, lines = _puzzle(task.data)
    names = regions.letters(task.data.cells)
    described = [(names[line.number], f"exactly {count_noun(len(line.cells), 'cell')} {line.direction}") for line in lines]
    words = count_deductions.Words(
        [f"{name} goes {far}" for name, far in described], [f"{name} does not go {far}" for name, far in described]
    )
    return replays.MarkPuzzle(puzzle, words)


environment = Environment(
    Knobs, Grid("the grid, one row per line, with a letter for each cell, separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost, solution=replays.mark_solution(_mark_puzzle, "All cells are covered:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions, version=3,
    shared_helpers="The helper lists the lines that leave a number; the rules are searched and checked apart.",
    concept="Look for cells that only one number can reach; each such cell fixes part of a line, and what is left of the number bounds its other lines.",
)  # fmt: skip
