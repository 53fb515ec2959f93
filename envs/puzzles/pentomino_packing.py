"""Fill a shape with given pieces of five squares each, every piece once and without gaps.

Any filling is accepted. Shapes are made by putting the pieces together; the oracle finds its own filling.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import polyominoes
from rlgym.generators.geometry.polyominoes import Piece
from rlgym.generators.grids import layout
from rlgym.solutions import Checks, Derivation, Solution, Step

Cells = tuple[tuple[str, ...], ...]
STEP = Step(
    "The first free cell is {cell}, which the pieces left can cover in {count:int} way(s); {name} covers {cells}; then {left:int} cells are free"
)
END = Step("The shape is filled:\n{answer}")
WORK = 6000
NAMES = "ABCDEFGHIJKL"
TURNS = {
    "none": "only as drawn, neither rotated nor flipped",
    "turn": "in any rotation by quarter turns, but not flipped over",
    "flip": "in any rotation by quarter turns, and flipped over",
}
ANSWER = Grid("the filled shape, one row per line, with cells separated by spaces", single_characters=True)


class Knobs(Config):
    pieces: int = knob(6, easy=3, hard=10, beyond=12, doc="how many pieces there are")
    turns: str = knob("turn", easy="none", hard="flip", order=("none", "turn", "flip"), doc="how the pieces may be laid")


class Data(TaskData):
    shape: tuple[tuple[int, int], ...]  # cells as row and column, from 0, row by row
    pieces: tuple[Piece, ...]
    turns: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, (5,))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Pieces of different sizes."""
    return _sample_task(rng, knobs, (3, 4, 4, 6, 6))


def _sample_task(rng: Rng, knobs: Knobs, sizes: Sequence[int]) -> Task[Data]:
    while True:
        pieces = list[Piece]()
        while len(pieces) < knobs.pieces:
            piece = rng.choice(polyominoes.ways(rng.choice(polyominoes.every(rng.choice(sizes))), "flip"))
            if piece not in pieces:
                pieces.append(piece)
        covered = set[tuple[int, int]]()
        for piece in pieces:
            covered |= set(_place_adjacent(rng, covered, rng.choice(polyominoes.ways(piece, knobs.turns))))
        shape = tuple(sorted(polyominoes.move(sorted(covered))))
        data = Data(shape=shape, pieces=tuple(pieces), turns=knobs.turns)
        if next(_fillings(data, WORK), None):
            break
    drawn = "\n\n".join(f"{name}:\n{_render_piece(piece)}" for name, piece in zip(NAMES, data.pieces))
    prompt = (
        "Fill the dots of this shape with the pieces below. Cells with # are outside:\n"
        f"{layout.render_grid(_board(data))}\n\n{drawn}\n\nEach piece is used exactly once; pieces may be laid {TURNS[data.turns]}. "
        "Write the shape with every dot replaced by the letter of the piece that covers it, and # as given."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, next(_fillings(task.data, 10**7)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, _board(data), NAMES[: len(data.pieces)]):
        return Score.wrong(reason)
    for name, piece in zip(NAMES, data.pieces):
        cells = [(r, c) for r, c in data.shape if answer[r][c] == name]
        if len(cells) != len(piece):
            return Score.wrong(f"piece {name} covers {len(cells)} cells")
        if polyominoes.move(cells) not in polyominoes.ways(piece, data.turns):
            return Score.wrong(f"the cells of {name} have another form than the piece")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = _board(task.data)
    first, second = NAMES[0], NAMES[1]
    swapped = {first: second, second: first}
    named = tuple(tuple(swapped.get(cell, cell) for cell in row) for row in right)
    names = iter("".join(name * len(piece) for name, piece in zip(NAMES, task.data.pieces)))
    in_rows = tuple(tuple(next(names) if cell == "." else cell for cell in row) for row in board)
    wrong = [*layout.exchange_neighbours(right, board), named, in_rows, board]
    return [grid for grid in wrong if verify(task, grid).value == 0]


def cost(task: Task[Data]) -> float:
    return len(task.data.pieces) ** 2 * sum(len(polyominoes.ways(piece, task.data.turns)) for piece in task.data.pieces)


def derive(task: Task[Data]) -> Derivation:
    data, covered = task.data, 0
    placements = polyominoes.placements(data.pieces, data.turns, data.shape)
    filling = next(_fillings(data, 10**7))
    for at, (number, cells) in enumerate(filling):
        cell, count = _next_cell(placements, len(data.shape), covered, {used for used, _ in filling[:at]})
        covered |= cells
        uncovered = len(data.shape) - covered.bit_count()
        yield STEP(cell=_name_of_cell(data, cell), count=count, name=NAMES[number], cells=_names_of_cells(data, cells), left=uncovered)
    yield END(answer=ANSWER.render(_to_cells(data, filling)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    placements = polyominoes.placements(data.pieces, data.turns, data.shape)
    laid = dict[int, int]()  # the cells of each piece laid

    def follows(cell: str, count: int, name: str, cells: str, left: int) -> bool:
        covered = sum(laid.values())
        first, ways = _next_cell(placements, len(data.shape), covered, set(laid))
        number = NAMES.index(name) if len(name) == 1 else -1
        fits = [mask for other, mask in placements if other == number and _names_of_cells(data, mask) == cells]
        if number in laid or not fits or fits[0] & covered or not fits[0] >> first & 1:
            return False
        if (cell, count) != (_name_of_cell(data, first), ways) or left != len(data.shape) - (covered | fits[0]).bit_count():
            return False
        laid[number] = fits[0]
        return True

    return {STEP: follows, END: lambda answer: ANSWER.parse(answer) == _to_cells(data, list(laid.items()))}


def picture(task: Task[Data]) -> str:
    board = _board(task.data)
    outside = [k for k, cell in enumerate(cell for row in board for cell in row) if cell == "#"]
    return pictures.board([["" for _ in row] for row in board], shaded=outside)


def _place_adjacent(rng: Rng, covered: set[tuple[int, int]], piece: Piece) -> list[tuple[int, int]]:
    """Where a piece goes: next to the pieces laid so far, touching most of them and keeping the shape close to a square."""
    if not covered:
        return list(piece)
    best, place = (-99, 0.0), list(piece)
    edge = sorted({(r + a, c + b) for r, c in covered for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))} - covered)
    for row, column in edge:
        for first in piece:
            cells = [(row + r - first[0], column + c - first[1]) for r, c in piece]
            if covered.isdisjoint(cells):
                touching = sum((r + a, c + b) in covered for r, c in cells for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)))
                both = [*covered, *cells]
                rows, columns = [r for r, _ in both], [c for _, c in both]
                value = touching - 2 * max(max(rows) - min(rows), max(columns) - min(columns))
                best, place = max((best, place), ((value, rng.real()), cells))
    return place


def _fillings(data: Data, work: int, *, last: bool = False) -> Iterator[tuple[tuple[int, int], ...]]:
    every = polyominoes.placements(data.pieces, data.turns, data.shape)
    return polyominoes.fill(every, len(data.shape), [work], last=last)


def _next_cell(every: Sequence[tuple[int, int]], cells: int, done: int, used: set[int]) -> tuple[int, int]:
    """The first free cell, and in how many ways the pieces left can cover it."""
    free = (1 << cells) - 1 & ~done
    cell = (free & -free).bit_length() - 1
    return cell, sum(covered >> cell & 1 and not covered & done and number not in used for number, covered in every)


def _name_of_cell(data: Data, cell: int) -> str:
    row, column = data.shape[cell]
    return f"r{row + 1}c{column + 1}"


def _names_of_cells(data: Data, covered: int) -> str:
    return " ".join(_name_of_cell(data, cell) for cell in range(len(data.shape)) if covered >> cell & 1)


def _board(data: Data) -> Cells:
    inside = set(data.shape)
    rows, columns = max(r for r, _ in inside) + 1, max(c for _, c in inside) + 1
    return tuple(tuple("." if (r, c) in inside else "#" for c in range(columns)) for r in range(rows))


def _to_cells(data: Data, filling: Sequence[tuple[int, int]]) -> Cells:
    names = {data.shape[k]: NAMES[number] for number, covered in filling for k in range(len(data.shape)) if covered >> k & 1}
    return tuple(tuple(names.get((r, c), cell) for c, cell in enumerate(row)) for r, row in enumerate(_board(data)))


def _render_piece(piece: Piece) -> str:
    rows, columns = max(r for r, _ in piece) + 1, max(c for _, c in piece) + 1
    return "\n".join(" ".join("o" if (r, c) in piece else "-" for c in range(columns)) for r in range(rows))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for filling in _fillings(task.data, 60_000, last=True):
        yield _to_cells(task.data, filling)
    yield solve(task)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Begin in corners and narrow places, where few pieces fit, and never leave a hole whose size no pieces can make.",
    version=2,
)  # fmt: skip
