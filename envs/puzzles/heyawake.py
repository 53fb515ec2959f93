"""Shade cells of a heyawake: rooms give the counts, none touch, white cells are connected, no white line crosses two borders.

Rooms are rectangles, and in the shifted family of any shape.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, layout, mark_deductions, marks, regions
from rlgym.generators.grids.bits import Count, as_set, members
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Connected
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle

TRIES = 8  # rooms of any shape tried before some are joined
CHECKS = 5  # checks of what suppositions suffice for, a board


class Knobs(Config):
    size: int = knob(6, easy=4, hard=8, doc="rows and columns")
    numbers: int = knob(50, easy=100, hard=0, doc="percent of rooms that show their number, as far as the solution stays unique")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    size: int
    homes: tuple[int, ...]  # the room of each cell
    numbers: tuple[int, ...]  # shaded cells of each room; -1 where it is not given
    known: tuple[int, ...]  # cells given as shaded
    white: tuple[int, ...] = ()  # cells given as not shaded


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "rectangles")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "any")


def solve(task: Task[Data]) -> Cells:
    data = task.data
    return marks.render_marks(marks.solve(_puzzle(data), *_known_cells(data)), data.size, data.size)


def verify(task: Task[Data], answer: Cells) -> Score:
    data, size = task.data, task.data.size
    if reason := layout.find_misfit(answer, [["."] * size] * size, "#."):
        return Score.wrong(reason)
    shaded = as_set([cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign == "#"])
    counts = [0] * len(data.numbers)
    for cell in members(shaded):
        counts[data.homes[cell]] += 1
    if any(number not in (-1, count) for number, count in zip(data.numbers, counts)):
        return Score.wrong("a room does not have its given number of shaded cells")
    around = boards.near("square", size, size)
    if any(shaded >> other & 1 for cell in members(shaded) for other in around[cell]):
        return Score.wrong("two shaded cells are side by side")
    white = (1 << size * size) - 1 & ~shaded
    if boards.flood_fill(boards.offsets(around), white & -white, white) != white:
        return Score.wrong("the white cells are not connected")
    if any(not shaded & line for line in _lines(data.homes)):
        return Score.wrong("a white line goes through three rooms")
    wrong = as_set(data.known) & ~shaded or as_set(data.white) & shaded
    return Score.exact(not wrong, "a cell whose colour is known has the other one")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    size = task.data.size
    swapped = tuple(tuple("." if sign == "#" else "#" for sign in row) for row in right)
    first = next(((r, c) for r, row in enumerate(right) for c, sign in enumerate(row) if sign == "#"), (0, 0))
    fewer = layout.replace_cells(right, {first: "."})
    chess = tuple(tuple("#" if (r + c) % 2 else "." for c in range(size)) for r in range(size))
    return [fewer, swapped, *layout.exchange_neighbours(right, [["."] * size] * size), right[::-1], chess]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data), *_known_cells(task.data))


def picture(task: Task[Data]) -> str:
    data = task.data
    first = {home: cell for cell, home in reversed(list(enumerate(data.homes)))}
    corners = {first[home]: str(number) for home, number in enumerate(data.numbers) if number >= 0}
    return pictures.board([[""] * data.size] * data.size, regions=data.homes, corners=corners, shaded=data.known)


def _sample_task(rng: Rng, knobs: Knobs, rooms: str) -> Task[Data]:
    size = knobs.size
    tries = 0
    while True:
        homes = _rooms(rng, size, rooms)
        shaded = _sample_shading(rng, size, homes)
        white = [line for line in _lines(homes) if not line & shaded]
        tries += 1
        if not white or (rooms == "any" and tries > TRIES):
            break
    while white := [line for line in _lines(homes) if not line & shaded]:
        homes = _join_rooms(homes, white[0])
    right = shaded
    numbers = [0] * (max(homes) + 1)
    for cell in members(right):
        numbers[homes[cell]] += 1

    def data(kept: Sequence[int], known: int, white: int = 0) -> Data:
        clues = tuple(number if i in kept else -1 for i, number in enumerate(numbers))
        return Data(size=size, homes=homes, numbers=clues, known=tuple(members(known)), white=tuple(members(white)))

    known = marks.add_givens(rng, _puzzle(data(range(len(numbers)), 0)), right, knobs.reasoning, right)
    if known is None:
        known = marks.add_givens(rng, _puzzle(data(range(len(numbers)), 0)), right, knobs.reasoning, -1)
        assert known is not None, "a board all of which is known is known"

    shown = known

    def decides(kept: list[int], reasoning: str) -> bool:
        return not marks.undetermined_cells(_puzzle(data(kept, *shown)), right, reasoning, *shown)

    candidate = data(marks.choose_clues(rng, len(numbers), len(numbers) * knobs.numbers // 100, knobs.reasoning, decides, CHECKS), *shown)
    return Task(_render_prompt(candidate), candidate)


def _render_prompt(data: Data) -> str:
    size = data.size
    names = regions.letters(data.numbers)
    rows = layout.rows_of([names[home] for home in data.homes], size)
    shown = "\n".join(f"Room {name}: {number}" for name, number in zip(names, data.numbers) if number >= 0)
    known = (
        f"\nKnown to be shaded (r2c3 is the cell in row 2, column 3): {regions.describe_regions(data.known, size)}." if data.known else ""
    )
    known += f"\nKnown not to be shaded: {regions.describe_regions(data.white, size)}." if data.white else ""
    counts = f"\n\nShaded cells of these rooms:\n{shown}" if shown else ""
    return (
        "Each letter on this board marks a room. Shade cells so that no two shaded cells are side by side (above, below, left or right of each "
        "other), all unshaded cells are connected side by side, and no straight line of cells without a shaded one, across or up and "
        "down, goes through three or more stretches of rooms, that is over two or more borders between rooms. The numbers say how many cells of a "
        f"room are shaded; the other rooms may have any number.\n\n{layout.render_grid(rows)}{counts}{known}"
    )


def _rooms(rng: Rng, size: int, rooms: str) -> tuple[int, ...]:
    """The room of each cell."""
    if rooms == "any":
        cut = regions.partition(rng, size, size, 4, 11)
    else:
        cut, waiting = [], [tuple(range(size * size))]
        while waiting:
            piece = waiting.pop()
            height, width = piece[-1] // size - piece[0] // size + 1, piece[-1] % size - piece[0] % size + 1
            if height * width <= 4 or (max(height, width) < 4 and rng.chance(0.5)):
                cut.append(piece)
                continue
            down = height > width or (height == width and rng.chance(0.5))
            long = height if down else width
            at = rng.integer(2, long - 2) if long > 3 else rng.integer(1, long - 1)
            first = [cell for cell in piece if (cell // size - piece[0] // size if down else cell % size - piece[0] % size) < at]
            waiting += [tuple(first), tuple(cell for cell in piece if cell not in first)]
        cut = sorted(cut)
    home = [0] * (size * size)
    for i, room in enumerate(cut):
        for cell in room:
            home[cell] = i
    return tuple(home)


def _sample_shading(rng: Rng, size: int, homes: tuple[int, ...]) -> int:
    """Shaded cells that keep the rules, but for a few white lines that stay too long."""
    around = boards.near("square", size, size)
    steps, all_cells = boards.offsets(around), (1 << size * size) - 1
    lines = _lines(homes)
    shaded, spared = 0, as_set(rng.sample(range(size * size), size * size // rng.integer(3, 8)))
    # Some cells are left out that could be shaded, unless a line needs them.
    for cell in (*rng.shuffled([cell for cell in range(size * size) if not spared >> cell & 1]), *rng.shuffled(members(spared))):
        after = shaded | 1 << cell
        needed = not spared >> cell & 1 or any(line >> cell & 1 and not line & shaded for line in lines)
        if needed and not any(shaded >> other & 1 for other in around[cell]):
            white = all_cells & ~after
            if boards.flood_fill(steps, white & -white, white) == white:
                shaded = after
    return shaded


def _join_rooms(homes: tuple[int, ...], line: int) -> tuple[int, ...]:
    """The rooms after two that meet on a line are merged, the smallest such pair."""
    on = [homes[cell] for cell in members(line)]
    first, second = min((pair for pair in pairwise(on) if pair[0] != pair[1]), key=lambda pair: homes.count(pair[0]) + homes.count(pair[1]))
    names: dict[int, int] = {}
    return tuple(names.setdefault(first if home == second else home, len(names)) for home in homes)


@lru_cache(maxsize=16)
def _lines(homes: tuple[int, ...]) -> tuple[int, ...]:
    """The shortest straight lines of cells over two borders."""
    size = round(len(homes) ** 0.5)
    stretches = []
    for line in [range(r * size, r * size + size) for r in range(size)] + [range(c, size * size, size) for c in range(size)]:
        borders = [i for i in range(1, size) if homes[line[i]] != homes[line[i - 1]]]
        stretches += [as_set(line[border - 1 : two + 1]) for border, two in pairwise(borders)]
    return tuple(stretches)


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    size = data.size
    around = boards.near("square", size, size)
    place = [layout.place(cell, size) for cell in range(size * size)]
    rules: list[marks.Rule] = []
    for home, number in enumerate(data.numbers):
        if number >= 0:
            cells = as_set([cell for cell, at in enumerate(data.homes) if at == home])
            rules.append(Count(cells, number, number, f"room {regions.letters(data.numbers)[home]} has {number} shaded"))
    for cell, others in enumerate(around):
        rules += [
            Count(1 << cell | 1 << other, 0, 1, f"{place[cell]} and {place[other]} are side by side") for other in others if other > cell
        ]
    for line in _lines(data.homes):
        ends = members(line)
        rules.append(Count(line, 1, size, f"the line from {place[ends[0]]} to {place[ends[-1]]} goes over two borders"))
    return Puzzle(size * size, tuple(rules), (Connected(around, False, "the white cells must be connected"),))


def _known_cells(data: Data) -> tuple[int, int]:
    return as_set(data.known), as_set(data.white)


@lru_cache(maxsize=16)
def _words(size: int) -> Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return Words([f"{place} is shaded" for place in places], [f"{place} is white" for place in places])


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for shaded in marks.solve_with_z3(_puzzle(task.data), *_known_cells(task.data)):
        yield marks.render_marks(shaded, task.data.size, task.data.size)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(task.data.size), *_known_cells(task.data))


environment = Environment(
    Knobs, Grid("the board, one row per line, each cell # if shaded or . if not, with cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Rooms with as many as can fit settle first; then lines over two borders need a shaded cell, and no white cell may be shut in.",
    version=2,
)  # fmt: skip
