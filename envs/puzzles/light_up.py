"""Place lamps in a light up (akari): every white cell is lit, no lamp shines on another, walls count the lamps next to them.

Uniqueness is proved when a board is made: walls are added until one solution is left, then numbers are taken away. On the upper levels one of the
numbers is false, and it is not said which: what follows from one number alone can never be relied on.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import bits, count_deductions, false_clues, layout, regions, replays
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget, drop_clues
from rlgym.generators.grids.layout import Cells

SHOWN = 75  # percent of the walls that show their number where one is false


class Knobs(Config):
    size: int = knob(7, easy=4, hard=10, doc="rows and columns")
    walls: int = knob(22, easy=28, hard=18, doc="percent of cells that are walls at first")
    numbers: int = knob(50, easy=100, hard=10, doc="percent of walls that show their number, as far as the solution stays unique")
    reasoning: str = knob(
        "trying",
        easy="counting",
        hard="search",
        order=bits.REASONING,
        doc="whether counting suffices, or suppositions that fail at once, or some inside others may be needed",
    )
    false: str = knob(
        "none",
        easy="none",
        hard="one",
        order=("none", "one"),
        doc="whether one number is false, which is not said (a row and a column fewer, and more walls with numbers)",
    )


class Data(TaskData):
    board: tuple[str, ...]  # . for white cells, # for walls, digits for walls with a number
    false: int = -1  # the cell of the number that is false


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, blocks=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Walls that stand in straight rows, not singly."""
    return _sample_task(rng, knobs, blocks=True)


def solve(task: Task[Data]) -> Cells:
    board = task.data.board
    if task.data.false >= 0:
        return _to_cells(board, next(false_clues.solutions(_finder(board), _clues(board))))
    return _to_cells(board, next(bits.backtrack(_puzzle(board), Budget(10**9), no=_walls(board))))


def verify(task: Task[Data], answer: Cells) -> Score:
    board = task.data.board
    size = len(board)
    if reason := layout.find_misfit(answer, board, "*."):
        return Score.wrong(reason)
    cells = [cell for row in answer for cell in row]
    runs = _runs(board)
    for run in runs:
        if sum(cells[cell] == "*" for cell in run) > 1:
            return Score.wrong(f"a lamp shines on another between {layout.place(run[0], size)} and {layout.place(run[-1], size)}")
    missed = list[str]()
    lit = {cell for run in runs if any(cells[other] == "*" for other in run) for cell in run}
    for cell, sign in enumerate("".join(board)):
        if sign == "." and cell not in lit:
            return Score.wrong(f"{layout.place(cell, size)} is not lit")
        if sign.isdigit() and sum(cells[other] == "*" for other in regions.neighbours_by_cell(size, size)[cell]) != int(sign):
            missed.append(f"the wall at {layout.place(cell, size)} does not have its number of lamps next to it")
    if task.data.false >= 0:
        return Score.exact(len(missed) == 1, f"{len(missed)} of the walls do not have their number of lamps next to them, not exactly one")
    return Score.exact(not missed, missed[0] if missed else "")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = task.data.board
    size = len(board)
    places = [(r, c) for r, row in enumerate(right) for c, cell in enumerate(row) if cell == "*"]
    dark = layout.replace_cells(right, {places[0]: "."})
    walls = bits.as_set([cell for cell, sign in enumerate("".join(board)) if sign != "."])
    greedy = _to_cells(board, _lit(range(size * size), set(bits.members(walls)), size))
    every = tuple(tuple("*" if cell == "." else cell for cell in row) for row in board)
    return [dark, *layout.exchange_neighbours(right, board), greedy, every, tuple(map(tuple, board)), right[::-1]]


def cost(task: Task[Data]) -> float:
    if task.data.false >= 0:
        return len(task.data.board) ** 2 * _count_false(task)
    return bits.effort(_puzzle(task.data.board), no=_walls(task.data.board))


def _count_false(task: Task[Data]) -> int:
    """The suppositions that it takes to go through all numbers that may be false."""
    board = task.data.board
    return false_clues.count_suppositions(partial(_with_clues, board), _clues(board), _walls(board))


def picture(task: Task[Data]) -> str:
    board = task.data.board
    return pictures.board([row.replace("#", ".") for row in board], shaded=bits.members(_walls(board)))


def _sample_task(rng: Rng, knobs: Knobs, blocks: bool) -> Task[Data]:
    if knobs.false == "one":
        return _sample_false(rng, knobs, blocks)
    board, _ = _sample_board(rng, knobs, knobs.size, knobs.numbers, blocks)
    return _pose(Data(board=board))


def _sample_board(rng: Rng, knobs: Knobs, size: int, percent: int, blocks: bool) -> tuple[tuple[str, ...], int]:
    """A board with one solution, on which `percent` of the walls or more show their number, and its lamps."""
    count = size * size * knobs.walls // 100
    walls = _rows_of_walls(rng, size, count) if blocks else set(rng.sample(range(size * size), count))
    order = rng.shuffled(range(size * size))
    while True:
        lamps = _lit(order, walls, size)
        board = _board(walls, lamps, walls, size)
        doubt = bits.undetermined_cells(_puzzle(board), lamps, knobs.reasoning, no=bits.as_set(sorted(walls)))
        if not doubt:
            break
        walls.add(rng.choice(bits.members(doubt)))

    def fine(kept: list[int]) -> bool:
        return not bits.undetermined_cells(
            _puzzle(_board(walls, lamps, set(kept), size)), lamps, knobs.reasoning, no=bits.as_set(sorted(walls))
        )

    kept = drop_clues(rng.shuffled(sorted(walls)), len(walls) * percent // 100, fine)
    return _board(walls, lamps, set(kept), size), lamps


def _sample_false(rng: Rng, knobs: Knobs, blocks: bool) -> Task[Data]:
    """A false number among the others, with one solution whichever it may be."""
    size = max(4, knobs.size - 1)
    near = regions.neighbours_by_cell(size, size)
    while True:
        board, lamps = _sample_board(rng, knobs, size, SHOWN, blocks)
        walls = set(bits.members(_walls(board)))
        room = [sum(other not in walls for other in near[cell]) for cell in range(size * size)]
        found = false_clues.falsify(rng, _finder(board), _clues(board), lamps, 2, lambda cell, clue: 0 <= clue <= room[cell])  # noqa: B023
        if found:
            return _pose(Data(board=_write_clues(board, found[0]), false=found[1]))


def _pose(data: Data) -> Task[Data]:
    false = " Exactly one of the digits is false; all others hold." if data.false >= 0 else ""
    prompt = (
        "On this board a dot is a white cell, and # and digits are walls. Place lamps on white cells. A lamp shines on its own cell and "
        "along its row and its column in all four directions as far as the next wall or the edge. Every white cell must be lit, and no lamp "
        "may shine on another lamp. A digit says on how many of the up to four cells above, below, left and right of that wall there is a "
        f"lamp; a wall with # may have any number.{false}\n\n{layout.render_grid(data.board)}"
    )
    return Task(prompt, data)


def _clues(board: tuple[str, ...]) -> tuple[int, ...]:
    """The number at each cell; -1 where there is none."""
    return tuple(int(sign) if sign.isdigit() else -1 for sign in "".join(board))


def _write_clues(board: tuple[str, ...], clues: Sequence[int]) -> tuple[str, ...]:
    signs = ["." if sign == "." else "#" if clue < 0 else str(clue) for sign, clue in zip("".join(board), clues, strict=True)]
    return tuple("".join(row) for row in layout.rows_of(signs, len(board)))


def _with_clues(board: tuple[str, ...], clues: Sequence[int]) -> bits.Puzzle:
    return _puzzle(_write_clues(board, clues))


def _finder(board: tuple[str, ...]) -> false_clues.Find[int]:
    return false_clues.on_marks(partial(_with_clues, board), _walls(board))


def _true_board(data: Data) -> tuple[str, ...]:
    """The board without the number that is false."""
    return data.board if data.false < 0 else _write_clues(data.board, false_clues.leave_out(_clues(data.board), data.false))


def _words(size: int) -> count_deductions.Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return count_deductions.Words([f"{place} has a lamp" for place in places], [f"{place} has none" for place in places])


def _rows_of_walls(rng: Rng, size: int, count: int) -> set[int]:
    walls: set[int] = set()
    while len(walls) < count:
        length = rng.integer(2, 1 + size // 2)
        r, c = rng.integer(0, size - 1), rng.integer(0, size - length)
        bar = [r * size + c + i for i in range(length)] if rng.chance(0.5) else [(c + i) * size + r for i in range(length)]
        walls.update(bar[: count - len(walls)])
    return walls


def _lit(order: list[int] | range, walls: set[int], size: int) -> int:
    """Lamps that light every cell outside the walls: one on each cell that is still dark, in this order."""
    seen = _lit_by(_board(walls, 0, set(), size))
    lamps = lit = 0
    for cell in order:
        if cell not in walls and not lit >> cell & 1:
            lamps |= 1 << cell
            lit |= seen[cell]
    return lamps


def _board(walls: set[int], lamps: int, kept: set[int], size: int) -> tuple[str, ...]:
    near = regions.neighbours_by_cell(size, size)
    signs = []
    for cell in range(size * size):
        count = sum(lamps >> other & 1 for other in near[cell])
        signs.append("." if cell not in walls else str(count) if cell in kept else "#")
    return tuple("".join(row) for row in layout.rows_of(signs, size))


@lru_cache(maxsize=64)
def _runs(board: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The white cells between walls, of rows and of columns."""
    size, runs = len(board), []
    for line in [range(r * size, r * size + size) for r in range(size)] + [range(c, size * size, size) for c in range(size)]:
        run: list[int] = []
        for cell in (*line, -1):
            if cell >= 0 and board[cell // size][cell % size] == ".":
                run.append(cell)
            elif run:
                runs.append(tuple(run))
                run = []
    return runs


def _lit_by(board: tuple[str, ...]) -> list[int]:
    """What a lamp on each cell lights."""
    seen = [0] * len(board) ** 2
    for run in _runs(board):
        for cell in run:
            seen[cell] |= bits.as_set(run)
    return seen


def _puzzle(board: tuple[str, ...]) -> bits.Puzzle:
    size = len(board)
    near, counts = regions.neighbours_by_cell(size, size), list[Count]()
    for cell, sign in enumerate("".join(board)):
        if sign.isdigit():
            why = f"the wall at {layout.place(cell, size)} has {sign} beside it"
            counts.append(Count(bits.as_set(near[cell]), int(sign), int(sign), why))
    return bits.Puzzle(size * size, (*counts, *_rules(_write_clues(board, [-1] * size**2))))


@lru_cache(maxsize=8)
def _rules(board: tuple[str, ...]) -> tuple[Count, ...]:
    """What holds whatever the numbers: white cells are lit, and no lamp shines on another."""
    size, seen, counts = len(board), _lit_by(board), list[Count]()
    for cell, sign in enumerate("".join(board)):
        if sign == ".":
            lights = regions.describe_regions(bits.members(seen[cell]), size)
            counts.append(Count(seen[cell], 1, size, f"{layout.place(cell, size)} must be lit from one of {lights}"))
    for run in _runs(board):
        if len(run) > 1:
            ends = f"{layout.place(run[0], size)} and {layout.place(run[-1], size)}"
            counts.append(Count(bits.as_set(run), 0, 1, f"between {ends} no lamp may shine on another"))
    return tuple(counts)


def _walls(board: tuple[str, ...]) -> int:
    return bits.as_set([cell for cell, sign in enumerate("".join(board)) if sign != "."])


def _to_cells(board: tuple[str, ...], lamps: int) -> Cells:
    return layout.rows_of(["*" if lamps >> cell & 1 else sign for cell, sign in enumerate("".join(board))], len(board))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for lamps in bits.solve_with_z3(_puzzle(_true_board(task.data)), no=_walls(task.data.board)):
        yield _to_cells(task.data.board, lamps)


def _mark_puzzle(task: Task[Data]) -> replays.MarkPuzzle:
    board = _true_board(task.data)
    return replays.MarkPuzzle(_puzzle(board), _words(len(board)), no=_walls(board))


environment = Environment(
    Knobs, Grid("the board, one row per line, with * for lamps, all else as given and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.mark_solution(_mark_puzzle, "The board is complete:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Begin at walls whose number equals their free neighbours, or is 0; then look for cells that can be lit from one place only.",
    version=2,
)  # fmt: skip
