"""Fill a shape with given pieces of five squares each, every piece once and without gaps.

Any filling is accepted. Shapes are made by putting the pieces together; the oracle finds its own filling.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators import pictures, polyominoes
from rlgym.generators.grids import layout
from rlgym.generators.polyominoes import Piece
from rlgym.generators.steps import Line, first_wrong

Cells = tuple[tuple[str, ...], ...]
STEP = Line(
    "The first free cell is {cell}, which the pieces left can cover in {count} ways; {name} covers {cells}; then {left} cells are free"
)
ENDS = "The shape is filled:\n"
WORK = 6000
NAMES = "ABCDEFGHIJKL"
TURNS = {
    "none": "as they are drawn, neither turned nor flipped",
    "turn": "turned by quarters, but not flipped over",
    "flip": "turned by quarters and flipped over",
}


class Knobs(Config):
    pieces: int = knob(6, easy=3, hard=10, doc="how many pieces there are")
    turns: str = knob("turn", easy="none", hard="flip", order=("none", "turn", "flip"), doc="how the pieces may be laid")


class Data(TaskData):
    shape: tuple[tuple[int, int], ...]  # cells as row and column, from 0, row by row
    pieces: tuple[Piece, ...]
    turns: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, (5,))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Pieces of different sizes."""
    return _made(rng, knobs, (3, 4, 4, 6, 6))


def _made(rng: Rng, knobs: Knobs, sizes: Sequence[int]) -> Task[Data]:
    while True:
        pieces = list[Piece]()
        while len(pieces) < knobs.pieces:
            piece = rng.choice(polyominoes.ways(rng.choice(polyominoes.every(rng.choice(sizes))), "flip"))
            if piece not in pieces:
                pieces.append(piece)
        covered = set[tuple[int, int]]()
        for piece in pieces:
            covered |= set(_beside(rng, covered, rng.choice(polyominoes.ways(piece, knobs.turns))))
        shape = tuple(sorted(polyominoes.moved(sorted(covered))))
        data = Data(shape=shape, pieces=tuple(pieces), turns=knobs.turns)
        if next(_fillings(data, WORK), None):
            break
    drawn = "\n\n".join(f"{name}:\n{_drawn(piece)}" for name, piece in zip(NAMES, data.pieces))
    prompt = (
        f"Fill the dots of this shape with the pieces below. Cells with # are outside:\n{layout.shown(_board(data))}\n\n{drawn}\n\nEach piece "
        "is used exactly once; "
        f"pieces may be laid {TURNS[data.turns]}. Write the shape with every dot replaced by the letter of the piece that covers it, and # as given."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Cells:
    return _written(task.data, next(_fillings(task.data, 10**7)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.misfit(answer, _board(data), NAMES[: len(data.pieces)]):
        return Score.wrong(reason)
    for name, piece in zip(NAMES, data.pieces):
        cells = [(r, c) for r, c in data.shape if answer[r][c] == name]
        if len(cells) != len(piece):
            return Score.wrong(f"piece {name} covers {len(cells)} cells")
        if polyominoes.moved(cells) not in polyominoes.ways(piece, data.turns):
            return Score.wrong(f"the cells of {name} have another form than the piece")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = _board(task.data)
    first, second = NAMES[0], NAMES[1]
    swapped = {first: second, second: first}
    named = tuple(tuple(swapped.get(cell, cell) for cell in row) for row in right)
    names = iter("".join(name * len(piece) for name, piece in zip(NAMES, task.data.pieces)))
    in_rows = tuple(tuple(next(names) if cell == "." else cell for cell in row) for row in board)
    wrong = [*layout.exchanged(right, board), named, in_rows, board]
    return [grid for grid in wrong if verify(task, grid).value == 0]


def cost(task: Task[Data]) -> float:
    return len(task.data.pieces) ** 2 * sum(len(polyominoes.ways(piece, task.data.turns)) for piece in task.data.pieces)


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps, done, used = list[str](), 0, set[int]()
    every = polyominoes.placements(data.pieces, data.turns, data.shape)
    filling = next(_fillings(data, 10**7))
    for number, covered in filling:
        cell, count = _next(every, len(data.shape), done, used)
        done |= covered
        used.add(number)
        left = len(data.shape) - done.bit_count()
        steps.append(STEP.write(cell=_place(data, cell), count=count, name=NAMES[number], cells=_places(data, covered), left=left))
    return [*steps, ENDS + layout.shown(_written(data, filling))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    every = polyominoes.placements(data.pieces, data.turns, data.shape)
    done, used, laid = 0, set[int](), list[tuple[int, int]]()

    def follows(step: str) -> bool:
        nonlocal done
        found = STEP.read(step)
        if not found or len(found["name"]) != 1:
            return False
        cell, count = _next(every, len(data.shape), done, used)
        number = NAMES.index(found["name"])
        fits = [covered for other, covered in every if other == number and _places(data, covered) == found["cells"]]
        if number in used or not fits or fits[0] & done or not fits[0] >> cell & 1:
            return False
        done |= fits[0]
        used.add(number)
        laid.append((number, fits[0]))
        said = found["cell"] == _place(data, cell) and found["count"] == str(count)
        return said and found["left"] == str(len(data.shape) - done.bit_count())

    def ends(step: str) -> bool:
        grid = environment.answer.parse(step.removeprefix(ENDS))
        return step.startswith(ENDS) and grid == _written(data, laid) and verify(task, grid).value == 1

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    board = _board(task.data)
    outside = [k for k, cell in enumerate(cell for row in board for cell in row) if cell == "#"]
    return pictures.board([["" for _ in row] for row in board], shaded=outside)


def _beside(rng: Rng, covered: set[tuple[int, int]], piece: Piece) -> list[tuple[int, int]]:
    """Where a piece is put: beside what is there, where it touches most, and what keeps the whole near a square."""
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
    return polyominoes.filled(every, len(data.shape), [work], last=last)


def _next(every: Sequence[tuple[int, int]], cells: int, done: int, used: set[int]) -> tuple[int, int]:
    """The first free cell, and in how many ways the pieces left can cover it."""
    free = (1 << cells) - 1 & ~done
    cell = (free & -free).bit_length() - 1
    return cell, sum(covered >> cell & 1 and not covered & done and number not in used for number, covered in every)


def _place(data: Data, cell: int) -> str:
    row, column = data.shape[cell]
    return f"r{row + 1}c{column + 1}"


def _places(data: Data, covered: int) -> str:
    return " ".join(_place(data, cell) for cell in range(len(data.shape)) if covered >> cell & 1)


def _board(data: Data) -> Cells:
    inside = set(data.shape)
    rows, columns = max(r for r, _ in inside) + 1, max(c for _, c in inside) + 1
    return tuple(tuple("." if (r, c) in inside else "#" for c in range(columns)) for r in range(rows))


def _written(data: Data, filling: Sequence[tuple[int, int]]) -> Cells:
    names = {data.shape[k]: NAMES[number] for number, covered in filling for k in range(len(data.shape)) if covered >> k & 1}
    return tuple(tuple(names.get((r, c), cell) for c, cell in enumerate(row)) for r, row in enumerate(_board(data)))


def _drawn(piece: Piece) -> str:
    rows, columns = max(r for r, _ in piece) + 1, max(c for _, c in piece) + 1
    return "\n".join(" ".join("o" if (r, c) in piece else "-" for c in range(columns)) for r in range(rows))


def _others(task: Task[Data]) -> Iterator[Cells]:
    for filling in _fillings(task.data, 60_000, last=True):
        yield _written(task.data, filling)
    yield solve(task)


environment = Environment(
    Knobs,
    Grid("the filled shape, one row per line, with cells separated by spaces", joined=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=_others,
    concept="Begin in corners and narrow places, where few pieces fit, and never leave a hole whose size no pieces can make.",
)
