"""Draw a diagonal in every cell of a slant puzzle: numbers at corners say how many diagonals meet there, and none close a loop.

In the shifted family the board is rolled up into a tube, so that its left and right edges are one.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout, mark_deductions, marks
from rlgym.generators.grids.bits import as_set
from rlgym.generators.grids.clues import drop_clues
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Acyclic
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle, Ways
from rlgym.generators.text.english import count_noun

Edge = tuple[int, int]  # the two corners that a diagonal joins


class Knobs(Config):
    size: int = knob(6, easy=4, hard=8, doc="rows and columns of cells")
    clues: int = knob(50, easy=100, hard=0, doc="percent of corners that show a number, as far as the solution stays the only one")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    corners: Cells  # digits, and dots for corners without a number; a tube has as many columns of them as of cells
    tube: bool = False


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, tube=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The left and the right edge of the board are glued together."""
    return _sample_task(rng, knobs, tube=True)


def _sample_task(rng: Rng, knobs: Knobs, tube: bool) -> Task[Data]:
    size = knobs.size
    columns = size if tube else size + 1
    ends = _edges(size, tube)
    while True:
        rising = _sample_diagonals(rng, ends)
        if rising is None:
            continue
        counts = [0] * ((size + 1) * columns)
        for cell, (up, down) in enumerate(ends):
            for corner in up if rising >> cell & 1 else down:
                counts[corner] += 1

        def data(kept: Sequence[int]) -> Data:
            shown = set(kept)
            signs = [str(count) if corner in shown else "." for corner, count in enumerate(counts)]  # noqa: B023
            return Data(corners=layout.rows_of(signs, columns), tube=tube)

        def decides(kept: Sequence[int], reasoning: str) -> bool:
            return not marks.undetermined_cells(_puzzle(data(kept)), rising, reasoning)  # noqa: B023

        if decides(range(len(counts)), knobs.reasoning):
            break
    wanted = len(counts) * knobs.clues // 100
    candidate = data(drop_clues(rng.shuffled(range(len(counts))), wanted, lambda kept: decides(kept, knobs.reasoning)))
    glued = (
        f" The board is rolled up into a tube: its right edge is glued to its left edge, so that corner column {size + 1} is corner column 1 again "
        "and is not printed twice; a loop around the tube is a loop too."
        if tube
        else ""
    )
    dots = "; a dot says nothing about its corner" if any("." in row for row in candidate.corners) else ""
    prompt = (
        f"A board has {size} rows and {size} columns of square cells. Draw one diagonal in each cell: U rises from its lower left corner to its upper "
        "right corner, D falls from its upper left corner to its lower right corner. The diagonals must not form a closed loop anywhere."
        f"{glued} Below are the corners of the cells, in {size + 1} rows and {columns} columns; the top left cell lies between the first two rows and "
        f"the first two columns of corners. A number says how many diagonals end in its corner{dots}.\n\n"
        + "\n".join(" ".join(row) for row in candidate.corners)
    )
    return Task(prompt, candidate)


def solve(task: Task[Data]) -> Cells:
    size = len(task.data.corners) - 1
    return marks.render_marks(marks.solve(_puzzle(task.data)), size, size, "UD")


def verify(task: Task[Data], answer: Cells) -> Score:
    size = len(task.data.corners) - 1
    answer = tuple(tuple(sign.upper() for sign in row) for row in answer)
    if reason := layout.find_misfit(answer, [["."] * size] * size, "UD"):
        return Score.wrong(reason)
    columns = len(task.data.corners[0])
    drawn: list[Edge] = []
    for row, line in enumerate(answer):
        for column, sign in enumerate(line):
            left, right = row * columns + column, row * columns + (column + 1) % columns
            drawn.append((left + columns, right) if sign == "U" else (left, right + columns))
    for corner, sign in enumerate(sign for row in task.data.corners for sign in row):
        if sign != "." and sum(corner in edge for edge in drawn) != int(sign):
            return Score.wrong(f"another number of diagonals ends in corner row {corner // columns + 1}, column {corner % columns + 1}")
    return Score.exact(not _has_loop(drawn), "some diagonals form a closed loop")


def _has_loop(edges: list[Edge]) -> bool:
    """Whether some edges are left when those with a loose end are taken off again and again."""
    while True:
        met = [end for edge in edges for end in edge]
        loose = {end for end in met if met.count(end) == 1}
        kept = [edge for edge in edges if not loose & set(edge)]
        if len(kept) == len(edges):
            return bool(edges)
        edges = kept


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    size = len(right)
    swapped = tuple(tuple("D" if sign == "U" else "U" for sign in row) for row in right)
    return [swapped, *layout.exchange_neighbours(right, [["."] * size] * size), right[::-1], tuple(row[::-1] for row in right)]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data))


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.corners, dots=True)


def _sample_diagonals(rng: Rng, ends: tuple[tuple[Edge, Edge], ...]) -> int | None:
    """The cells of which the diagonal rises, drawn one by one so that no loop is closed; None where a cell has no way left."""
    loops = Acyclic(ends, _count_corners(ends), "")
    rising = falling = 0
    for cell in rng.shuffled(range(len(ends))):
        forced = loops.forced(rising, falling)
        if forced is None:
            return None
        up = forced[0] >> cell & 1 or (not forced[1] >> cell & 1 and rng.chance(0.5))
        rising, falling = marks.with_mark(rising, falling, 1 << cell, int(up))
    return None if loops.forced(rising, falling) is None else rising


def _count_corners(ends: tuple[tuple[Edge, Edge], ...]) -> int:
    return 1 + max(corner for both in ends for edge in both for corner in edge)


@lru_cache(maxsize=32)
def _edges(size: int, tube: bool) -> tuple[tuple[Edge, Edge], ...]:
    """The corners that a rising and a falling diagonal of each cell join."""
    columns = size if tube else size + 1
    ends = []
    for row in range(size):
        for column in range(size):
            left, right = row * columns + column, row * columns + (column + 1) % columns
            ends.append(((left + columns, right), (left, right + columns)))
    return tuple(ends)


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    size, columns = len(data.corners) - 1, len(data.corners[0])
    ends = _edges(size, data.tube)
    rules: list[marks.Rule] = []
    for corner, sign in enumerate(sign for row in data.corners for sign in row):
        if sign != ".":
            rising = as_set([cell for cell, (up, _) in enumerate(ends) if corner in up])
            falling = as_set([cell for cell, (_, down) in enumerate(ends) if corner in down])
            why = (
                f"the {sign} in row {corner // columns + 1} column {corner % columns + 1} of the corners needs "
                f"{count_noun(int(sign), 'diagonal')} there"
            )
            rules.append(Ways(rising | falling, _ways(rising, falling, int(sign)), why))
    return Puzzle(size * size, tuple(rules), (Acyclic(ends, (size + 1) * columns, "the other diagonal would close a loop"),))


def _ways(rising: int, falling: int, count: int) -> tuple[int, ...]:
    """The sets of rising cells with which this many diagonals end in a corner."""
    return tuple(up for up in marks.subsets(rising | falling) if (up & rising).bit_count() + (falling & ~up).bit_count() == count)


@lru_cache(maxsize=16)
def _words(size: int) -> Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return Words([f"{place} is U" for place in places], [f"{place} is D" for place in places])


def solutions(task: Task[Data]) -> Iterator[Cells]:
    size = len(task.data.corners) - 1
    for rising in marks.solve_with_z3(_puzzle(task.data)):
        yield marks.render_marks(rising, size, size, "UD")


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(len(task.data.corners) - 1))


environment = Environment(
    Knobs,
    Grid("the board, one row per line, each cell U or D, with cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists the corners that diagonals join; the rules are searched and checked apart.",
    version=2,
    concept="Start where a corner's number leaves one way, such as 4, 0 or a 1 in a corner of the board; then look which diagonal would close a loop.",
)  # fmt: skip
