"""Shade cells of a hitori so that no digit is left twice in a line, no shaded cells touch, and the rest is connected.

Uniqueness is proved when a grid is made: digits of shaded cells are drawn anew until one solution is left.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import bits, count_deductions, latin, layout, regions, replays
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import Cells

REDRAWN = 60  # digits drawn anew before another grid is begun
ALTERED = 140  # digits drawn anew for a harder grid


class Knobs(Config):
    size: int = knob(6, easy=4, hard=9, doc="rows and columns")
    twofold: int = knob(
        60, easy=100, hard=10, doc="percent of shaded cells whose digit is at first repeated both in their row and in their column"
    )
    reasoning: str = knob(
        "trying",
        easy="trying",
        hard="search",
        order=("trying", "search"),
        doc="whether suppositions that fail at once suffice, or some inside others may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=70,
        scale="log",
        doc="suppositions that find the solution and prove it the only one, where some inside others are needed and as far as altering digits adds them",
    )


class Data(TaskData):
    rows: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, slanted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Shaded cells that mostly touch at their corners, in slanted chains that nearly part the rest."""
    return _sample_task(rng, knobs, slanted=True)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data.rows, next(bits.backtrack(_puzzle(task.data.rows), Budget(10**9))))


def verify(task: Task[Data], answer: Cells) -> Score:
    rows = task.data.rows
    size = len(rows)
    if len(answer) != size or any(len(row) != size for row in answer):
        return Score.wrong(f"the grid must have {size} rows of {size} cells")
    if any(cell not in ("#", digit) for row, digits in zip(answer, rows) for cell, digit in zip(row, digits)):
        return Score.wrong("a cell is neither shaded nor keeps its digit")
    for kind, lines in (("row", answer), ("column", tuple(zip(*answer)))):
        for i, line in enumerate(lines, 1):
            unshaded = [cell for cell in line if cell != "#"]
            if len(set(unshaded)) < len(unshaded):
                return Score.wrong(f"a digit is left twice in {kind} {i}")
            if "##" in "".join(line):
                return Score.wrong(f"two shaded cells are neighbours in {kind} {i}")
    shaded = bits.as_set([cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign == "#"])
    return Score.exact(_is_connected(shaded, (1 << size * size) - 1 & ~shaded, size), "the unshaded cells are not connected")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    """Shaded cells moved, one too few, the first of each pair kept as one reads on, nothing shaded."""
    rows = task.data.rows
    shaded = [(r, c) for r, row in enumerate(right) for c, cell in enumerate(row) if cell == "#"]
    fewer = layout.replace_cells(right, {shaded[0]: rows[shaded[0][0]][shaded[0][1]]})
    read: list[list[str]] = []
    for row in rows:
        read.append([])
        for c, digit in enumerate(row):
            seen = digit in read[-1] or digit in (above[c] for above in read[:-1])
            read[-1].append("#" if seen else digit)
    more = [(r, c) for r, row in enumerate(right) for c, cell in enumerate(row) if cell != "#"]
    extra = [layout.replace_cells(right, {cell: "#"}) for cell in more[:2]]
    return [fewer, tuple(map(tuple, read)), *extra, tuple(map(tuple, rows)), right[::-1]]


def cost(task: Task[Data]) -> float:
    return bits.effort(_puzzle(task.data.rows))


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.rows)


def _sample_task(rng: Rng, knobs: Knobs, slanted: bool) -> Task[Data]:
    rows = None
    while rows is None:
        rows = _sample_unique(rng, knobs, slanted)
    prompt = (
        "Shade some cells of this grid. Among the cells that stay unshaded, no digit may occur twice in a row or twice in a column. No two "
        "shaded cells may be neighbours above, below, left or right of each other. All unshaded cells must be connected: each can be reached "
        f"from every other by steps up, down, left and right over unshaded cells.\n\n{layout.render_grid(rows)}"
    )
    return Task(prompt, Data(rows=rows))


def _words(size: int) -> count_deductions.Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return count_deductions.Words([f"{p} is shaded" for p in places], [f"{p} is not" for p in places], "the unshaded cells fall apart")


def _sample_unique(rng: Rng, knobs: Knobs, slanted: bool) -> tuple[str, ...] | None:
    size = knobs.size
    digits = latin.sample_grid(rng, latin.square(size))
    near, all_cells = regions.neighbours_by_cell(size, size), (1 << size * size) - 1
    shaded = 0
    # Shaded until no further cell can be: an unshaded cell that might as well be shaded would make a second solution.
    order = rng.shuffled(range(size * size))
    if slanted:
        order.sort(key=lambda cell: (cell // size + cell % size) % 2)
    for cell in order:
        more = shaded | 1 << cell
        if not any(shaded >> other & 1 for other in near[cell]) and _is_connected(more, all_cells & ~more, size):
            shaded = more
    for cell in bits.members(shaded):
        digits[cell] = _repeat_digit(rng, digits, shaded, cell, rng.chance(knobs.twofold / 100))
    for _ in range(REDRAWN):
        rows = _rows(digits, size)
        doubt = bits.undetermined_cells(_puzzle(rows), shaded, knobs.reasoning)
        if not doubt:
            return _make_harder(rng, digits, shaded, knobs.suppositions) if knobs.reasoning == "search" else rows
        if not doubt & shaded:
            return None
        cell = rng.choice(bits.members(doubt & shaded))
        digits[cell] = _repeat_digit(rng, digits, shaded, cell, True)
    return None


def _make_harder(rng: Rng, digits: list[int], shaded: int, wanted: int) -> tuple[str, ...]:
    """The grid after digits of shaded cells were drawn anew, as long as that takes more suppositions and fewer than are wanted."""
    size = round(len(digits) ** 0.5)
    most = bits.count_if_unique(_puzzle(_rows(digits, size)), shaded, 10**9)
    for _ in range(ALTERED):
        if most >= wanted:
            break
        other = digits.copy()
        for cell in rng.sample(bits.members(shaded), rng.integer(1, 2)):
            other[cell] = _repeat_digit(rng, other, shaded, cell, False)
        count = bits.count_if_unique(_puzzle(_rows(other, size)), shaded, bits.proof_steps("search", wanted))
        if count >= most:
            digits, most = other, count
    return _rows(digits, size)


def _rows(digits: list[int], size: int) -> tuple[str, ...]:
    return tuple("".join(row) for row in layout.rows_of([str(digit) for digit in digits], size))


def _repeat_digit(rng: Rng, digits: list[int], shaded: int, cell: int, twofold: bool) -> int:
    """A digit that is left in the cell's row and column, or in one of them."""
    size = round(len(digits) ** 0.5)
    r, c = divmod(cell, size)
    row = {digits[other] for other in range(r * size, r * size + size) if not shaded >> other & 1}
    column = {digits[other] for other in range(c, size * size, size) if not shaded >> other & 1}
    return rng.choice(sorted(row & column if twofold and row & column else row | column))


@cache
def _edges(size: int) -> tuple[int, int]:
    """The cells of the first and of the last column."""
    return bits.as_set(range(0, size * size, size)), bits.as_set(range(size - 1, size * size, size))


def _is_connected(shaded: int, unshaded: int, size: int) -> bool:
    """Whether all cells of `unshaded` are joined by steps over cells that are not shaded."""
    first, last = _edges(size)
    free = (1 << size * size) - 1 & ~shaded
    reached, before = unshaded & -unshaded, 0
    while reached != before:
        before = reached
        reached |= (reached << size | reached >> size | (reached & ~last) << 1 | (reached & ~first) >> 1) & free
    return not unshaded & ~reached


def _puzzle(rows: tuple[str, ...]) -> bits.Puzzle:
    size, counts = len(rows), []
    cells = list("".join(rows))
    for kind, lines in (
        ("row", [range(r * size, r * size + size) for r in range(size)]),
        ("column", [range(c, size * size, size) for c in range(size)]),
    ):
        for i, line in enumerate(lines, 1):
            for digit in sorted({cells[cell] for cell in line}):
                same = [cell for cell in line if cells[cell] == digit]
                if len(same) > 1:
                    counts.append(Count(bits.as_set(same), len(same) - 1, len(same), f"only one {digit} of {kind} {i} may stay unshaded"))
            for cell, other in pairwise(line):
                why = f"{layout.place(cell, size)} and {layout.place(other, size)} are neighbours and not both shaded"
                counts.append(Count(1 << cell | 1 << other, 0, 1, why))
    return bits.Puzzle(size * size, tuple(counts), lambda yes, no: _is_connected(yes, no, size))


def _to_cells(rows: tuple[str, ...], shaded: int) -> Cells:
    return layout.rows_of(["#" if shaded >> cell & 1 else digit for cell, digit in enumerate("".join(rows))], len(rows))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for shaded in bits.solve_with_z3(_puzzle(task.data.rows)):
        yield _to_cells(task.data.rows, shaded)


def _mark_puzzle(task: Task[Data]) -> replays.MarkPuzzle:
    return replays.MarkPuzzle(_puzzle(task.data.rows), _words(len(task.data.rows)))


environment = Environment(
    Knobs,
    Grid(
        "the grid, one row per line, with # for shaded cells, the digits of all others and cells separated by spaces",
        single_characters=True,
    ),
    generate, solve, verify, mistakes, cost,
    solution=replays.mark_solution(_mark_puzzle, "The grid is complete:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Of equal digits in a line all but one are shaded; the neighbours of a shaded cell are not, which shades further digits like theirs.",
    version=3,
)  # fmt: skip
