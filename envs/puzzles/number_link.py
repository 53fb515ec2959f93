"""Join equal letters of a number link by paths that fill the board, turn no corner back on themselves and keep apart.

In the shifted family the cells are hexagons in shifted rows.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, layout, mark_deductions, marks
from rlgym.generators.grids.bits import Count, as_set, members
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Connected
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle

LETTERS = "ABCDEFGHIJKLMNOP"


class Knobs(Config):
    size: int = knob(5, easy=4, hard=8, doc="rows and columns")
    shown: int = knob(5, easy=25, hard=0, doc="percent of cells that are shown in addition to the ends")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    kind: str  # square or hex
    letters: int
    board: Cells  # letters of ends, small letters for other known cells, dots


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "square")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "hex")


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, marks.solve(_puzzle(task.data), *_known_cells(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data, size = task.data, len(task.data.board)
    given = [[sign.upper() for sign in row] for row in data.board]
    if reason := layout.find_misfit(answer, given, LETTERS[: data.letters]):
        return Score.wrong(reason)
    signs = [sign for row in answer for sign in row]
    ends = [cell for cell, sign in enumerate(sign for row in data.board for sign in row) if sign.isupper()]
    around = boards.near(data.kind, size, size)
    for cell, sign in enumerate(signs):
        if sum(signs[other] == sign for other in around[cell]) != (1 if cell in ends else 2):
            return Score.wrong(f"{layout.place(cell, size)} has another number of neighbours with its letter than it must")
    for letter in LETTERS[: data.letters]:
        cells = as_set([cell for cell, sign in enumerate(signs) if sign == letter])
        if boards.flood_fill(boards.offsets(around), cells & -cells, cells) != cells:
            return Score.wrong("the cells of a letter are not one path")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = task.data.board
    size = len(board)
    r, c = next((r, c) for r in range(size) for c in range(size) if board[r][c] == ".")
    others = [layout.replace_cells(right, {(r, c): letter}) for letter in LETTERS[: task.data.letters] if letter != right[r][c]]
    return [
        *others[:2],
        *layout.exchange_neighbours(right, board),
        tuple(tuple(sign.upper() for sign in row) for row in board),
        right[::-1],
    ]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data), *_known_cells(task.data)) / task.data.letters


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.board)


def _sample_task(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    size = knobs.size
    around = boards.near(kind, size, size)
    tours = boards.sample_hamiltonian_paths(rng, size, size, around)
    best: tuple[int, Data] | None = None
    while best is None:
        for _ in range(2):
            paths = _cut_tour(rng, around, size, next(tours))
            if paths is None:
                continue
            data, right = _board(kind, size, paths)
            known = _known_cells(data)
            givens = marks.add_givens(rng, _puzzle(data), right, knobs.reasoning, right, *known)
            assert givens is not None
            extra = givens[0] & ~known[0]
            if best is None or extra.bit_count() < best[0]:
                best = extra.bit_count(), _show_cells(data, extra)
    data = best[1]
    more = size * size * knobs.shown // 100 - best[0]
    if more > 0:
        solution = _to_cells(data, marks.solve(_puzzle(data), *_known_cells(data)))
        dots = [(r, c) for r in range(size) for c in range(size) if data.board[r][c] == "."]
        board = layout.replace_cells(data.board, {(r, c): solution[r][c].lower() for r, c in rng.sample(dots, min(more, len(dots) - 2))})
        data = Data(kind=kind, letters=data.letters, board=board)
    return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    rows = [" ".join(row) for row in data.board]
    small = (
        " A small letter is a cell on the way whose letter is known." if any(sign.islower() for row in data.board for sign in row) else ""
    )
    neighbour_text = "neighbouring cells" if data.kind == "hex" else "cells above, below, left or right of each other"
    return (
        f"Each capital letter stands at both ends of a path. Replace each dot with one of these letters so that the cells of each letter make one path "
        f"between its two ends, through {neighbour_text}, and every cell of the board is on a path. A path does not touch itself: an end has exactly one "
        f"neighbour with its letter, and every other cell exactly two.{small}{' ' + boards.HEX_SAID if data.kind == 'hex' else ''}\n\n"
        f"{boards.render_hexagons(rows) if data.kind == 'hex' else chr(10).join(rows)}\n\nWrite all letters as capitals."
    )


def _cut_tour(rng: Rng, around: boards.Near, size: int, tour: Sequence[int]) -> list[list[int]] | None:
    """Paths that fill the board and do not touch themselves, of three cells or more: a path over all of it, cut; or None."""
    paths: list[list[int]] = [[]]
    longest = rng.integer(size, 3 * size)
    for cell in tour:
        path = paths[-1]
        touches = any(other in around[cell] for other in path[:-1])
        if touches or len(path) >= longest:
            paths.append([cell])
            longest = rng.integer(size, 3 * size)
        else:
            path.append(cell)
    # A short piece takes over cells of the one before it, or goes to its end.
    for i in range(1, len(paths)):
        while len(paths[i]) < 3 and len(paths[i - 1]) > 3 and not any(other in around[paths[i - 1][-1]] for other in paths[i][1:]):
            paths[i].insert(0, paths[i - 1].pop())
    return paths if min(map(len, paths)) > 2 and 1 < len(paths) <= len(LETTERS) else None


def _board(kind: str, size: int, paths: list[list[int]]) -> tuple[Data, int]:
    signs = ["."] * (size * size)
    right = 0
    for i, path in enumerate(paths):
        signs[path[0]] = signs[path[-1]] = LETTERS[i]
        right |= sum(1 << cell * len(paths) + i for cell in path)
    return Data(kind=kind, letters=len(paths), board=layout.rows_of(signs, size)), right


def _show_cells(data: Data, extra: int) -> Data:
    size = len(data.board)
    givens = {divmod(i // data.letters, size): LETTERS[i % data.letters].lower() for i in members(extra)}
    return Data(kind=data.kind, letters=data.letters, board=layout.replace_cells(data.board, givens))


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    """Question cell * letters + i: whether a cell has letter i."""
    size, letters = len(data.board), data.letters
    around = boards.near(data.kind, size, size)
    local: list[marks.Rule] = []
    for cell, others in enumerate(around):
        name, sign = layout.place(cell, size), data.board[cell // size][cell % size]
        local.append(Count((1 << letters) - 1 << cell * letters, 1, 1, f"{name} has one letter"))
        number = 1 if sign.isupper() else 2
        for i in range(letters):
            same_letter = as_set([other * letters + i for other in others])
            why = f"{name} has {number} neighbour{'s' * (number > 1)} {LETTERS[i]} if it is {LETTERS[i]}"
            local.append(Count(same_letter, number, number, why, 1 << cell * letters + i))
    wide = []
    for i in range(letters):
        near = tuple(
            tuple(other * letters + i for other in around[at // letters]) if at % letters == i else ()
            for at in range(size * size * letters)
        )
        within = as_set([cell * letters + i for cell in range(size * size)])
        wide.append(Connected(near, True, f"the cells of {LETTERS[i]} must be connected", within=within))
    return Puzzle(size * size * letters, tuple(local), tuple(wide))


def _known_cells(data: Data) -> tuple[int, int]:
    yes = as_set(
        [
            cell * data.letters + LETTERS.index(sign.upper())
            for cell, sign in enumerate(sign for row in data.board for sign in row)
            if sign != "."
        ]
    )
    return yes, 0


@lru_cache(maxsize=16)
def _words(data: Data) -> Words:
    size = len(data.board)
    pairs = [(layout.place(cell, size), letter) for cell in range(size * size) for letter in LETTERS[: data.letters]]
    return Words([f"{place} is {letter}" for place, letter in pairs], [f"{place} is not {letter}" for place, letter in pairs])


def _to_cells(data: Data, chosen: int) -> Cells:
    return layout.rows_of([LETTERS[i % data.letters] for i in members(chosen)], len(data.board))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for chosen in marks.solve_with_z3(_puzzle(task.data), *_known_cells(task.data)):
        yield _to_cells(task.data, chosen)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(task.data), *_known_cells(task.data))


environment = Environment(
    Knobs, Grid("the board, one row per line, with a capital letter for each cell, separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Corners and edges leave cells few ways on; a path that would shut off another letter's ends, or touch itself, is wrong.",
    version=2,
)  # fmt: skip
