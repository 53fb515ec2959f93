"""Find the islands of a nurikabe: each number is an island of that many cells, and all else is one sea without pools.

In the shifted family the board goes round: its edges are joined, right to left and bottom to top.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, layout, mark_deductions, marks
from rlgym.generators.grids.bits import Count, as_set, members
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.islands import Islands, find_island_fault, sample_islands
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Connected
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle

ATTEMPTS = 2  # boards tried for one with few known cells


class Knobs(Config):
    size: int = knob(6, easy=4, hard=7, doc="rows and columns")
    largest: int = knob(5, easy=3, hard=8, doc="most cells of an island")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    kind: str  # square or round
    size: int
    homes: tuple[int, ...]  # the cells with numbers
    numbers: tuple[int, ...]
    known: tuple[int, ...]  # cells given as sea


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "square")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "round")


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, marks.solve(_puzzle(task.data), *_known_cells(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, _board(data), "#."):
        return Score.wrong(reason)
    sea = as_set([cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign == "#"])
    around = boards.near(data.kind, data.size, data.size)
    if any(not block & ~sea for block in _blocks(data.kind, data.size)):
        return Score.wrong("the sea has a pool of two by two cells")
    if boards.flood_fill(boards.offsets(around), sea & -sea, sea) != sea:
        return Score.wrong("the sea is not connected")
    reason = find_island_fault(around, sea, data.homes, data.numbers)
    return Score.exact(not reason, reason)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = _board(task.data)
    sea = tuple(tuple("#" if sign == "." else sign for sign in row) for row in board)
    swapped = tuple(
        tuple({"#": ".", ".": "#"}.get(sign, sign) if old == "." else sign for sign, old in zip(*rows)) for rows in zip(right, board)
    )
    r, c = next(((r, c) for r, row in enumerate(board) for c, sign in enumerate(row) if sign == "."), (0, 0))
    return [
        layout.replace_cells(right, {(r, c): "." if right[r][c] == "#" else "#"}),
        sea,
        swapped,
        *layout.exchange_neighbours(right, board),
        right[::-1],
        tuple(map(tuple, board)),
    ]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data), *_known_cells(task.data))


def picture(task: Task[Data]) -> str:
    board = [["" if sign == "#" else sign for sign in row] for row in _board(task.data)]
    return pictures.board(board, shaded=task.data.known)


def _sample_task(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    size = knobs.size
    around = boards.near(kind, size, size)
    best: Data | None = None
    for _ in range(ATTEMPTS):
        islands = sample_islands(rng, around, _blocks(kind, size), knobs.largest)
        homes = sorted((rng.choice(island), len(island)) for island in islands)
        sea = (1 << size * size) - 1 & ~as_set([cell for island in islands for cell in island])
        data = Data(kind=kind, size=size, homes=tuple(h for h, _ in homes), numbers=tuple(n for _, n in homes), known=())
        givens = marks.add_givens(rng, _puzzle(data), sea, knobs.reasoning, sea, *_known_cells(data))
        if givens and (best is None or givens[0].bit_count() < len(best.known)):
            best = Data(kind=kind, size=size, homes=data.homes, numbers=data.numbers, known=tuple(members(givens[0])))
            if len(best.known) < 2:
                break
    return Task(_render_prompt(best), best) if best else _sample_task(rng, knobs, kind)


def _render_prompt(data: Data) -> str:
    known = " Cells with # are known to be sea;" if data.known else " On the board below,"
    return (
        "Each number on this board is in an island of exactly that many white cells, its own cell included. The cells of an island are connected "
        "above, below, left and right. Every island holds exactly one number, and two islands never touch except at corners. All other cells are sea: the "
        f"sea is connected in the same way, and no two by two cells are all sea.{known} "
        f"a dot is a cell to be decided.{' ' + boards.ROUND_SAID if data.kind == 'round' else ''}\n\n"
        f"{layout.render_grid(_board(data))}"
    )


def _board(data: Data) -> Cells:
    signs = ["."] * (data.size * data.size)
    for cell in data.known:
        signs[cell] = "#"
    for cell, number in zip(data.homes, data.numbers):
        signs[cell] = str(number)
    return layout.rows_of(signs, data.size)


@lru_cache(maxsize=16)
def _blocks(kind: str, size: int) -> tuple[int, ...]:
    """All blocks of two by two cells."""
    corners = range(size if kind == "round" else size - 1)
    cells = [[(r + i) % size * size + (c + j) % size for i in (0, 1) for j in (0, 1)] for r in corners for c in corners]
    return tuple(as_set(block) for block in cells)


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    """Marked cells are sea."""
    size = data.size
    around = boards.near(data.kind, size, size)
    pools = [" ".join(layout.place(cell, size) for cell in members(block)) for block in _blocks(data.kind, size)]
    rules = [Count(block, 0, 3, f"{pool} are no pool") for pool, block in zip(pools, _blocks(data.kind, size))]
    wide = (Islands(around, data.homes, data.numbers, "each island has its number of cells, and none touch"),)
    return Puzzle(size * size, tuple(rules), (*wide, Connected(around, True, "the sea must be connected")))


def _known_cells(data: Data) -> tuple[int, int]:
    return as_set(data.known), as_set(data.homes)


@lru_cache(maxsize=16)
def _words(size: int) -> Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return Words([f"{place} is sea" for place in places], [f"{place} is island" for place in places])


def _to_cells(data: Data, sea: int) -> Cells:
    signs = [sign for row in _board(data) for sign in row]
    return layout.rows_of(["#" if sea >> cell & 1 else sign for cell, sign in enumerate(signs)], data.size)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for sea in marks.solve_with_z3(_puzzle(task.data), *_known_cells(task.data)):
        yield _to_cells(task.data, sea)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(task.data.size), *_known_cells(task.data))


environment = Environment(
    Knobs,
    Grid(
        "the board, one row per line, with # for sea, a dot for island, numbers as given, and cells separated by spaces",
        single_characters=True,
    ),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Cells between two numbers, and cells no island can reach, are sea; the sea must find a way out and may not fill a block.",
    version=4,
)  # fmt: skip
