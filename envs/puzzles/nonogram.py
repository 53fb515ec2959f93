"""Draw the picture of a nonogram from the lengths of the runs in its rows and columns.

Uniqueness is proved when a picture is made; pictures with several readings are altered cell by cell until one is left.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout, lines, replays
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 80  # suppositions that a proof of uniqueness may take
ALTERED = 60  # single cells altered before whole rows are filled


TRIES = 8  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(8, easy=4, hard=15, doc="rows and columns")
    filled: int = knob(56, easy=64, hard=48, doc="percent of cells filled, about")
    reasoning: str = knob(
        "lines",
        easy="lines",
        hard="search",
        order=("lines", "search"),
        doc="whether looking at one line at a time suffices, or suppositions may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=40,
        scale="log",
        doc="suppositions that prove the solution the only one, where they are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    rows: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[int, ...], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, blots=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Pictures of a few large shapes, not of scattered cells."""
    return _sample_task(rng, knobs, blots=True)


def solve(task: Task[Data]) -> Cells:
    board = _board(task.data)
    fillings = lines.first_two(board, 10**9)
    assert fillings
    return _to_cells(fillings[0], len(task.data.columns))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, ["." * len(data.columns)] * len(data.rows), "#."):
        return Score.wrong(reason)
    for kind, drawn, expected_runs in (("row", answer, data.rows), ("column", tuple(zip(*answer)), data.columns)):
        for i, (line, runs) in enumerate(zip(drawn, expected_runs), 1):
            if tuple(len(run) for run in "".join(line).split(".") if run) != runs:
                return Score.wrong(f"the runs of {kind} {i} are not the given ones")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    swap = {"#": ".", ".": "#"}
    pushed = tuple(tuple(".".join("#" * run for run in runs).ljust(len(right), ".")) for runs in task.data.rows)
    moved = [tuple((*row[1:], row[0]) if r == i else row for r, row in enumerate(right)) for i in (0, len(right) // 2)]
    return [pushed, *moved, tuple(tuple(swap[cell] for cell in row) for row in right), tuple(zip(*right)), right[::-1]]


def cost(task: Task[Data]) -> float:
    return lines.effort(_board(task.data))


def picture(task: Task[Data]) -> str:
    clues = [[" ".join(map(str, runs)) or "0" for runs in side] for side in (task.data.rows, task.data.columns)]
    return pictures.board([" " * len(clues[1])] * len(clues[0]), left=clues[0], top=clues[1])


def _sample_task(rng: Rng, knobs: Knobs, blots: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return lines.count_suppositions(_board(task.data))

    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, blots), measure, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, blots: bool) -> Task[Data]:
    start = (
        _blots(rng, knobs.size, knobs.filled)
        if blots
        else [sum(1 << c for c in range(knobs.size) if rng.chance(knobs.filled / 100)) for _ in range(knobs.size)]
    )
    data = _make_unique(rng, start, knobs.reasoning == "search")
    listing = [f"{title}: {' '.join(map(str, runs)) or 0}" for title, runs in zip(_titles("Row", data), data.rows)]
    listing += [f"{title}: {' '.join(map(str, runs)) or 0}" for title, runs in zip(_titles("Column", data), data.columns)]
    prompt = (
        f"Draw a picture of {knobs.size} rows and {knobs.size} columns in which every cell is filled (#) or empty (.). "
        "For each row, read from left to right, and for each column, read from top to bottom, the numbers are the lengths of its runs "
        "of filled cells, in order. Runs of one line have at least one empty cell between them; 0 means that the line has no filled "
        f"cell.\n\n{chr(10).join(listing)}"
    )
    return Task(prompt, data)


def _blots(rng: Rng, size: int, filled: int) -> list[int]:
    """The rows of a picture of overlapping rectangles."""
    rows = [0] * size
    while sum(row.bit_count() for row in rows) * 100 < filled * size * size:
        height, width = rng.integer(1, 1 + size // 2), rng.integer(1, 1 + size // 2)
        top, left = rng.integer(0, size - height), rng.integer(0, size - width)
        for r in range(top, top + height):
            rows[r] |= (1 << width) - 1 << left
    return rows


def _make_unique(rng: Rng, rows: list[int], search: bool) -> Data:
    """The runs of a picture that no other picture has, altered from these rows on."""
    size = len(rows)
    for altered in range(ALTERED + size * size):
        data = Data(rows=tuple(map(lines.runs_of, rows)), columns=tuple(map(lines.runs_of, lines.transpose(rows, size))))
        board = _board(data)
        lines.propagate(board)
        if lines.is_finished(board):
            return data
        doubtful = lines.undecided_cells(board)
        if search and altered < ALTERED:
            fillings = lines.first_two(board, STEPS)
            if fillings and len(fillings) == 1:
                return data
            if fillings:
                doubtful = [(r, c) for r, c in doubtful if (fillings[0][r] ^ fillings[1][r]) >> c & 1]
        row, column = rng.choice(doubtful)
        # A full row leaves no doubt, so that this ends.
        rows[row] = rows[row] ^ 1 << column if altered < ALTERED else (1 << size) - 1
    raise AssertionError("unreachable: a picture with all its rows full is unique")


def _line_puzzle(data: Data) -> replays.LinePuzzle:
    """What a worked solution speaks of: the board, the lines' names and the signs."""
    rows, columns = (
        [f"{title} ({' '.join(map(str, runs)) or 0})" for title, runs in zip(_titles(kind, data), clues)]
        for kind, clues in (("row", data.rows), ("column", data.columns))
    )
    return replays.LinePuzzle(_board(data), (rows, columns), ("empty", "filled"))


def _board(data: Data) -> lines.Board:
    return [lines.patterns_with_runs(runs, len(data.columns)) for runs in data.rows], [
        lines.patterns_with_runs(runs, len(data.rows)) for runs in data.columns
    ]


def _titles(kind: str, data: Data) -> list[str]:
    return [f"{kind} {i + 1}" for i in range(len(data.rows))]


def _to_cells(rows: list[int], width: int) -> Cells:
    return tuple(tuple("#" if row >> c & 1 else "." for c in range(width)) for row in rows)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for rows in lines.plain_backtrack(_board(task.data)):
        yield _to_cells(rows, len(task.data.columns))


environment = Environment(
    Knobs, Grid("the picture, one row per line, each cell # or . and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.pattern_solution(lambda task: _line_puzzle(task.data), "The picture is complete:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="In each line, see which cells every placement of its runs fills or leaves empty, and carry that over to the crossing lines.",
    version=3,
)  # fmt: skip
